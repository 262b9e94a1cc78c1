// The equations that are in force, against evaluations that do not use them: kinetic energies for M, difference
// quotients of constraints and sliding velocities for C and T, of D for Ḋ, the singular values of C for k.
#include "maggi/equations.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/parse.hpp"
#include "maggi/expert/system.hpp"
#include "maggi/files.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"
#include "support/formula_value.hpp"
#include "support/source_tree.hpp"

namespace maggi::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

// --------------------------------------------------------------------------------------------- a matrix of models

/// A model by its kind and its class of constraints, and what must be in force.
struct Case {
  std::string name;
  std::string model;
  std::vector<std::string> constraints, laws, controls, not_in_force;
  std::optional<double> at{};
};

void PrintTo(const Case& each, std::ostream* stream) { *stream << each.name; }  // NOLINT: the name gtest looks for

std::string with(const std::string& model, const std::string& more) { return model + "\n" + more; }

/// Two coordinates in the plane, gravity along −y; mass 2.
const std::string particle = R"toml(
[coordinates]
x = { start = 0.3, speed = 0.8 }
y = { guess = 0.1 }
[energy]
kinetic = "x'^2 + y'^2 + 0.1*x'*y'*x"
potential = "2*9.81*y"
[simulation]
until = 1
)toml";

/// A slide on an inclined guide that carries a pendulum.
std::string slide(const std::string& joints, bool in_space) {
  const auto point = [&](const char* plane, const char* space) { return std::string(in_space ? space : plane); };
  std::string text = in_space ? "gravity = [0, -9.81, 0]\n" : "dimension = 2\ngravity = [0, -9.81]\n";
  text += "[body.slide]\nmass = 2\ninertia = " + point("0.1", "[0.1, 0.2, 0.3]") +
          "\nposition = " + point("[0, 0]", "[0, 0, 0]") + "\n";
  text += "[body.rod]\nmass = 0.5\ninertia = " + point("0.02", "[0.01, 0.02, 0.02]") +
          "\nposition = " + point("[0.4, -0.3]", "[0.4, -0.3, 0]") + "\n";
  text += "[joint]\n" + joints;
  return text;
}

std::string slide_joint(bool in_space, const std::string& more = "") {
  return fmt::format(
      "guide = {{ prismatic = [\"ground\", \"slide\"], at = {0}, axis = {1}, start = 0.1, speed = 0.7{2} }}\n",
      in_space ? "[0, 0, 0]" : "[0, 0]", in_space ? "[1, 0, 0.2]" : "[1, 0.2]", more);
}

std::string pin_joint(bool in_space, const std::string& more = "") {
  return fmt::format("pin = {{ revolute = [\"slide\", \"rod\"], at = {}{}, guess = 0.2{} }}\n",
                     in_space ? "[0, 0, 0]" : "[0, 0]", in_space ? ", axis = [0, 0, 1]" : "", more);
}

std::vector<Case> of_formulas() {
  const std::string speed = "\n[parameters]\nc = 0.15\n";
  return {
      {"formulas_free", with(particle, speed), {}, {}, {}, {}},
      {"formulas_holonomic",
       with(particle, "[constraint]\ncurve = { position = \"y = 0.2*x^2 + 0.1*t\" }\n"),
       {"curve"},
       {},
       {},
       {}},
      {"formulas_redundant",
       with(particle, "[constraint]\ncurve = { position = \"y = 0.2*x^2\" }\nagain = { position = \"x^2 = 5*y\" }\n"),
       {"curve", "again"},
       {},
       {},
       {}},
      {"formulas_nonholonomic",
       with(particle, "[constraint]\nblade = { velocity = \"y' = x*x'\" }\n"),
       {"blade"},
       {},
       {},
       {}},
      {"formulas_acceleration",
       with(particle, "[constraint]\ntie = { acceleration = \"x'' = 0.3*y''*x + 0.1*t\" }\n"),
       {"tie"},
       {},
       {},
       {}},
      {"formulas_acceleration_nonlinear",
       with(particle, speed + "[constraint]\ntie = { acceleration = \"x'' = c*y''^3\" }\n"),
       {"tie"},
       {},
       {},
       {}},
      {"formulas_open",
       with(particle, "[constraint]\nfloor = { position = \"y + 2\", one_sided = true }\n"),
       {},
       {},
       {},
       {"floor"}},
      {"formulas_switched_off",
       with(particle,
            "[constraint]\ncurve = { position = \"y = 0.2*x^2\" }\nhook = { position = \"x = 4\", active = false }\n"
            "[event]\ncatch = { when = \"x - 4\", switch_on = [\"hook\"] }\n"),
       {"curve"},
       {},
       {},
       {"hook"}},
      {"formulas_slides",
       with(particle,
            "[constraint]\ncurve = { position = \"y = 0.1\" }\n[friction]\nsole = { on = \"curve\", coefficient = 0.3, "
            "along = "
            "\"x'\" }\n"),
       {"curve"},
       {"sole"},
       {},
       {"sole.stick"}},
      {"formulas_law",
       with(particle,
            "[constraint]\ncurve = { position = \"y = 0.2*x^2\" }\n[law]\ndrag = { along = { x = 1, y = \"x\" }, law = "
            "\"force.drag = -3*x' - 0.1*lambda.curve\" }\n"),
       {"curve"},
       {"drag"},
       {},
       {}},
  };
}

std::vector<Case> of_bodies(bool in_space) {
  const std::string kind = in_space ? "space_" : "plane_";
  const auto joints = [&](const std::string& guide, const std::string& pin = "") {
    return slide(slide_joint(in_space, guide) + pin_joint(in_space, pin), in_space);
  };
  const std::string plain = joints("");
  return {
      {kind + "tree", plain, {}, {}, {}, {}},
      {kind + "holonomic",
       with(plain, "[constraint]\ntie = { position = \"rod.centre.y = rod.centre.x^2 - 0.5 + 0.1*t\" }\n"),
       {"tie"},
       {},
       {},
       {}},
      {kind + "nonholonomic",
       with(plain, "[constraint]\ntie = { velocity = \"guide.distance' = pin.angle*pin.angle'\" }\n"),
       {"tie"},
       {},
       {},
       {}},
      {kind + "acceleration",
       with(plain, "[constraint]\ntie = { acceleration = \"guide.distance'' = sin(pin.angle)*pin.angle''\" }\n"),
       {"tie"},
       {},
       {},
       {}},
      {kind + "open", joints(", limits = [-1, 1]"), {}, {}, {}, {"guide.lower", "guide.upper"}},
      {kind + "switched_off",
       with(plain,
            "[constraint]\nhook = { position = \"pin.angle = 2\", active = false }\n[event]\ncatch = { when = "
            "\"pin.angle - 2\", switch_on = [\"hook\"] }\n"),
       {},
       {},
       {},
       {"hook"}},
      {kind + "law",
       with(plain, "[law]\ndrag = { along = { \"guide.distance\" = 1 }, law = \"force.drag = -3*guide.distance'\" }\n"),
       {},
       {"drag"},
       {},
       {}},
      {kind + "control",
       with(
           plain,
           "[constraint]\npath = { position = \"pin.angle = 0.2*cos(2*t)\", servo = true }\n[control]\nF = { along = { "
           "\"guide.distance\" = 1 } }\n"),
       {"path"},
       {},
       {"F"},
       {}},
      {kind + "driver",
       with(plain, "[driver]\nmotor = { joint = \"pin\", follows = \"0.2*cos(2*t)\" }\n"),
       {"motor"},
       {},
       {},
       {}},
  };
}

std::vector<Case> all_cases() {
  std::vector<Case> all = of_formulas();
  for (const bool in_space : {false, true})
    for (Case& each : of_bodies(in_space)) all.push_back(std::move(each));
  return all;
}

class InForce : public testing::TestWithParam<Case> {};

/// q moved along v for a time ε, and v along v̇.
State moved(const System& system, const State& from, const Vector& vdot, double eps) {
  State state = from;
  const Vector along = eps * (from.v + 0.5 * eps * vdot);
  system.move(state.q.data(), along.data());
  state.v += eps * vdot;
  state.t += eps;
  return state;
}

EquationsOfMotion equations_of(Simulation& simulation, const Case& which) {
  return simulation.equations({.formulas = true, .at = which.at});
}

TEST_P(InForce, OnlyWhatIsInForceIsThere) {
  Simulation simulation(load_text(GetParam().model, "case.toml"));
  const EquationsOfMotion at = equations_of(simulation, GetParam());
  EXPECT_EQ(at.constraints, GetParam().constraints);
  EXPECT_EQ(at.laws, GetParam().laws);
  EXPECT_EQ(at.controls, GetParam().controls);
  std::vector<std::string> names;
  for (const auto& [name, why] : at.not_in_force) names.push_back(name);
  EXPECT_EQ(names, GetParam().not_in_force);
}

TEST_P(InForce, TheSolutionSatisfiesTheEquations) {
  Simulation simulation(load_text(GetParam().model, "case.toml"));
  const EquationsOfMotion at = equations_of(simulation, GetParam());
  constexpr double rounding = 1e-12;  // κ(M) and κ(C) are below 100
  const Vector balance = at.M * at.vdot - at.h - at.C.transpose() * at.lambda - at.T * at.tau - at.B * at.p;
  EXPECT_LT(largest(balance), rounding * (1.0 + largest(at.h)));
  EXPECT_LT(largest(at.C * at.vdot - at.gamma), rounding * (1.0 + largest(at.gamma)));
  EXPECT_LT(largest(Vector((at.C * at.D).reshaped())), rounding);
  const Eigen::Index rank = at.C.rows() == 0 ? 0 : Eigen::ColPivHouseholderQR<Matrix>(at.C).rank();
  EXPECT_EQ(at.D.cols(), at.M.rows() - rank);
  EXPECT_EQ(at.D.cols() == 0 ? 0 : Eigen::ColPivHouseholderQR<Matrix>(at.D).rank(), at.D.cols());
}

/// 2 T = vᵀM v for any v.
TEST_P(InForce, MIsThatOfTheKineticEnergy) {
  Simulation simulation(load_text(GetParam().model, "case.toml"));
  const EquationsOfMotion at = equations_of(simulation, GetParam());
  const System& system = simulation.system();
  const auto workspace = system.workspace();
  const auto twice_kinetic = [&](const Vector& v) {
    State state = at.state;
    state.v = v;
    return 2.0 * system.energy(state, *workspace).kinetic;
  };
  const Eigen::Index n = at.M.rows();
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const Vector a = Vector::Unit(n, i), b = Vector::Unit(n, j);
      EXPECT_NEAR(at.M(i, j), (twice_kinetic(a + b) - twice_kinetic(a - b)) / 4.0, 1e-13 * (1.0 + at.M.norm()));
    }
}

/// Rows of position and velocity level: φ is affine in v here, so that differences of it are exact.
TEST_P(InForce, CIsTheSlopeOfTheConstraints) {
  Simulation simulation(load_text(GetParam().model, "case.toml"));
  const EquationsOfMotion at = equations_of(simulation, GetParam());
  const System& system = simulation.system();
  const Shape& shape = system.shape();
  const auto workspace = system.workspace();
  const auto phi = [&](const Vector& v) {
    State state = at.state;
    state.v = v;
    system.velocity(state, *workspace);
    return Vector(workspace->terms.phi);
  };
  const Vector none = phi(Vector::Zero(shape.n()));
  for (int j = 0; j < shape.n(); ++j) {
    const Vector slope = phi(Vector::Unit(shape.n(), j)) - none;
    int row = 0;
    for (int i = 0; i < shape.m(); ++i) {
      const auto in_force = std::ranges::find(at.constraints, shape.rows[i].name);
      if (in_force == at.constraints.end()) continue;
      EXPECT_EQ(in_force - at.constraints.begin(), row);
      if (i < shape.s_p + shape.s_v) { EXPECT_NEAR(at.C(row, j), slope[i], 1e-13 * (1.0 + std::abs(slope[i]))); }
      ++row;
    }
    for (const Contact& contact : shape.contacts)
      for (std::size_t k = 0; k < contact.laws.size(); ++k) {
        const auto law = std::ranges::find(at.laws, shape.laws[contact.laws[k]].name);
        if (law == at.laws.end()) continue;
        EXPECT_NEAR(at.T(j, law - at.laws.begin()), slope[contact.rows[k]],
                    1e-13 * (1.0 + std::abs(slope[contact.rows[k]])));
      }
  }
}

/// Ḋ against a difference quotient of D along the motion; the choice of lu stays the same so close by.
TEST_P(InForce, DdotIsTheRateOfD) {
  Simulation simulation(load_text(GetParam().model, "case.toml"));
  const EquationsOfMotion at = equations_of(simulation, GetParam());
  if (!at.why_no_Ddot.empty()) {
    EXPECT_THAT(at.why_no_Ddot, HasSubstr("nonlinear in the accelerations"));
    return;
  }
  constexpr double eps = 1e-4, tolerance = 1e-6;  // ε² times third derivatives of size 10
  const System& system = simulation.system();
  const Matrix after = simulation.equations(moved(system, at.state, at.vdot, eps)).D;
  const Matrix before = simulation.equations(moved(system, at.state, at.vdot, -eps)).D;
  ASSERT_EQ(after.cols(), at.Ddot.cols());
  EXPECT_LT(largest(Vector(((after - before) / (2.0 * eps) - at.Ddot).reshaped())), tolerance);
}

/// Every formula has the value of its entry.
TEST_P(InForce, FormulasHaveTheValuesOfTheMatrices) {
  Simulation simulation(load_text(GetParam().model, "case.toml"));
  const EquationsOfMotion at = equations_of(simulation, GetParam());
  if (!at.formulas) return;  // bodies and joints have none
  FormulaValue value;
  for (const Parameter& parameter : simulation.model().parameters)
    value.set(parameter.name, std::stod(parameter.value.text));
  value.set("t", at.state.t);
  for (std::size_t i = 0; i < at.coordinates.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    value.set(at.coordinates[i], at.state.q[k]);
    value.set(at.coordinates[i] + "'", at.state.v[k]);
    value.set(at.coordinates[i] + "''", at.vdot[k]);
  }
  for (std::size_t i = 0; i < at.constraints.size(); ++i)
    value.set("lambda." + at.constraints[i], at.lambda[static_cast<Eigen::Index>(i)]);
  for (std::size_t i = 0; i < at.laws.size(); ++i)
    value.set("force." + at.laws[i], at.tau[static_cast<Eigen::Index>(i)]);
  const auto compare = [&](const char* what, const EquationFormulas::Entries& formulas, const Matrix& numbers) {
    ASSERT_EQ(static_cast<Eigen::Index>(formulas.size()), numbers.rows()) << what;
    for (Eigen::Index i = 0; i < numbers.rows(); ++i)
      for (Eigen::Index j = 0; j < numbers.cols(); ++j)
        EXPECT_NEAR(value(formulas[i][j]), numbers(i, j), 1e-11 * (1.0 + std::abs(numbers(i, j))))
            << what << " " << i << " " << j << ": " << formulas[i][j];
  };
  const auto column = [](const std::vector<std::string>& list) {
    EquationFormulas::Entries entries;
    for (const std::string& text : list) entries.push_back({text});
    return entries;
  };
  const EquationFormulas& f = *at.formulas;
  compare("M", f.M, at.M);
  compare("h", column(f.h), at.h);
  compare("C", f.C, at.C);
  compare("gamma", column(f.gamma), at.gamma);
  compare("T", f.T, at.T);
  compare("B", f.B, at.B);
  for (const std::string& law : f.law)
    if (!law.empty()) { EXPECT_NEAR(value(law), 0.0, 1e-12 * (1.0 + largest(at.tau))) << law; }
  ASSERT_EQ(at.why_no_D, "");
  compare("D", f.D, at.D);
  if (at.why_no_Ddot.empty()) compare("Ddot", f.Ddot, at.Ddot);
}

INSTANTIATE_TEST_SUITE_P(Models, InForce, testing::ValuesIn(all_cases()),
                         [](const auto& each) { return each.param.name; });

// ------------------------------------------------------------------------------------------------------ by hand

/// x'' = c y''³: the row says dx'' = 3 c y''² dy'', so that D = (1, 1/(3 c y''²)) and Ḋ = (0, −2 y'''/(3 c y''³)).
TEST(Equations, DdotOfANonlinearAccelerationRowContainsTheThirdDerivative) {
  Simulation simulation(load_text(R"toml(
parameters = { c = 0.15 }
[coordinates]
x = { start = 0.5, speed = 0.0 }
y = { start = 0.3, speed = 0.4 }
[energy]
kinetic = "1.2/2*(x'^2 + y'^2)"
potential = "5*y^2 + 0.3*x"
[constraint]
tie = { acceleration = "x'' = c*y''^3" }
)toml",
                                  "tie.toml"));
  const EquationsOfMotion at = simulation.equations({.formulas = true});
  ASSERT_TRUE(at.formulas);
  FormulaValue value;
  const double c = 0.15, a = at.vdot[1], jerk = 1.7;
  value.set("c", c), value.set("y''", a), value.set("y'''", jerk);
  const bool x_is_free = at.formulas->D[0][0] == "1";  // lu takes the longer entry as the dependent one
  const double slope = 3.0 * c * a * a, rate = 6.0 * c * a * jerk;
  const std::string& free_entry = at.formulas->D[x_is_free ? 1 : 0][0];
  const std::string& rate_entry = at.formulas->Ddot[x_is_free ? 1 : 0][0];
  EXPECT_NEAR(value(free_entry), x_is_free ? 1.0 / slope : slope, 1e-13 * (slope + 1.0 / slope));
  EXPECT_NEAR(value(rate_entry), x_is_free ? -rate / (slope * slope) : rate,
              1e-12 * (1.0 + std::abs(rate)) / slope / slope);
  EXPECT_THAT(to_text(at), HasSubstr("y'''"));
}

Model block(double speed) {
  return load_text(fmt::format(R"toml(
title = "Block"
parameters = {{ m = 2.0, g = 9.81, P = 3.0 }}
[coordinates]
x = {{ start = 0.0, speed = {} }}
y = {{ start = 0.0 }}
[energy]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*g*y"
[generalised_force]
x = "P"
[constraint]
floor = {{ position = "y" }}
[friction]
sole = {{ on = "floor", coefficient = 0.3, along = "x'" }}
[simulation]
until = 1.0
)toml",
                               speed),
                   "block.toml");
}

/// N = m g = 19.62 N. Sliding: τ = −0.3 N = −5.886 N, one velocity is free. Sticking: it bears P, none is.
TEST(Equations, FrictionIsThatOfItsMode) {
  Simulation sliding(block(1.0));
  const EquationsOfMotion slides = sliding.equations({.formulas = true});
  EXPECT_THAT(slides.constraints, ElementsAre("floor"));
  EXPECT_THAT(slides.not_in_force, ElementsAre(Pair("sole.stick", "slides")));
  EXPECT_EQ(slides.D.cols(), 1);
  EXPECT_NEAR(slides.tau[0], -5.886, 1e-14);
  EXPECT_THAT(to_text(slides), AllOf(HasSubstr("+ Cᵀλ + T τ"), HasSubstr("T[x, sole] = 1"), HasSubstr("-5.886")));

  Simulation sticking(block(0.0));
  const EquationsOfMotion sticks = sticking.equations({.formulas = true});
  EXPECT_THAT(sticks.constraints, ElementsAre("floor", "sole.stick"));
  EXPECT_THAT(sticks.no_lambda, ElementsAre("", "sticks"));
  EXPECT_EQ(sticks.D.cols(), 0);
  EXPECT_NEAR(sticks.tau[0], -3.0, 1e-14);
  EXPECT_NE(to_text(slides), to_text(sticks));
}

/// 1 m/s against (5.886 − 3)/2 m/s²: it comes to rest at 0.693 s and sticks.
TEST(Equations, AtATimeTheModeIsThatOfTheRun) {
  Simulation simulation(block(1.0));
  EXPECT_EQ(simulation.equations({.at = 0.6}).D.cols(), 1);
  const EquationsOfMotion later = simulation.equations({.at = 0.8});
  EXPECT_EQ(later.state.t, 0.8);
  EXPECT_THAT(later.constraints, ElementsAre("floor", "sole.stick"));
  EXPECT_THROW(simulation.equations({.at = -1.0}), Error);
}

/// A ball of 2 kg dropped onto a floor without rebound presses with its weight afterwards.
TEST(Equations, OneSidedRowsAreThereWhileTheyPress) {
  Simulation simulation(load_text(R"toml(
[coordinates]
x = { start = 0.0, speed = 1.0 }
y = { start = 0.2, speed = 0.0 }
[energy]
kinetic = "x'^2 + y'^2"
potential = "2*9.81*y"
[constraint]
floor = { position = "y", one_sided = true, unit = "m" }
[simulation]
until = 0.5
)toml",
                                  "ball.toml"));
  const EquationsOfMotion above = simulation.equations();
  EXPECT_THAT(above.constraints, ElementsAre());
  EXPECT_THAT(above.not_in_force, ElementsAre(Pair("floor", "open by 0.2 m")));
  EXPECT_EQ(above.D.cols(), 2);
  const EquationsOfMotion on_it = simulation.equations({.at = 0.4});
  EXPECT_THAT(on_it.constraints, ElementsAre("floor"));
  EXPECT_NEAR(on_it.lambda[0], 19.62, 1e-12);
  EXPECT_EQ(on_it.D.cols(), 1);
}

/// x² + y² = 1: with x given y is found, and with it C = 2 (x, y).
TEST(Equations, AStateThatIsAskedForIsMadeConsistent) {
  Simulation simulation(load_text(R"toml(
parameters = { side = 0.6 }
[coordinates]
x = { start = 0.8, speed = 0.6 }
y = { guess = -0.6 }
[energy]
kinetic = "x'^2 + y'^2"
potential = "2*9.81*y"
[constraint]
rod = { position = "x^2 + y^2 = 1" }
)toml",
                                  "pendulum.toml"));
  const EquationsOfMotion at = simulation.equations({.state = {{"x", "side"}, {"x'", "0"}}});
  constexpr double rounding = 1e-12;  // what is left of the residual of y
  EXPECT_EQ(at.state.q[0], 0.6);
  EXPECT_NEAR(at.state.q[1], -0.8, rounding);
  EXPECT_EQ(at.state.v[0], 0.0);
  EXPECT_NEAR(at.state.v[1], 0.0, rounding);
  EXPECT_NEAR(at.C(0, 1), -1.6, 2 * rounding);
  EXPECT_THROW(simulation.equations({.state = {{"x", "2"}}}), Error);  // out of reach
  try {
    simulation.equations({.state = {{"X", "0.1"}}});
    FAIL() << "a coordinate that does not exist was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::model);
    EXPECT_THAT(error.what(), HasSubstr("\"x\""));
  }
}

/// The force acts on A, the path is that of B: B p is along xA, the row of the path is along xB and has no λ.
TEST(Equations, ControlsActAlongB) {
  Simulation simulation(load(source_path("models/two_masses_servo.toml")));
  const EquationsOfMotion at = simulation.equations({.formulas = true});
  EXPECT_THAT(at.controls, ElementsAre("F"));
  EXPECT_EQ(at.B, (Matrix(2, 1) << 1, 0).finished());
  for (std::size_t i = 0; i < at.constraints.size(); ++i) EXPECT_EQ(at.no_lambda[i], "kept by controls");
  EXPECT_THAT(to_text(at), AllOf(HasSubstr("+ B p"), HasSubstr("B[xA, F] = 1"), Not(HasSubstr("T τ"))));
}

TEST(Equations, ABasisWithoutARateSaysSo) {
  Simulation simulation(load(source_path("models/four_bar.toml")));
  const EquationsOfMotion at = simulation.equations({.basis = "svd"});
  EXPECT_EQ(at.Ddot.size(), 0);
  EXPECT_THAT(at.why_no_Ddot, HasSubstr("svd"));
}

}  // namespace
}  // namespace maggi::test
