#pragma once
#include "integration/lanes/lane_integrator.hpp"
#include "sweep/measured.hpp"
#include "sweep/parameterised_system.hpp"
#include "sweep/prepared_run.hpp"

namespace maggi::sweep {

/// Why runs of a sweep cannot be computed side by side, in words; empty if they can. `run`: one of them.
std::string why_no_lanes(const PreparedRun& run, const std::vector<Measure>& measures);

/// Runs to be computed side by side.
struct LaneGroup {
  struct Which {
    std::uint64_t run;
    std::vector<double> times;  ///< of the measures
  };
  std::vector<Which> which;
  std::vector<LaneJob> jobs;  ///< one for each

  void add(std::uint64_t run, const std::vector<double>& times, std::vector<double> parameters, State start) {
    which.push_back({run, times});
    jobs.push_back({std::move(parameters), std::move(start)});
  }
};

/// Runs computed eight at a time, each the same to the last bit whatever the others are; one object per thread.
class LaneBatch {
 public:
  /// `like`: a run for which why_no_lanes() says nothing.
  LaneBatch(const SharedFormulas& shared, const IntegrateOptions& like, const std::vector<Measure>& measures);
  ~LaneBatch();

  /// Can this run be among them? Its times and tolerances must be those of the others.
  bool fits(const PreparedRun& run) const;

  /// Hands over the results as the runs end, several at a time if they come quickly, and returns those that need
  /// another way: where rows depend on each other, values are not finite, steps become too small.
  std::vector<std::uint64_t> make(const LaneGroup& group, const AcceptRuns& accept);

 private:
  struct Course;
  class Recording;

  const EquationSystem& formulas_;
  IntegrateOptions options_;
  const std::vector<Measure>& measures_;
  LaneIntegrator integrator_;
  std::vector<std::unique_ptr<Course>> idle_;  // for runs to come
};

}  // namespace maggi::sweep
