#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "maggi/expert/shape.hpp"
#include "sweep/design.hpp"
#include "sweep/measure.hpp"
#include "sweep/run_result.hpp"

namespace maggi {

namespace sweep {
struct SharedFormulas;
}

/// May runs be computed eight at a time (LaneIntegrator)? Their results then differ by rounding from those of
/// integrate().
enum class LaneUse { automatic, always, never };

/// Many runs of one model, as a plan: what each of them is depends on its index alone. Threads share it.
///
/// The equations of a model from formulas are derived once, and a run changes the numbers in them. A model is built
/// anew for a run where that is not enough: from bodies and joints; where numbers decide what the equations are
/// (one-sided constraints, friction, controls); where constraints have another rank at the start than in run 0.
class Sweep {
 public:
  /// `measures` empty: the last values of the outputs of the model, or of its coordinates if it has none.
  /// Error (model) if the model, its [simulation] or a measure is wrong, or if lanes are asked for and cannot be used.
  Sweep(Model model, Design design, std::vector<Measure> measures, LaneUse lanes = LaneUse::automatic);
  ~Sweep();

  const Model& model() const { return model_; }
  const Design& design() const { return design_; }
  const std::vector<Measure>& measures() const { return measures_; }
  const std::vector<Channel>& columns() const { return columns_; }  ///< name and unit of each measure

  bool in_lanes() const;                                             ///< are runs computed eight at a time?
  const std::string& why_no_lanes() const { return why_no_lanes_; }  ///< empty if they are
  std::uint64_t group_size() const;                                  ///< of the groups that are dealt

 private:
  friend class SweepWorker;

  Model model_;
  Design design_;
  std::vector<Measure> measures_;
  std::vector<Channel> columns_;
  std::string why_no_lanes_;
  std::unique_ptr<const sweep::SharedFormulas> formulas_;  // to be used by every run; null: each builds its own
};

/// Makes runs of a sweep; one per thread.
class SweepWorker {
 public:
  explicit SweepWorker(const Sweep& sweep, const std::atomic<bool>* interrupt = nullptr);
  ~SweepWorker();

  /// Hands over the results of the runs of the group. false if it was interrupted: the rest is missing.
  bool make(const RunGroup& group, const AcceptRuns& accept);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

/// Deals the groups of a sweep in the order of their index, those left out that are done already. Threads may share it.
class Deal {
 public:
  /// `done`: one for each run.
  Deal(const Sweep& sweep, std::vector<bool> done);
  std::optional<RunGroup> next();

 private:
  std::mutex mutex_;
  std::uint64_t size_, group_, next_ = 0;
  std::vector<bool> done_;
};

/// Works off the deal on so many threads; `accept` is called by one at a time. Returns when nothing is left, or soon
/// after the interrupt; what accept throws ends it, too.
void work_off(const Sweep& sweep, Deal& deal, int threads, const AcceptRuns& accept,
              const std::atomic<bool>* interrupt = nullptr);

}  // namespace maggi
