#include "analysis/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/extended_solution.hpp"
#include "analysis/hidden_constraints.hpp"
#include "base/largest.hpp"
#include "integration/settings.hpp"
#include "io/toml/model_file.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/formulations.hpp"
#include "start/initial_conditions.hpp"
#include "support/available.hpp"
#include "support/hidden.hpp"
#include "support/random_equations.hpp"
#include "support/source_tree.hpp"
#include "system/formulas/equation_system.hpp"
#include "system/make_system.hpp"

namespace maggi {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Model read(const std::string& name) { return read_model(test::source_path("models/" + name + ".toml")); }

/// Options with the integration of the motion.
struct Options : CompareOptions {
  IntegrateOptions integrate{};
};

Options briefly(const Model& model) {
  Options options;
  options.timing = 1e-4;
  options.rtols = {1e-5, 1e-7};
  options.integrate = settings(model, Numbers(model)).integrate;
  return options;
}

Comparison compare(const System& system, const Options& options) {
  Dynamics dynamics(system);
  return compare(system, find_initial_conditions(dynamics, system.start()), options, options.integrate);
}
Comparison compare(const System& system, const CompareOptions& options) { return compare(system, Options{options}); }

std::size_t all_methods() {
  std::size_t count = 0;
  for (const std::string& formulation : formulation_names())
    count += needs_basis(formulation) ? basis_names().size() : 1;
  return count;
}

/// All numbers of a row that has solved and come to the end.
void expect_right(const ComparisonRow& row) {
  EXPECT_THAT(row.failure, IsEmpty());
  EXPECT_THAT(row.disagreement, IsEmpty());
  EXPECT_LE(*row.vdot_error, row.tolerance);
  EXPECT_LE(*row.lambda_error, row.tolerance);
  EXPECT_LT(row.tolerance, 1e-9);  // conditions of these models are below 1e3
  EXPECT_GT(*row.seconds, 0.0);
  EXPECT_EQ(row.basis.empty(), !row.complement_error);
  EXPECT_LT(row.complement_error.value_or(0.0), 1e-14);
  EXPECT_GE(row.condition.value_or(1.0), 1.0 - 1e-14);
  ASSERT_TRUE(row.motion);
  EXPECT_GT(row.motion->steps, 0);
  EXPECT_GT(row.motion->evaluations, row.motion->steps);
  EXPECT_LT(*row.motion->end_error, 1e-5);  // what rtol 1e-8 leaves after some seconds
  EXPECT_LT(row.motion->drift, 1e-12);      // projected
  EXPECT_LT(row.motion->velocity_drift, 1e-12);
  ASSERT_EQ(row.points.size(), 2);
  for (const WorkPoint& point : row.points) {
    EXPECT_THAT(point.failure, IsEmpty());
    EXPECT_GT(point.evaluations, point.steps);
    EXPECT_GT(point.seconds, 0.0);
  }
  EXPECT_GT(row.points[1].steps, row.points[0].steps);
}

/// The basis `local` on a model without [local], with the reason.
bool refused_for_want_of_points(const System& system, const ComparisonRow& row) {
  if (row.basis != "local" || system.shape().nx() > 0) return false;
  EXPECT_THAT(row.failure, HasSubstr("the model has no local coordinates"));
  return true;
}

class ComparisonOfModel : public ::testing::TestWithParam<const char*> {};

TEST_P(ComparisonOfModel, AllMethodsAgree) {
  const Model model = read(GetParam());
  const EquationSystem system(model);
  const Comparison found = compare(system, briefly(model));
  EXPECT_EQ(found.rows.size(), all_methods());
  EXPECT_THAT(found.reference_failure, IsEmpty());
  EXPECT_FALSE(found.interrupted);
  EXPECT_EQ(found.states, 11);
  for (const ComparisonRow& row : found.rows) {
    SCOPED_TRACE(row.formulation + " " + row.basis);
    if (refused_for_want_of_points(system, row)) continue;
    expect_right(row);
    EXPECT_GT(*row.vdot_error + *row.lambda_error, 0.0);  // at the start alone some would be exact
    EXPECT_EQ(row.drift_control, "projection");
    const bool conserved = system.shape().has_energy && system.shape().energy_changes.empty();
    EXPECT_EQ(row.motion->energy_drift.has_value(), conserved);
  }
}

// a loop; redundant rows; time in the constraints; velocity level
INSTANTIATE_TEST_SUITE_P(Models, ComparisonOfModel,
                         ::testing::Values("four_bar_cut_ground", "parallel_rods", "car_axis", "chaplygin_sleigh"));

TEST(Comparison, DriftIsSeenWithoutProjection) {
  const Model model = read("four_bar_cut_ground");
  Options options = briefly(model);
  options.formulations = {"augmented"};
  options.integrate.drift = "none";
  options.integrate.rtol = 1e-5;
  const Comparison found = compare(EquationSystem(model), options);
  ASSERT_EQ(found.rows.size(), 1);
  EXPECT_GT(found.rows[0].motion->drift, 1e-8);
}

TEST(Comparison, EveryKindOfDriftControlHasItsRow) {
  const Model model = read("four_bar_slider");
  Options options = briefly(model);
  options.formulations = {"augmented", "range-space"};
  options.drifts = {"none", "projection"};
  options.rtols = {};
  const auto kinds = [&] {
    std::vector<std::string> result;
    const Comparison found = compare(EquationSystem(model), options);
    for (const ComparisonRow& row : found.rows)
      result.push_back(row.formulation + "/" + row.drift_control + (row.motion ? "" : ": " + row.failure));
    return result;
  };
  EXPECT_THAT(kinds(), ::testing::ElementsAre("augmented/none", "augmented/projection", "range-space/none",
                                              "range-space/projection"));
  if (!test::is_available("cvode-adams"))
    GTEST_SKIP() << "this build has no cvode-adams, which does not fit projection";
  // what does not fit has its reason; alone it is a mistake
  options.integrate.integrator = "cvode-adams";
  const std::string misfit = "/projection: drift = projection does not work with integrator = cvode-adams";
  EXPECT_THAT(kinds(), ::testing::ElementsAre("augmented/none", "augmented" + misfit, "range-space/none",
                                              "range-space" + misfit));
  options.drifts = {"projection"};
  EXPECT_THROW(kinds(), Error);
  EXPECT_THROW(options.drifts = {"projektion"}, Error);
}

TEST(Comparison, WorkIsStatedAtTheAccuracyWanted) {
  const Model model = read("four_bar_slider");
  Options options = briefly(model);
  options.formulations = {"augmented"};
  options.rtols = {1e-4, 1e-6, 1e-8, 1e-10};
  const auto work = [&](double accuracy) {
    options.accuracy = accuracy;
    const Comparison found = compare(EquationSystem(model), options);
    EXPECT_EQ(found.accuracy, accuracy);
    return found.rows[0].work;
  };
  const auto rough = work(1e-4), fine = work(1e-7);
  ASSERT_TRUE(rough && fine);
  EXPECT_GT(rough->seconds, 0.0);
  EXPECT_GT(fine->evaluations, 2 * rough->evaluations);  // DOPRI5 is of order 5: 1000^(1/5) = 4 times
  EXPECT_LT(fine->evaluations, 8 * rough->evaluations);
  EXPECT_FALSE(work(1e-15));  // no run at 1e-10 comes so close
  options.rtols = {0.0};
  EXPECT_THROW(work(1e-6), Error);
  options.rtols = {};
  EXPECT_FALSE(work(1e-6));
  EXPECT_THROW(work(-1), Error);
}

TEST(Comparison, AnInterruptInAnyPhaseLeavesWhatExists) {
  const Model model = read("four_bar_slider");
  const EquationSystem system(model);
  Options options = briefly(model);
  std::atomic<bool> interrupt = false;
  options.integrate.interrupt = &interrupt;
  std::vector<std::string> phases;
  options.progress = [&](std::string_view phase, double part) {
    EXPECT_GE(part, 0.0);
    EXPECT_LE(part, 1.0);
    if (phases.empty() || phases.back() != phase) phases.emplace_back(phase);
  };
  compare(system, options);
  EXPECT_THAT(phases, ::testing::ElementsAre("start", "reference", "states", "timing", "motions", "repetitions"));
  for (const std::string& last : phases) {
    interrupt = false;
    options.progress = [&](std::string_view phase, double) {
      if (phase == last) interrupt = true;
    };
    const Comparison found = compare(system, options);
    EXPECT_TRUE(found.interrupted) << last;
    EXPECT_THAT(found.reference_failure, IsEmpty()) << last;
    EXPECT_EQ(found.rows.size(), last == "start" ? 1 : all_methods()) << last;
    for (const ComparisonRow& row : found.rows) {
      if (refused_for_want_of_points(system, row)) continue;
      EXPECT_TRUE(row.vdot_error) << last;
      EXPECT_THAT(row.failure + row.disagreement, IsEmpty()) << last;
      EXPECT_EQ(row.motion.has_value(), last == "repetitions") << last;
    }
  }
}

TEST(Comparison, OnlyWhatIsAskedFor) {
  const EquationSystem system(read("moving_pendulum"));
  const auto names = [&](std::vector<std::string> formulations, std::vector<std::string> bases) {
    std::vector<std::string> result;
    for (const ComparisonRow& row :
         compare(system, {.formulations = formulations, .bases = bases, .timing = 0, .run = false}).rows) {
      EXPECT_FALSE(row.seconds);
      EXPECT_FALSE(row.motion);
      result.push_back(row.formulation + "/" + row.basis);
    }
    return result;
  };
  EXPECT_THAT(names({"augmented", "maggi"}, {"svd", "qr"}),
              ::testing::ElementsAre("augmented/", "maggi/qr", "maggi/svd"));
  for (const std::string& name : names({}, {"qr"})) EXPECT_THAT(name, ::testing::EndsWith("/qr"));
  EXPECT_THAT(names({"range-space"}, {}), ::testing::ElementsAre("range-space/"));
  EXPECT_THROW(names({"augmented"}, {"qr"}), Error);
  EXPECT_THROW(names({"augmentet"}, {}), Error);
  EXPECT_THROW(names({}, {"qrr"}), Error);
}

/// x has no inertia of its own; the rod makes it move.
TEST(Comparison, WhoRefusesSaysWhy) {
  Model model;
  model.coordinates = {{.name = "x", .guess = -0.8}, {.name = "y", .start = 0.6, .speed = 0.0}};
  model.kinetic = "y'^2";
  model.potential = "9.81*y";
  model.constraints = {{.name = "rod", .formula = "x^2 + y^2 = 1"}};
  int refused = 0;
  for (const ComparisonRow& row : compare(EquationSystem(model), {.timing = 0, .run = false}).rows) {
    EXPECT_THAT(row.disagreement, IsEmpty());
    EXPECT_EQ(row.failure.empty(), row.vdot_error.has_value()) << row.formulation << " " << row.basis;
    EXPECT_THAT(row.failure, Not(HasSubstr("refuses"))) << "the reason alone";
    refused += !row.failure.empty();
    if (row.formulation == "range-space") {
      EXPECT_THAT(row.failure, HasSubstr("mass matrix is not positive definite"));
    }
    if (row.formulation == "maggi" && row.basis == "qr") { EXPECT_THAT(row.failure, IsEmpty()); }
  }
  EXPECT_GT(refused, 0);
}

/// Rows of the formulations that know laws and controls, all others refused for that reason.
std::vector<ComparisonRow> expect_nonideal_only(const Comparison& found) {
  EXPECT_THAT(found.reference_failure, IsEmpty());
  std::vector<ComparisonRow> rows;
  const auto able = nonideal_formulation_names();
  for (const ComparisonRow& row : found.rows) {
    SCOPED_TRACE(row.formulation + " " + row.basis);
    if (std::ranges::find(able, row.formulation) == able.end()) {
      EXPECT_THAT(row.failure, HasSubstr("is for ideal constraints, but the model has the"));
      continue;
    }
    if (row.basis == "local") continue;  // without [local]
    EXPECT_THAT(row.failure + row.disagreement, IsEmpty());
    EXPECT_LE(*row.vdot_error, row.tolerance);
    EXPECT_LE(*row.lambda_error, row.tolerance);
    rows.push_back(row);
  }
  return rows;
}

TEST(Comparison, EveryStateHasItsOwnContactMode) {
  const Model model = read("stick_slip_block");  // sticks at the start, slides at some of the states on the way
  Options options = briefly(model);
  for (const bool run : {true, false}) {
    options.run = run;
    const Comparison found = compare(EquationSystem(model), options);
    EXPECT_EQ(found.states, run ? 11 : 4);
    for (const ComparisonRow& row : expect_nonideal_only(found)) {
      EXPECT_LT(row.tolerance, 1e-11);  // condition 1
      if (run) { EXPECT_LT(*row.motion->end_error, 1e-5); }
    }
  }
}

/// Nothing but friction acts along the contact, so that v̇ is the same with friction and without it until the normal
/// force is known: the first solution of every method must be the solution.
struct Sliding {
  const char* name;
  std::string model;
  double deceleration;  // of the first velocity, by hand
};

std::vector<Sliding> sliding_models() {
  const std::string particle =
      "[energy]\nkinetic = \"x'^2 + y'^2 + z'^2\"\npotential = \"2*9.81*z\"\n[constraint]\nfloor = { position = \"z\" "
      "}\n";
  const std::string coordinates = "[coordinates]\nx = { start = 0, speed = 1 }\ny = { start = 0, speed = 0 }\nz = {}\n";
  const std::string plane =
      "dimension = 2\ngravity = [0, -9.81]\n[body.a]\nmass = 2\ninertia = 0.1\nposition = [0, 0]\n";
  const std::string space =
      "gravity = [0, 0, -9.81]\n[body.a]\nmass = 2\ninertia = [0.1, 0.1, 0.1]\nposition = [0, 0, 0]\n";
  const double mu_g = 0.3 * 9.81, pin = 0.3 * 2 * 9.81 * 0.05 / 0.1;  // μ N / m; μ N r / J
  return {
      {"line", coordinates + particle + "[friction]\nsole = { on = \"floor\", coefficient = 0.3, along = \"x'\" }\n",
       mu_g},
      {"plane",
       coordinates + particle + "[friction]\nsole = { on = \"floor\", coefficient = 0.3, along = [\"x'\", \"y'\"] }\n",
       mu_g},
      {"point",
       coordinates + particle +
           "[local]\nfoot = { x = \"x\", y = \"y\", z = \"z\" }\n[friction]\nsole = { on = \"floor\", coefficient = "
           "0.3, along = "
           "\"x'\" }\n",
       mu_g},
      {"law",
       coordinates + particle + "[law]\nsole = { along = { x = 1 }, law = \"force.sole = -0.3*abs(lambda.floor)\" }\n",
       mu_g},
      {"prismatic",
       plane + "[joint]\nguide = { prismatic = [\"ground\", \"a\"], at = [0, 0], axis = [1, 0], speed = 1, friction = "
               "{ coefficient = 0.3 } }\n",
       mu_g},
      {"revolute",
       plane + "[joint]\npin = { revolute = [\"ground\", \"a\"], at = [0, 0], speed = 1, friction = { coefficient = "
               "0.3, radius = 0.05 } }\n",
       pin},
      {"slide",
       space + "[joint]\nguide = { prismatic = [\"ground\", \"a\"], at = [0, 0, 0], axis = [1, 0, 0], speed = 1, "
               "friction = { coefficient = 0.3 } }\n",
       mu_g},
      {"axle",
       space + "[joint]\npin = { revolute = [\"ground\", \"a\"], at = [0, 0, 0], axis = [0, 1, 0], speed = 1, friction "
               "= { coefficient = 0.3, radius = 0.05 } }\n",
       pin},
      {"table",
       space + "[joint]\ntop = { planar = [\"ground\", \"a\"], at = [0, 0, 0], axis = [0, 0, 1], speed = { x = 1 }, "
               "friction = { coefficient = 0.3 } }\n",
       mu_g},
      {"ball",
       space + "[joint]\nhead = { spherical = [\"ground\", \"a\"], at = [0, 0, 0], speed = { wx = 1 }, friction = { "
               "coefficient = 0.3, radius = 0.05 } }\n",
       pin},
  };
}

TEST(Comparison, AgreesWhereNoForceActsAlongTheContact) {
  for (const Sliding& each : sliding_models()) {
    SCOPED_TRACE(each.name);
    const std::unique_ptr<System> system = make_system(parse_model(each.model, "sliding.toml"));
    for (const ComparisonRow& row : expect_nonideal_only(compare(*system, {.timing = 0, .run = false})))
      EXPECT_LT(row.tolerance, 1e-9) << row.formulation << " " << row.basis;
    for (const std::string& formulation : nonideal_formulation_names()) {
      Dynamics dynamics(*system, formulation);
      const InitialConditions start = find_initial_conditions(dynamics, system->start());
      Dynamics fresh(*system, formulation);
      fresh.set_mode(start.mode);
      fresh.decide_rows(start.state);
      Acceleration a;
      ASSERT_TRUE(fresh.solve(start.state, a)) << fresh.explain(start.state);
      Eigen::Index moving;
      largest(start.state.v, &moving);
      EXPECT_NEAR(a.vdot[moving], -each.deceleration, 1e-12 * each.deceleration) << formulation;  // rounding
    }
  }
}

TEST(Comparison, ControlsTakePart) {
  for (const char* name : {"two_masses_servo", "overhead_crane"}) {  // their hidden constraints are among the rows
    const Model model = read(name);
    const EquationSystem system(test::with_hidden_constraints(model, test::find_hidden_constraints(model)));
    Options options = briefly(model);
    const Comparison found = compare(system, options);
    EXPECT_EQ(found.states, 11) << name;
    for (const ComparisonRow& row : expect_nonideal_only(found)) EXPECT_LT(*row.motion->end_error, 1e-5) << name;
  }
}

TEST(Comparison, WithoutForcesErrorsAreRelativeToTheSpeed) {
  Model model = read("door");  // without its closer it turns on: v̇ is 0, but for the rounding of D and its rate
  model.mechanism.joint_forces.clear();
  for (const ComparisonRow& row : compare(*make_system(model), {.timing = 0, .run = false}).rows) {
    if (row.basis == "local") continue;
    EXPECT_LE(*row.vdot_error, row.tolerance) << row.formulation << " " << row.basis;
    EXPECT_THAT(row.disagreement, IsEmpty()) << row.formulation << " " << row.basis;
  }
}

/// Equations of motion that are just numbers, as a model.
Model model_of(const Equations& e) {
  const auto digits = [](double value) { return "(" + std::to_string(value * 1e9) + "*1e-9)"; };
  Model model;
  model.kinetic = "0";
  model.potential = "0";
  std::string kinetic, potential;
  for (int i = 0; i < e.n(); ++i) {
    const std::string x = "x" + std::to_string(i);
    model.coordinates.push_back({.name = x, .start = 0.0, .speed = 0.0});
    potential += " - " + digits(e.h[i]) + "*" + x;
    for (int j = 0; j < e.n(); ++j)
      kinetic += " + 0.5*" + digits(e.M(i, j)) + "*" + x + "'*x" + std::to_string(j) + "'";
  }
  model.kinetic = Formula(kinetic.substr(3));
  model.potential = Formula("0" + potential);
  for (int i = 0; i < e.m(); ++i) {
    std::string row = "0";
    for (int j = 0; j < e.n(); ++j) row += " + " + digits(e.C(i, j)) + "*x" + std::to_string(j) + "'";
    model.constraints.push_back(
        {.name = "c" + std::to_string(i), .level = Level::velocity, .formula = Formula(row + " = 0")});
  }
  return model;
}

/// The tolerance covers what rounding does, up to conditions of 1e4 in M and 1e3 in C: nothing is called wrong that is
/// right.
TEST(Comparison, IllConditionedIsNotWrong) {
  std::mt19937 random(7);
  for (const double condition_M : {1.0, 1e4})
    for (const double condition_C : {1.0, 1e3})
      for (int sample = 0; sample < 4; ++sample) {
        const test::Kind kind{.n = 6, .rank = 3, .condition_M = condition_M, .condition_C = condition_C};
        const EquationSystem system(model_of(test::random_equations(kind, random)));
        for (const ComparisonRow& row : compare(system, {.timing = 0, .run = false}).rows)
          EXPECT_THAT(row.disagreement, IsEmpty())
              << row.formulation << " " << row.basis << ", " << condition_M << ", " << condition_C;
      }
}

/// A system that gives other forces on every call, always or at one time only.
class Restless final : public System {
 public:
  explicit Restless(const Model& model, std::optional<double> when = {}) : inner_(model), when_(when) {}
  void acceleration(const Instant& at, Workspace& w) const override {
    inner_.acceleration(at, w);
    if (when_ && std::abs(at.t - *when_) > 1e-12) return;
    w.terms.h *= 1.0 + 1e-6 * static_cast<double>(++calls_);
  }
  const Shape& shape() const override { return inner_.shape(); }
  const Start& start() const override { return inner_.start(); }
  std::unique_ptr<Workspace> workspace() const override { return inner_.workspace(); }
  void position(const Instant& at, Workspace& w) const override { inner_.position(at, w); }
  void velocity(const Instant& at, Workspace& w) const override { inner_.velocity(at, w); }
  void nonlinear_rows(const Instant&, const double*, const double*, Workspace&) const override {}
  void laws(const Instant&, const double*, const double*, const double*, Workspace&) const override {}
  void rates(const Instant& at, const double* vdot, Workspace& w) const override { inner_.rates(at, vdot, w); }
  Energy energy(const Instant& at, Workspace& w) const override { return inner_.energy(at, w); }
  void outputs(const Instant&, const Acceleration&, Workspace&, std::span<double>) const override {}
  void coordinate_rates(const double* q, const double* v, double* qdot) const override {
    inner_.coordinate_rates(q, v, qdot);
  }
  void move(double* q, const double* delta) const override { inner_.move(q, delta); }
  void move_rates(const double* delta, const double* rate, double* v) const override {
    inner_.move_rates(delta, rate, v);
  }
  void velocity_derivatives(const Instant& at, Workspace& w, Derivatives& d) const override {
    inner_.velocity_derivatives(at, w, d);
  }
  void acceleration_derivatives(const Instant& at, const Acceleration& held, const Vector& sense, Workspace& w,
                                Derivatives& d) const override {
    inner_.acceleration_derivatives(at, held, sense, w, d);
  }
  void parameter_derivatives(const Instant& at, const Acceleration& held, const Vector& sense,
                             const std::vector<int>& which, Workspace& w, Derivatives& d) const override {
    inner_.parameter_derivatives(at, held, sense, which, w, d);
  }

 private:
  EquationSystem inner_;
  std::optional<double> when_;
  mutable long calls_ = 0;
};

TEST(Comparison, WhatIsWrongIsNamed) {
  const Restless system(read("four_bar_cut_ground"));
  for (const ComparisonRow& row : compare(system, {.timing = 0, .run = false}).rows) {
    EXPECT_THAT(row.disagreement, HasSubstr("v̇ is wrong by")) << row.formulation << " " << row.basis;
    EXPECT_THAT(row.disagreement, HasSubstr("λ is wrong by"));
  }
}

TEST(Comparison, WhatIsWrongOnTheWayIsNamed) {
  const Restless system(read("four_bar_cut_ground"), 0.5);
  Options options{{.formulations = {"augmented", "null-space"}, .timing = 0, .rtols = {}}};
  options.integrate = {.until = 1.0, .output = 0.1};  // a state is stored at that time, steps end elsewhere
  for (const ComparisonRow& row : compare(system, options).rows) {
    EXPECT_THAT(row.disagreement, HasSubstr("v̇ is wrong by"));
    EXPECT_THAT(row.disagreement, HasSubstr("at t = 0.5 s, rounding explains"));
    EXPECT_TRUE(row.motion) << row.failure;
  }
}

TEST(ExtendedSolution, SolvesTheEquationsWithTheLeastMultipliers) {
  std::mt19937 random(3);
  Equations e = test::random_equations({.n = 6, .rank = 3}, random);
  Matrix all(5, 6);
  all << e.C, 2 * e.C.row(0) - e.C.row(2), e.C.row(1);
  Vector vdot, lambda;
  solve_extended(e, all, vdot, lambda);
  // ε κ(M) κ(C) ≈ 2e-13, with room for the size of v̇ and λ
  EXPECT_LT((e.M * vdot - e.h - all.transpose() * lambda).norm(), 1e-11);
  EXPECT_LT((e.C * vdot - e.gamma).norm(), 1e-11);
  // least norm: nothing along the combinations that vanish
  Vector z(5);
  z << 2, 0, -1, -1, 0;
  EXPECT_NEAR(z.dot(lambda), 0.0, 1e-11);
  z << 0, 1, 0, 0, -1;
  EXPECT_NEAR(z.dot(lambda), 0.0, 1e-11);
}

TEST(ExtendedSolution, WithoutConstraintsOrFreedom) {
  std::mt19937 random(4);
  Vector vdot, lambda;
  const Equations free = test::random_equations({.n = 3, .rank = 0}, random);
  solve_extended(free, free.C, vdot, lambda);
  EXPECT_LT((free.M * vdot - free.h).norm(), 1e-12);
  EXPECT_EQ(lambda.size(), 0);
  const Equations held = test::random_equations({.n = 3, .rank = 3}, random);
  solve_extended(held, held.C, vdot, lambda);
  EXPECT_LT((held.C * vdot - held.gamma).norm(), 1e-12);
}

}  // namespace
}  // namespace maggi
