#pragma once
#include "maggi/integration/lane_integrator.hpp"
#include "sweep/measured.hpp"
#include "sweep/prepared_run.hpp"

namespace maggi::sweep {

/// Why runs of a sweep cannot be computed side by side, in words; empty if they can. `run`: one of them.
std::string why_not_side_by_side(const PreparedRun& run, const std::vector<Measure>& measures);

/// Runs computed eight at a time, each the same to the last bit whatever the others are; one object per thread.
class SideBySide {
 public:
  /// `like`: a run for which why_not_side_by_side() says nothing.
  SideBySide(const SharedFormulas& shared, const IntegrateOptions& like, const std::vector<Measure>& measures)
      : options_(like), measures_(measures), integrator_(*shared.system, like) {}

  /// Can this run be among them? Its times and tolerances must be those of the others.
  bool fits(const PreparedRun& run) const;

  /// Hands over the results as the runs end, and returns those that need another way: where rows depend on each other,
  /// values are not finite, steps become too small.
  std::vector<std::uint64_t> make(const std::vector<std::pair<std::uint64_t, PreparedRun>>& runs,
                                  const std::function<void(RunResult)>& accept);

 private:
  IntegrateOptions options_;
  const std::vector<Measure>& measures_;
  LaneIntegrator integrator_;
};

}  // namespace maggi::sweep
