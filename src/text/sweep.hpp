#pragma once
#include <span>
#include <string>

#include "maggi/sweep/table.hpp"
#include "text/table.hpp"

namespace maggi::text {

/// What was varied, how many runs, which of them failed. `how`: who made them, and how long it took.
Table sweep_facts(const SweepTable& table, const std::string& how);

/// How each output is distributed, one line each.
Table sweep_statistics(const SweepTable& table, std::span<const double> parts);

/// "3 of 100 runs failed, the first is run 7 (m = 2): the reason"; empty if none failed.
std::string sweep_complaint(const SweepTable& table);

}  // namespace maggi::text
