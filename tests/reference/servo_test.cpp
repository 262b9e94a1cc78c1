// Servo constraints against 40-digit arithmetic at one state, and the car on a circle against its motion.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/hidden_constraints.hpp"
#include "base/largest.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "start/initial_conditions.hpp"
#include "support/measured.hpp"
#include "support/hidden.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

constexpr double algebra = 1e-12;  // 16 digits given, four left for the condition of M, C and S

nlohmann::json values(const std::string& example) { return read_reference("check_values.json").at(example); }

/// A model with what it hides, at its consistent start.
struct Controlled {
  explicit Controlled(const Model& model, const char* formulation = "auto")
      : system(test::with_hidden_constraints(model, test::find_hidden_constraints(model))),
        dynamics(system, formulation),
        start(find_initial_conditions(dynamics, system.start())) {}

  EquationSystem system;
  Dynamics dynamics;
  InitialConditions start;
};

struct Recording final : Sink {
  void accept(const Sample& sample) override {
    states.push_back(sample.state);
    accelerations.push_back(sample.acceleration);
    residual = larger(larger(residual, sample.residuals.position), sample.residuals.velocity);
  }
  std::vector<State> states;
  std::vector<Acceleration> accelerations;
  double residual = 0.0;
};

Recording integrated(Controlled& controlled, IntegrateOptions options) {
  Recording recording;
  const IntegrationResult run = integrate(controlled.dynamics, controlled.start.state, recording, options);
  EXPECT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  return recording;
}

Model car(const nlohmann::json& v) {
  Model model = read_example("vehicle");
  for (const char* name : {"m0", "I0", "I", "a", "b", "R", "F0", "k1", "k2"})
    set_parameter(model, name, number(v["parameters"][name]));
  model.coordinates[0].start = number(v["q"][0]);
  model.coordinates[0].speed = number(v["parameters"]["xdot"]);
  model.coordinates[1].guess = 2.0;
  model.coordinates[2].start = number(v["parameters"]["phi"]);
  return model;
}

TEST(ServoReference, CarAtItsStartByEveryFormulation) {
  const auto v = values("vehicle");
  for (const char* formulation : {"auto", "augmented", "range-space", "compatibility"}) {
    SCOPED_TRACE(formulation);
    Controlled found(car(v), formulation);
    EXPECT_LT(relative_error(found.start.state.q, vector(v["q"])), algebra);
    EXPECT_LT(relative_error(found.start.state.v, vector(v["v"])), algebra);
    EXPECT_LT(relative_error(found.start.acceleration.vdot, vector(v["vdot"])), algebra);
    EXPECT_EQ(found.start.free_positions, 2);
    EXPECT_EQ(found.start.free_velocities, 1);
    const Shape& shape = found.system.shape();
    Vector lambda(2);
    for (int i = 0; i < shape.m(); ++i) {
      if (shape.rows[i].name == "rear") lambda[0] = found.start.acceleration.lambda[i];
      if (shape.rows[i].name == "front") lambda[1] = found.start.acceleration.lambda[i];
      if (shape.rows[i].kind == RowKind::servo) { EXPECT_EQ(found.start.acceleration.lambda[i], 0.0); }
    }
    EXPECT_LT(relative_error(lambda, vector(v["lambda1"])), algebra);
    EXPECT_NEAR(found.start.acceleration.p[0], number(v["M_d"]), algebra);
  }
}

TEST(ServoReference, CarTwoSecondsLater) {
  const auto v = values("vehicle");
  Controlled found(car(v));
  const Recording motion = integrated(found, {.until = 2.0, .output = 2.0, .rtol = 1e-12, .atol = 1e-13});
  const State& end = motion.states.back();
  const auto& r = v["reference"];
  const Vector q{{number(r["x"]), number(r["y"]), number(r["phi"]), number(r["theta"])}};
  EXPECT_LT(relative_error(end.q, q), 1e-9);  // 12 digits given, integrated at rtol 1e-12
  EXPECT_NEAR(end.v.head(2).norm(), number(r["V"]), 1e-9 * number(r["V"]));
}

/// ≤ 1e-9 in q and v, ≤ 1e-7 in v̇ and the control, relative to the largest magnitude of the column.
TEST(ServoReference, CarAtEverySample) {
  const auto reference = read_reference("vehicle.json");
  Model model = read_example("vehicle");
  const double initial_speed = number(reference["parameters"]["v0"]);
  for (const auto& [name, value] : reference["parameters"].items()) set_parameter(model, name, number(value));
  for (const char* unknowns : {"velocities", "tangent", "independent"}) {
    SCOPED_TRACE(unknowns);
    Controlled found(model);
    EXPECT_NEAR(found.start.state.v[0], initial_speed, 0.0);
    const auto& rows = reference["rows"];
    const Recording motion = integrated(found, {.until = number(rows.back()[0]),
                                                .output = number(rows[1][0]),
                                                .rtol = 1e-12,
                                                .atol = 1e-13,
                                                .unknowns = unknowns});
    Matrix ours(rows.size(), 13), theirs(rows.size(), 13);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const long k = std::lround(number(rows[i][0]) / number(rows[1][0]));  // of the grid; later rows leave out some
      ASSERT_NEAR(motion.states.at(k).t, number(rows[i][0]), 1e-12);
      ours.row(i) << motion.states[k].q.transpose(), motion.states[k].v.transpose(),
          motion.accelerations[k].vdot.transpose(), motion.accelerations[k].p[0];
      for (int j = 0; j < 13; ++j) theirs(i, j) = number(rows[i][j + 1]);
    }
    for (int j = 0; j < 13; ++j) {
      const double error = relative_error(Vector(ours.col(j)), Vector(theirs.col(j)));
      EXPECT_LT(error, j < 8 ? 1e-9 : 1e-7) << reference["columns"][j + 1];
      record(fmt::format("{}.{}", unknowns, reference["columns"][j + 1].get<std::string>()), error);
    }
  }
}

TEST(ServoReference, TwoMassesPrescribedThroughTheSpring) {
  const auto v = values("servo");
  Model model = read_example("two_masses_servo");
  model.simulation.from = number(v["parameters"]["t"]);
  Controlled found(model);
  EXPECT_NEAR(found.start.state.q[0], number(v["xA"]), algebra);
  EXPECT_NEAR(found.start.state.v[0], number(v["vA"]), algebra);
  EXPECT_NEAR(found.start.acceleration.vdot[0], number(v["aA"]), algebra);
  EXPECT_NEAR(found.start.acceleration.p[0], number(v["tau"]), algebra);
}

TEST(ServoReference, TwoMassesCollocated) {
  const auto v = values("servo");
  Model model = read_example("two_masses_servo");
  model.simulation.from = number(v["parameters"]["t"]);
  model.constraints[0].formula = "xA = sin(t)";
  model.coordinates[1].guess.reset();
  model.coordinates[1].start = number(v["parameters"]["xB_collocated"]);
  Controlled found(model);
  EXPECT_NEAR(found.start.acceleration.p[0], number(v["tau_c"]), algebra);
}

TEST(ServoReference, TwoMassesAreKeptForTenSeconds) {
  Controlled found(read_example("two_masses_servo"));
  const Recording motion = integrated(found, {.until = 10.0, .output = 0.1});
  for (std::size_t k = 0; k < motion.states.size(); ++k) {
    const double t = motion.states[k].t;
    // nothing is left to integrate, all follows from the path: rounding, and 1e-14 of the projection times k/m
    EXPECT_NEAR(motion.states[k].q[0], 0.9 * std::sin(t), 1e-12);
    EXPECT_NEAR(motion.accelerations[k].p[0], -2.8 * std::sin(t), 1e-11);
  }
}

}  // namespace
}  // namespace maggi::test
