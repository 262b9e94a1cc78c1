#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace maggi {

/// What came out of one run: the measures, or why there are none.
struct RunResult {
  std::uint64_t run = 0;
  std::vector<double> values;  ///< one for each measure; empty if it failed
  std::string failure{};       ///< empty if it reached its end

  bool operator==(const RunResult&) const = default;
};

/// Takes over what came out of runs that have ended.
using AcceptRuns = std::function<void(std::vector<RunResult>)>;

/// Runs that are made together: first, first + 1, … Formed by index, never by who is free or what is left to do.
struct RunGroup {
  std::uint64_t first = 0, count = 0;
};

}  // namespace maggi
