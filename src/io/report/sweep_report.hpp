#pragma once
#include <span>
#include <string>

#include "maggi/sweep/table.hpp"

namespace maggi {

/// The report of a sweep for the page that write_report() writes: what was varied, what came out, which runs failed.
/// Depends on the sweep and its results alone, not on who made the runs or how long it took.
///
///     title, facts; statistics: as in statistics.json
///     quantities: [{name, unit, text, drawn, size}], draws
///     shown: {count, of, text, runs}; columns: [{name, unit, base, scale, values}], quantities then outputs
///     histograms: by output {low, high, counts}
///     trends: [{quantity, parts, counts, x, outputs: [{mean, lower, upper}]}]
///     failures: [{reason, count, runs: [[first, last], …], listed, where: [[least, greatest], …]}], other_failures
///     failed: [[place among the shown, index of the failure], …]
///
/// Of a sweep of more than 10 000 runs, or with many columns of fewer, some are shown, and `text` says which; `runs` is
/// left out where all are. Histograms, trends, failures and statistics are over all runs. Numbers are packed as in
/// run_report_json(). `parts`: of the quantiles.
std::string sweep_report_json(const std::string& title, const SweepTable& table, std::span<const double> parts);

}  // namespace maggi
