#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace maggi::sweep {

/// Runs that failed for the same reason: in words, whatever the numbers in it.
struct FailureGroup {
  std::string reason;                                           ///< numbers that differ from run to run are "…"
  std::uint64_t count = 0;                                      ///< of runs
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;  ///< first and last, of runs one after the other
};

/// Those with most runs first; of equally many the one that occurred first.
struct FailureGroups {
  std::vector<FailureGroup> groups;
  std::map<std::uint64_t, std::size_t> group_of;  ///< by run
};

/// `failures`: run → reason.
FailureGroups group_failures(const std::map<std::uint64_t, std::string>& failures);

}  // namespace maggi::sweep
