#include "analysis/hidden_constraints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "dynamics/dynamics.hpp"
#include "start/initial_conditions.hpp"
#include "support/hidden.hpp"
#include "support/reference.hpp"
#include "system/formulas/derive.hpp"
#include "system/formulas/equation_system.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::test {
namespace {

using testing::UnorderedElementsAre;

/// A car on a rear axle and a steered front axle, whose mass centre follows a circle. [Dinh2002, sec. 3.2]
Model car() {
  Model model;
  model.parameters = {{"a", 1.2}, {"b", 1.4}, {"R", 30.0}};
  model.coordinates = {{.name = "x", .start = 11.68255026925951, .speed = 8.0},
                       {.name = "y", .guess = 2.3},
                       {.name = "phi", .start = 0.36},
                       {.name = "theta", .guess = 0.05}};
  model.kinetic = "600*(x'^2 + y'^2) + 900*phi'^2 + 5/2*(phi' + theta')^2";
  model.constraints = {{.name = "circle", .formula = "x^2 + (y - R)^2 = R^2"},
                       {.name = "rear", .level = Level::velocity, .formula = "-x'*sin(phi) + y'*cos(phi) - b*phi'"},
                       {.name = "front",
                        .level = Level::velocity,
                        .formula = "-x'*sin(phi + theta) + y'*cos(phi + theta) + a*cos(theta)*phi'"}};
  return model;
}

struct Result {
  std::vector<HiddenConstraint> hidden;
  InitialConditions start;  // with the hidden constraints added
};

Result find(const Model& model) {
  const HiddenConstraints hidden = test::find_hidden_constraints(model);
  EXPECT_EQ(hidden.unfinished, "");
  Result result{hidden.found, {}};
  const EquationSystem system(test::with_hidden_constraints(model, hidden));
  Dynamics dynamics(system);
  result.start = find_initial_conditions(dynamics, system.start());
  return result;
}

TEST(HiddenConstraints, ACarOnACircle) {
  const auto [hidden, start] = find(car());
  ASSERT_EQ(hidden.size(), 1u);
  EXPECT_EQ(hidden[0].constraint.level, Level::position);
  EXPECT_THAT(hidden[0].from, UnorderedElementsAre("circle", "rear", "front"));
  EXPECT_EQ(hidden[0].speeds, 2);            // along the circle, and the steering
  EXPECT_EQ(hidden[0].speeds_elsewhere, 1);  // at rest the car can still steer
  // the consistent start derived by hand, with 16 digits; position and speed follow from each other, 1e-12 is rounding
  EXPECT_LT((start.state.q - Vector{{11.68255026925951, 2.368170179913448, 0.36, 0.07418894639153371}}).norm(), 1e-12);
  EXPECT_LT((start.state.v - Vector{{8.0, 3.382345749905294, 0.2480948412258625, 0.07663450878692102}}).norm(), 1e-11);
}

TEST(HiddenConstraints, TheFormulaIsTheTangentCondition) {
  // 2 g(q), g = L cos θ [x cos φ + (y − R) sin φ] + b sin θ [(y − R) cos φ − x sin φ], up to a sign
  Model model = car();
  const auto [hidden, start] = find(model);
  ASSERT_EQ(hidden.size(), 1u);
  model.outputs = {{"ours", hidden[0].constraint.formula},
                   {"known",
                    "(a + b)*cos(theta)*(x*cos(phi) + (y - R)*sin(phi))"
                    " + b*sin(theta)*((y - R)*cos(phi) - x*sin(phi))"}};
  const EquationSystem system(model);
  const auto w = system.workspace();
  const Vector v = Vector::Zero(4);
  const Acceleration a{v, Vector::Zero(3), v};
  for (int k = 1; k <= 5; ++k) {
    const Vector q{{0.7 * k, 3.0 - k, 0.3 * k, 0.2 - 0.1 * k}};
    double values[2];
    system.outputs({0.0, q.data(), v.data()}, a, *w, values);
    EXPECT_NEAR(std::abs(values[0]), 2.0 * std::abs(values[1]), 1e-11);  // terms of order 100
  }
}

TEST(HiddenConstraints, NothingIsHiddenAtRestOrInAnOrdinaryModel) {
  Model model = car();
  model.coordinates[0].speed = 0.0;
  EXPECT_TRUE(find(model).hidden.empty());
  model = car();
  model.constraints.erase(model.constraints.begin());
  EXPECT_TRUE(find(model).hidden.empty());
}

TEST(HiddenConstraints, APoseThatIsPassedThroughHidesNothing) {
  // a flat parallelogram: the bars may part there, and do with the speeds given
  Model model;
  model.coordinates = {{.name = "a", .start = 0.0, .speed = 1.0},
                       {.name = "b", .start = 0.0, .speed = 0.5},
                       {.name = "c", .guess = 0.0, .speed_guess = 0.0}};
  model.kinetic = "a'^2 + b'^2 + c'^2";
  model.constraints = {{.name = "along", .formula = "cos(a) + 2*cos(b) - cos(c) = 2"},
                       {.name = "across", .formula = "sin(a) + 2*sin(b) - sin(c)"}};
  const EquationSystem system(model);
  Dynamics dynamics(system);
  EXPECT_TRUE(find_consistent_state(dynamics, system.start()));
  EXPECT_TRUE(test::find_hidden_constraints(model).found.empty());
}

/// Are all terms of two systems the same at a state away from any special one, to the last bit?
void expect_same_terms(const System& a, const System& b) {
  ASSERT_EQ(a.shape().m(), b.shape().m());
  State at{0.3, Vector(a.shape().nq()), Vector(a.shape().n())};
  for (Eigen::Index i = 0; i < at.q.size(); ++i) at.q[i] = 0.1 + 0.2 * static_cast<double>(i);
  for (Eigen::Index i = 0; i < at.v.size(); ++i) at.v[i] = 0.7 - 0.3 * static_cast<double>(i);
  const std::unique_ptr<Workspace> of_a = a.workspace(), of_b = b.workspace();
  for (const auto& [system, w] : {std::pair(&a, of_a.get()), {&b, of_b.get()}}) {
    system->position(at, *w);
    system->velocity(at, *w);
    system->acceleration(at, *w);
  }
  for (Vector Terms::*part : {&Terms::M, &Terms::C, &Terms::f, &Terms::phi, &Terms::h, &Terms::gamma, &Terms::B})
    EXPECT_EQ(of_a->terms.*part, of_b->terms.*part);
  for (int i = 0; i < a.shape().m(); ++i) EXPECT_EQ(a.shape().rows[i].name, b.shape().rows[i].name);
}

TEST(HiddenConstraints, AConstraintAddedToWhatWasDerivedWithoutItGivesTheSameEquations) {
  const Model model = read_example("vehicle");
  const Model extended = test::with_hidden_constraints(model, test::find_hidden_constraints(model));
  ASSERT_GT(extended.constraints.size(), model.constraints.size());
  const Numbers numbers(model);
  const EquationSystem at_once(extended), added(extended, numbers, derive_unconstrained(model, numbers));
  EXPECT_EQ(at_once.shape().energy_changes, added.shape().energy_changes);
  expect_same_terms(at_once, added);
}

TEST(HiddenConstraints, AConstraintAddedToAMechanismKeepsItsConfiguration) {
  const Model model = read_example("slider_crank_driven");
  Model extended = model;
  Constraint more;
  more.name = "more";
  more.level = Level::velocity;
  more.formula = "cylinder.distance' = 0.1*t";
  extended.constraints.push_back(more);
  const std::unique_ptr<MechanismSystem> without = MechanismSystem::make(model);
  expect_same_terms(*MechanismSystem::make(extended), *without->with_constraints(extended.constraints));
}

}  // namespace
}  // namespace maggi::test
