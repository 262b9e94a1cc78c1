#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "maggi/sweep.hpp"

namespace maggi {

/// What makes a sweep the one it is, by name: the model as a fingerprint, the axes, the measures.
using SweepIdentity = std::vector<std::pair<std::string, std::string>>;
SweepIdentity identity(const Sweep& sweep);

/// The finished runs of a sweep that is under way: a line each, with a checksum, written as they are handed over. A
/// process that is killed loses the runs in flight and nothing else.
///
///     maggi sweep journal 1
///     {"model": "…", "over": "…", …} checksum
///     17 0.25 9.81 checksum                       run 17, its measures
///     18 ! step too small at t = 0.5 s checksum   run 18 failed
class SweepJournal {
 public:
  /// Begins the journal, or goes on with it: what it holds is handed over first. Lines whose checksum is wrong are left
  /// out, so that their runs are made again. Error (model) if it belongs to another sweep, with the difference; Error
  /// (io) if it cannot be written, or somebody else is writing it.
  SweepJournal(std::filesystem::path path, const SweepIdentity& identity, const Sweep& sweep,
               const std::function<void(RunResult)>& found);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  void append(std::span<const RunResult> results);    ///< in one write
  void remove();                                      ///< when its results are in other files
  std::uint64_t damaged() const { return damaged_; }  ///< lines left out, besides a last one that is not complete

 private:
  void lock();
  bool read(const SweepIdentity& identity, const Sweep& sweep, const std::function<void(RunResult)>& found);
  void check(std::string_view head, const SweepIdentity& identity) const;
  void write(std::string_view bytes);
  [[noreturn]] void fail(int error) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t damaged_ = 0;
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
};

}  // namespace maggi
