#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "maggi/expert/shape.hpp"
#include "maggi/simulation.hpp"
#include "maggi/sweep/design.hpp"
#include "maggi/sweep/measure.hpp"
#include "maggi/sweep/run_result.hpp"

namespace maggi {

/// May runs be computed eight at a time, in the lanes of the processor? Their results then differ by rounding from
/// those of runs that are computed one at a time.
enum class LaneUse { automatic, always, never };

/// What a sweep varies, and what it keeps of each run, as on the command line.
struct SweepOptions {
  std::vector<std::string> over{};      ///< "m=1:0.1:2", see Axis; several: every combination
  std::vector<std::string> keep{};      ///< "max(x)", see Measure; empty: the last values of the outputs of the model
  std::optional<std::uint64_t> runs{};  ///< how many values are drawn
  std::uint64_t seed = 1;
  Design::Sampling sampling = Design::Sampling::random;
  LaneUse lanes = LaneUse::automatic;
};

/// Many runs of one model, as a plan: what each of them is depends on its index alone. A value; copies share it, and so
/// do threads.
///
///     const maggi::Sweep sweep(simulation, {.over = {"l=0.5:0.1:2"}, .keep = {"max(x)"}});
///     const maggi::SweepTable table = maggi::run_all(sweep);
///
/// The equations of a model from formulas are derived once, and a run changes the numbers in them. A model is built
/// again for a run where that is not enough: from bodies and joints; with hidden constraints, controls or constraints
/// on accelerations; where constraints have another rank at the start than in run 0.
class Sweep {
 public:
  /// Error (model) if nothing is varied, or as below.
  Sweep(const Simulation& simulation, const SweepOptions& options);
  /// `measures` empty: the last values of the outputs of the model, or of its coordinates if it has none.
  /// Error (model) if the model, its [simulation] or a measure is wrong, or if lanes are asked for and cannot be used.
  Sweep(Simulation simulation, Design design, std::vector<Measure> measures, LaneUse lanes = LaneUse::automatic);

  const Model& model() const;
  const Design& design() const;
  const std::vector<Measure>& measures() const;
  const std::vector<Channel>& columns() const;  ///< name and unit of each measure

  bool in_lanes() const { return why_no_lanes().empty(); }  ///< are runs computed eight at a time?
  const std::string& why_no_lanes() const;                  ///< empty if they are
  std::uint64_t group_size() const;                         ///< of the groups that a RunQueue hands out

 private:
  friend class SweepWorker;
  struct Plan;
  std::shared_ptr<const Plan> plan_;
};

/// Makes runs of a sweep; one per thread.
class SweepWorker {
 public:
  explicit SweepWorker(const Sweep& sweep, const std::atomic<bool>* interrupt = nullptr);
  ~SweepWorker();

  /// Passes on the results of the runs of the group. Returns false if it was interrupted: the rest is missing.
  bool make(const RunGroup& group, const AcceptRuns& accept);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

/// Hands out the groups of a sweep in the order of their index, without those that are done already. Threads may share
/// it.
class RunQueue {
 public:
  /// `done`: one for each run.
  RunQueue(const Sweep& sweep, std::vector<bool> done);
  std::optional<RunGroup> next();

 private:
  std::mutex mutex_;
  std::uint64_t size_, group_, next_ = 0;
  std::vector<bool> done_;
};

/// Makes all runs of the queue on so many threads; `accept` is called by one thread at a time. Returns when nothing is
/// left, or soon after the interrupt. An exception from `accept` ends it, too.
void run_all(const Sweep& sweep, RunQueue& queue, int threads, const AcceptRuns& accept,
             const std::atomic<bool>* interrupt = nullptr);

}  // namespace maggi
