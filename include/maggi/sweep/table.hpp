#pragma once
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "maggi/sweep.hpp"
#include "maggi/sweep/spread.hpp"

namespace maggi {

namespace sweep {
class LargeArray;
}

/// The results of a sweep by run, in whatever order they come in.
class SweepTable {
 public:
  /// `folder`: where what does not fit into memory may lie. Error (io) if there is no room for the results.
  explicit SweepTable(Sweep sweep, const std::filesystem::path& folder = ".");
  ~SweepTable();
  SweepTable(SweepTable&&) noexcept;

  void put(RunResult result);  ///< a run that is there already stays as it is: it would be the same
  bool has(std::uint64_t run) const { return done_[run]; }
  const std::vector<bool>& done() const { return done_; }
  std::uint64_t count() const { return count_; }  ///< of runs that are there

  const Sweep& sweep() const { return sweep_; }
  const std::map<std::uint64_t, std::string>& failures() const { return failures_; }  ///< run → reason
  std::span<const double> values(std::uint64_t run) const;  ///< of one that is there; NaN if it failed
  std::vector<double> column(std::size_t column) const;  ///< of the runs that did not fail, in the order of their index
  /// Of one column, over the runs that did not fail.
  Spread spread(std::size_t column, std::span<const double> parts) const;

 private:
  Sweep sweep_;
  std::size_t width_;
  std::uint64_t count_ = 0;
  std::vector<bool> done_;
  std::unique_ptr<sweep::LargeArray> values_;
  std::map<std::uint64_t, std::string> failures_;
};

/// All runs of a sweep, on so many threads (0: as many as there are cores). What an interrupt leaves out is missing.
SweepTable run_all(const Sweep& sweep, int threads = 0, const std::atomic<bool>* interrupt = nullptr);

}  // namespace maggi
