#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/stored/sweep_journal.hpp"
#include "maggi/sweep/table.hpp"

namespace maggi {

/// The folder of a sweep: the journal of the runs that have been made, so that a sweep that was interrupted resumes;
/// and, when all have been made, its files.
///
///     sweep.journal                                        while it is under way
///     sweep.csv sweep.npz statistics.json statistics.csv   afterwards
class SweepFolder {
 public:
  /// Takes over the runs that the journal of the same sweep contains, unless `restart` drops them. Error as
  /// SweepJournal.
  SweepFolder(std::filesystem::path folder, const Sweep& sweep, bool restart = false);

  const std::filesystem::path& path() const { return folder_; }
  const SweepTable& table() const { return table_; }
  std::uint64_t resumed() const { return resumed_; }  ///< runs that were taken over
  bool complete() const { return table_.count() == table_.sweep().design().size(); }

  void accept(std::vector<RunResult> results);  ///< into the journal and the table; runs that are there are dropped

  /// "going on with …: 12 of 100 runs are done"; empty if nothing was taken over.
  std::string resumed_text() const;

  /// sweep.csv, sweep.npz, statistics.json and statistics.csv, in the place of the journal. `parts`: of the quantiles.
  /// Returns false if sweep.npz was left out, because it would have more than 4 GiB.
  bool write(std::span<const double> parts);

 private:
  std::filesystem::path folder_;
  SweepTable table_;
  std::optional<SweepJournal> journal_;
  std::uint64_t resumed_ = 0;
};

}  // namespace maggi
