#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/redundancy.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "results/summary.hpp"
#include "results/trajectory.hpp"
#include "system/seam/mechanism_system.hpp"
#include "table.hpp"

namespace maggi::app {

double cpu_seconds();  ///< of this process so far

/// What the time goes into: each call says what the CPU time since the last one was for.
class Stopwatch {
 public:
  void note(const std::string& what);
  const std::vector<std::pair<std::string, double>>& seconds() const { return seconds_; }

 private:
  double last_ = cpu_seconds();
  std::vector<std::pair<std::string, double>> seconds_;
};

/// Integrates; a value of the trajectory that is not finite ends the run, what came before it stays.
Summary simulate(Dynamics& dynamics, const State& start, Trajectory& trajectory, const IntegrateOptions& options);

/// The run in a few lines.
Table facts(const Dynamics& dynamics, const Summary& summary, const IntegrateOptions& options);

/// The constraints at the start: of a mechanism all joints, not only those that close loops.
struct Certificate {
  std::unique_ptr<MechanismSystem> all_joints;  ///< null: the rows of the system itself
  std::optional<Redundancy> found;
  std::string why_not;  ///< the report says so, and the run goes on

  const Redundancy* get() const { return found ? &*found : nullptr; }
  const Shape* certified() const { return all_joints ? &all_joints->shape() : nullptr; }
};
Certificate certify(const Model& model, Dynamics& dynamics, const State& start);

}  // namespace maggi::app
