#pragma once
#include <filesystem>
#include <span>
#include <string>

#include "maggi/sweep/table.hpp"

namespace maggi {

/// One line per run: its index, the values of the axes, the measures, and why it failed; empty where there is nothing.
void write_sweep_csv(const std::filesystem::path& path, const SweepTable& table);

/// For NumPy: parameters (runs × axes), outputs (runs × measures, NaN where a run failed), each with …_names and
/// …_units; failed (runs). false if it would have more than the 4 GiB that the format can hold: nothing is written.
bool write_sweep_npz(const std::filesystem::path& path, const SweepTable& table);

/// runs, failed; outputs: [{name, unit, count, mean, deviation, min, max, quantiles: {"0.5": …}}]; failures: [{run,
/// parameters, reason}], the first hundred. `parts`: of the quantiles.
std::string sweep_statistics_json(const SweepTable& table, std::span<const double> parts);

/// The outputs of it as a table.
void write_sweep_statistics_csv(const std::filesystem::path& path, const SweepTable& table,
                                std::span<const double> parts);

}  // namespace maggi
