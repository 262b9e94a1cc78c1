#include "io/stored/sweep_folder.hpp"

#include <fmt/format.h>

#include "io/file/file.hpp"
#include "io/stored/sweep_files.hpp"

namespace maggi {

SweepFolder::SweepFolder(std::filesystem::path folder, const Sweep& sweep, bool restart)
    : folder_(std::move(folder)), table_(sweep, folder_) {
  const std::filesystem::path journal = folder_ / "sweep.journal";
  if (restart) std::filesystem::remove(journal);
  journal_.emplace(journal, identity(sweep), sweep, [&](RunResult result) { table_.put(std::move(result)); });
  resumed_ = table_.count();
}

void SweepFolder::accept(std::vector<RunResult> results) {
  std::erase_if(results, [&](const RunResult& result) { return table_.has(result.run); });
  journal_->append(results);
  for (RunResult& result : results) table_.put(std::move(result));
}

std::string SweepFolder::resumed_text() const {
  if (resumed_ == 0) return "";
  const std::uint64_t damaged = journal_->damaged();
  return fmt::format(
      "going on with {}: {} of {} runs are done{}\n", (folder_ / "sweep.journal").string(), resumed_,
      table_.sweep().design().size(),
      damaged == 0 ? "" : fmt::format(", {} record{} damaged and made again", damaged, damaged == 1 ? "" : "s"));
}

bool SweepFolder::write(std::span<const double> parts) {
  write_sweep_csv(folder_ / "sweep.csv", table_);
  const bool all = write_sweep_npz(folder_ / "sweep.npz", table_);
  write_file(folder_ / "statistics.json", sweep_statistics_json(table_, parts));
  write_sweep_statistics_csv(folder_ / "statistics.csv", table_, parts);
  journal_->remove();
  return all;
}

}  // namespace maggi
