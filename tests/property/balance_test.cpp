// Reported forces hold every body of every mechanism in models/ in balance: each side of a joint in its own point,
// along the axes of the world or of its own body; also with any other admissible distribution of forces that are not
// unique.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "model/numbers.hpp"
#include "results/multipliers.hpp"
#include "start/initial_conditions.hpp"
#include "support/balance.hpp"
#include "support/reference.hpp"
#include "system/make_system.hpp"

namespace maggi::test {
namespace {

/// All of them. What constrains a joint coordinate by a formula is part of the reaction of that joint; one that holds a
/// marker by a formula would have forces that are no joint's, and has to be thought of in support/balance.cpp.
std::vector<std::string> mechanisms() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("models"))) {
    if (entry.path().extension() != ".toml") continue;
    if (read_model(entry.path()).mechanism.given()) names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

struct Last : Sink {
  void accept(const Sample& sample) override { state = sample.state, acceleration = sample.acceleration; }
  State state;
  Acceleration acceleration;
};

class Mechanisms : public testing::TestWithParam<std::string> {};

void expect_balance_of(Model model, ReactionFrame frame) {
  model.mechanism.reaction_frame = frame;
  const auto system = make_system(model);
  Dynamics dynamics(*system);
  const InitialConditions start = find_initial_conditions(dynamics, system->start());
  // at the start many are at rest, as drawn: also a little later
  const double until = model.simulation.until ? Numbers(model)(*model.simulation.until, "until") : 1.0;
  Last last;
  const double moment = std::min(0.15, 0.4 * until);
  const maggi::IntegrationResult run = integrate(dynamics, start.state, last, {.until = moment, .output = moment});
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  std::mt19937 random(1);
  for (const bool later : {false, true}) {
    const State& state = later ? last.state : start.state;
    Acceleration acceleration = later ? last.acceleration : start.acceleration;
    expect_balance(model, *system, state, acceleration, 1e-9);
    const Matrix open = undetermined_multipliers(dynamics, state);
    for (int k = 0; k < open.cols(); ++k)
      acceleration.lambda += 10.0 * std::normal_distribution<double>()(random) * open.col(k);
    if (open.cols() > 0) expect_balance(model, *system, state, acceleration, 1e-9);
  }
}

TEST_P(Mechanisms, ForcesHoldEveryBodyInBalance) {
  for (const ReactionFrame frame : {ReactionFrame::world, ReactionFrame::body})
    expect_balance_of(with_probes(read_example(GetParam())), frame);
}

INSTANTIATE_TEST_SUITE_P(Models, Mechanisms, testing::ValuesIn(mechanisms()),
                         [](const testing::TestParamInfo<std::string>& each) { return each.param; });

}  // namespace
}  // namespace maggi::test
