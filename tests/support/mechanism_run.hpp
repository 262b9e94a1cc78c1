#pragma once
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "results/trajectory.hpp"
#include "start/initial_conditions.hpp"
#include "system/make_system.hpp"

namespace maggi::test {

/// A model and its motion, every channel by name.
struct MechanismRun {
  MechanismRun(const Model& model, double until, double output, double rtol = 1e-13, double atol = 1e-14,
               const std::string& integrator = "dopri5")
      : MechanismRun(model, {.until = until, .output = output, .rtol = rtol, .atol = atol, .integrator = integrator}) {}

  MechanismRun(const Model& model, const IntegrateOptions& options)
      : system(make_system(model)), dynamics(*system), start(find_initial_conditions(dynamics, system->start())) {
    trajectory.emplace(*system, find_unique_forces(dynamics, start.state));
    run = integrate(dynamics, start.state, *trajectory, options);
    EXPECT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  }

  std::size_t size() const { return trajectory->size(); }
  bool has(const std::string& channel) const { return trajectory->find(channel).has_value(); }
  std::vector<double> operator[](const std::string& channel) const {
    const std::optional<int> index = trajectory->find(channel);
    if (!index) {
      ADD_FAILURE() << "no channel " << channel;
      return std::vector<double>(size(), 0.0);
    }
    return trajectory->values(*index);
  }

  std::unique_ptr<System> system;
  Dynamics dynamics;
  InitialConditions start;
  std::optional<Trajectory> trajectory;
  IntegrationResult run;
};

}  // namespace maggi::test
