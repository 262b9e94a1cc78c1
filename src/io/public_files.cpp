// The public door of io: files and JSON of models, motions and checks.
#include "io/csv/csv.hpp"
#include "io/file/file.hpp"
#include "io/json/check_json.hpp"
#include "io/json/comparison_json.hpp"
#include "io/json/ideality_json.hpp"
#include "io/json/json.hpp"
#include "io/json/model_schema.hpp"
#include "io/npz/npz.hpp"
#include "io/report/report.hpp"
#include "io/stored/stored_run.hpp"
#include "io/toml/model_file.hpp"
#include "maggi/files.hpp"
#include "simulation/motion_data.hpp"
#include "simulation/start_report.hpp"

namespace maggi {

Model load(const std::filesystem::path& file) { return read_model(file.string()); }
Model load_text(std::string_view text, std::string_view name) { return parse_model(text, std::string(name)); }
std::string to_toml(const Model& model) { return write_model(model); }
std::string model_schema() { return model_schema_json(); }

NamedColumns load_columns(const std::filesystem::path& file) {
  NamedColumns result;
  for (StoredRun::Column& column : read_columns(file).columns)
    result.emplace_back(std::move(column.channel.name), std::move(column.values));
  return result;
}

void write_csv(const std::filesystem::path& file, const Motion& motion) { write_csv(file, motion.data().trajectory); }
void write_npz(const std::filesystem::path& file, const Motion& motion) { write_npz(file, motion.data().trajectory); }
void write_summary(const std::filesystem::path& file, const Motion& motion) { write_summary(file, motion.summary()); }
void write_report(const std::filesystem::path& file, const Motion& motion) {
  write_report(file, run_report_json(motion));
}

void write_csv(const std::filesystem::path& file, const Comparison& comparison) {
  write_file(file, comparison_csv(comparison));
}
void write_work_precision(const std::filesystem::path& file, const Comparison& comparison) {
  write_file(file, work_precision_csv(comparison));
}
void write_report(const std::filesystem::path& file, const Comparison& comparison) {
  write_report(file, comparison_report_json(comparison));
}

std::string to_json(const Comparison& comparison) { return comparison_json(comparison); }
std::string to_json(const Check& check) { return check_json(check); }
std::string to_json(const EquationsOfMotion& equations) { return equations_json(equations); }
std::string to_json(const Ideality& found) { return ideality_json(found); }
std::string to_json(const Motion& motion) { return summary_json(motion.summary()); }

std::string start_json(Simulation& simulation, int random_starts) {
  const StartReport report(simulation, random_starts);
  return initial_conditions_json(report.shape, report.start, report.undetermined,
                                 report.assemblies ? &*report.assemblies : nullptr, &report.results);
}

}  // namespace maggi
