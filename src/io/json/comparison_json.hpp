#pragma once
#include <string>

#include "maggi/comparison.hpp"

namespace maggi {

/// A comparison for programs; keys in docs/command-line.md.
std::string comparison_json(const Comparison& found);

/// The rows, and the runs at all tolerances, as tables with a head; texts are quoted, what has no value is empty.
std::string comparison_csv(const Comparison& found);
std::string work_precision_csv(const Comparison& found);

/// The data of its report.
std::string comparison_report_json(const Comparison& found);

}  // namespace maggi
