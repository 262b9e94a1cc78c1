#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "maggi/check.hpp"
#include "maggi/comparison.hpp"
#include "maggi/equations.hpp"
#include "maggi/ideality.hpp"
#include "maggi/model.hpp"
#include "maggi/motion.hpp"

namespace maggi {

class Simulation;

/// A model from a TOML file (docs/model-file.md). Error with file, line and column if it cannot be read, or for what is
/// unknown, twice or of the wrong kind in it; what is wrong with the model itself, its Simulation finds.
Model load(const std::filesystem::path& file);
/// A model from the text of such a file; `name` stands for the file in messages.
Model load_text(std::string_view text, std::string_view name = "model");
/// A model as the text of such a file, which reads back as the same model.
std::string to_toml(const Model& model);
/// A JSON Schema (draft 7) of such a file, with a description of every key: for editors.
std::string model_schema();

/// The columns of a CSV file with a line of headings, "x1' [m/s]", whose units are not read; as write_csv() writes
/// them. Error (io) if it cannot be read, or a line has not one finite number for each heading.
NamedColumns load_columns(const std::filesystem::path& file);

/// The files of a run. Each replaces what was there only when it has been written completely.
void write_csv(const std::filesystem::path& file, const Motion& motion);      ///< for spreadsheets
void write_npz(const std::filesystem::path& file, const Motion& motion);      ///< for NumPy
void write_summary(const std::filesystem::path& file, const Motion& motion);  ///< for programs, JSON
void write_report(const std::filesystem::path& file, const Motion& motion);   ///< a page for the browser

/// The files of a comparison.
void write_csv(const std::filesystem::path& file, const Comparison& comparison);  ///< one line for each method
/// The runs at all tolerances: one line for each method and tolerance.
void write_work_precision(const std::filesystem::path& file, const Comparison& comparison);
void write_report(const std::filesystem::path& file, const Comparison& comparison);

/// For programs: one JSON object each, with `format_version`.
std::string to_json(const Motion& motion);  ///< the summary of the run
std::string to_json(const Check& check);
std::string to_json(const Comparison& comparison);
std::string to_json(const EquationsOfMotion& equations);
std::string to_json(const Ideality& found);
std::string start_json(Simulation& simulation, int random_starts = 0);

}  // namespace maggi
