// The derivatives of all shipped models by positions, velocities and parameters, against extrapolated differences; what
// single parts of them are; and those of the accelerations that follow from them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "dynamics/solution_derivatives.hpp"
#include "integration/form/make_form.hpp"
#include "io/toml/model_file.hpp"
#include "model/numbers.hpp"
#include "start/initial_conditions.hpp"
#include "support/derivative_check.hpp"
#include "support/hidden.hpp"
#include "support/reference.hpp"
#include "system/make_system.hpp"
#include "system/seam/displacement.hpp"

namespace maggi::test {
namespace {

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("models")))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

/// By all parameters, against systems of the model with other values.
void expect_derivatives_by_parameters(const Model& model, const System& system, const HeldState& at) {
  const std::unique_ptr<Workspace> w = system.workspace();
  ASSERT_EQ(system.shape().parameters.size(), model.parameters.size());
  const std::vector<double> values = Numbers(model).parameters();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double unit = values[i] == 0.0 ? 1.0 : std::abs(values[i]);
    std::map<double, Residuals> known;
    const auto by_p = [&](double part) -> const Residuals& {
      if (const auto found = known.find(part); found != known.end()) return found->second;
      Model changed = model;
      changed.parameters[i].value.text = fmt::format("{}", values[i] + part * unit);
      const std::unique_ptr<System> other = make_system(changed);
      const std::unique_ptr<Workspace> workspace = other->workspace();
      return known[part] = residuals(*other, *workspace, at);
    };
    const std::string p = model.parameters[i].name;
    Derivatives d;
    system.parameter_derivatives(at.state, at.held, at.sense, {static_cast<int>(i)}, *w, d);
    const auto expect = [&](const Matrix& exact, Vector Residuals::*part, const std::string& what) {
      expect_derivative(
          unit * exact.col(0), [&](double h) { return by_p(h).*part; }, what + " by " + p);
    };
    expect(d.balance_p, &Residuals::balance, "balance");
    expect(d.rows_p, &Residuals::rows, "rows");
    expect(d.law_p, &Residuals::law, "law");
    expect(d.phi_p, &Residuals::phi, "phi");
    expect(d.f_p, &Residuals::f, "f");
  }
}

class DerivativesOfModels : public testing::TestWithParam<std::string> {
 protected:
  /// With the rows that it hides, without which a model with controls has no start.
  DerivativesOfModels() : model(read_example(GetParam())), complete(model) {
    if (!model.mechanism.given()) complete = with_hidden_constraints(model, find_hidden_constraints(model));
    system = make_system(complete);
    dynamics = std::make_unique<Dynamics>(*system);
    start = find_initial_conditions(*dynamics, system->start()).state;
    start.t += 0.1;
  }

  Model model, complete;
  std::unique_ptr<System> system;
  std::unique_ptr<Dynamics> dynamics;
  State start;
};

TEST_P(DerivativesOfModels, ByPositionsAndVelocities) {
  for (const unsigned seed : {1U, 2U}) expect_derivatives(*system, HeldState::near(*system, start, 0.1, seed));
}

TEST_P(DerivativesOfModels, ByParameters) {
  expect_derivatives_by_parameters(complete, *system, HeldState::near(*system, start, 0.1, 3));
}

/// The accelerations at states on the constraints, as the dynamics at hand solves for them.
TEST_P(DerivativesOfModels, OfTheAccelerations) {
  start.t -= 0.1;
  SolutionDerivatives derivatives(*dynamics);
  ASSERT_TRUE(derivatives.compute(start));
  // v̇ changes on the scale of the shortest link, and is itself rounded by ε κ ≈ 1e-12 of its size; over h = 6e-5 that
  // is
  constexpr double first = 2e-3, tolerance = 2e-8;
  const int n = system->shape().n();
  const auto accelerations = [&](const State& at) {
    Vector vdot(n);
    EXPECT_TRUE(dynamics->accelerate(at, vdot.data()));
    return vdot;
  };
  for (int j = 0; j < n; ++j) {
    const auto by_q = [&](double h) {
      State moved = start;
      const Vector delta = h * Vector::Unit(n, j);
      system->move(moved.q.data(), delta.data());
      return accelerations(moved);
    };
    const auto by_v = [&](double h) {
      State moved = start;
      moved.v[j] += h;
      return accelerations(moved);
    };
    const std::string v = system->shape().velocities[static_cast<std::size_t>(j)].name;
    expect_derivative(derivatives.vdot_q().col(j), by_q, "v̇ by the position of " + v, first, tolerance);
    expect_derivative(derivatives.vdot_v().col(j), by_v, "v̇ by " + v, first, tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, DerivativesOfModels, testing::ValuesIn(example_names()),
                         [](const auto& model) { return model.param; });

/// A pendulum of length l on a rod, in x and y: M = m, C = (x, y)/l, h = (0, −m g) − d v.
TEST(Derivatives, ArePartByPartWhatTheFormulasSay) {
  const std::unique_ptr<System> system = make_system(parse_model(R"toml(
    title = "Point on a rod"
    [parameters]
    m = 2.0
    g = 9.81
    d = 0.3
    l = 1.5
    twice = "2*l"
    [coordinates]
    x = { start = 0.9 }
    y = { start = -1.2 }
    [energy]
    kinetic = "m*(1 + x^2)*(x'^2 + y'^2)/2"
    potential = "m*g*y"
    [generalised_force]
    x = "-d*x'"
    [constraint]
    rod = { position = "(x^2 + y^2 - twice^2/4)/2" })toml",
                                                                 "test.toml"));
  const std::unique_ptr<Workspace> w = system->workspace();
  const double x = 0.9, y = -1.2, vx = 0.4, vy = 0.7, m = 2.0, g = 9.81, l = 1.5;
  State at{0.0, Vector(2), Vector(2)};
  at.q << x, y;
  at.v << vx, vy;
  Derivatives d;
  system->acceleration_derivatives(at, {}, {}, *w, d);  // ∂h/∂q, ∂h/∂v, ∂γ/∂q, ∂γ/∂v
  // h = (−m x (vx² − vy²) − d vx, −2 m x vx vy − m g): rounding of few terms
  EXPECT_NEAR(d.balance_q(0, 0), -m * (vx * vx - vy * vy), 1e-14);
  EXPECT_NEAR(d.balance_q(1, 0), -2 * m * vx * vy, 1e-14);
  EXPECT_EQ(d.balance_q(0, 1), 0.0);
  EXPECT_NEAR(d.balance_v(0, 0), -2 * m * x * vx - 0.3, 1e-14);
  EXPECT_NEAR(d.balance_v(0, 1), 2 * m * x * vy, 1e-14);
  EXPECT_NEAR(d.rows_v(0, 0), -2 * vx, 1e-14);
  EXPECT_EQ(d.rows_q(0, 0), 0.0);
  const Vector vdot = Vector::Constant(2, 3.0), lambda = Vector::Constant(1, 5.0);
  Derivatives with;
  system->acceleration_derivatives(at, {vdot, {}, {}}, {}, *w, with);  // −∂(M v̇)/∂q, −∂(C v̇)/∂q
  EXPECT_NEAR(with.balance_q(0, 0) - d.balance_q(0, 0), -2 * m * x * 3.0, 1e-14);
  EXPECT_NEAR(with.rows_q(0, 0), -3.0, 1e-14);
  system->acceleration_derivatives(at, {{}, lambda, {}}, {}, *w, with);  // ∂(Cᵀλ)/∂q
  EXPECT_NEAR(with.balance_q(0, 0) - d.balance_q(0, 0), 5.0, 1e-14);
  EXPECT_NEAR(with.balance_q(1, 1) - d.balance_q(1, 1), 5.0, 1e-14);
  system->parameter_derivatives(at, {}, {}, {0, 1, 2, 3, 4}, *w, d);
  EXPECT_NEAR(d.balance_p(1, 1), -m, 1e-14);  // by g
  EXPECT_NEAR(d.balance_p(1, 0), -2 * x * vx * vy - g, 1e-14);
  EXPECT_NEAR(d.balance_p(0, 2), -vx, 1e-14);  // by d
  EXPECT_NEAR(d.f_p(0, 3), -l, 1e-14);         // by l, which `twice` follows
  EXPECT_NEAR(d.f_p(0, 4), -l / 2, 1e-14);
  system->velocity_derivatives(at, *w, d);
  EXPECT_NEAR(d.phi_q(0, 0), vx, 1e-14);
  EXPECT_NEAR(d.phi_q(0, 1), vy, 1e-14);
}

/// ∂ẏ/∂y of all forms, and how the state follows y, against differences: with quaternions, independent coordinates,
/// tangent velocities of bases that turn, nonholonomic rows, feedback, friction and the work that belongs to it.
struct FormCase {
  const char *model, *unknowns, *drift;
  const char* basis = "";
};
class LinearisedForms : public testing::TestWithParam<FormCase> {
 protected:
  LinearisedForms()
      : system(make_system(read_example(GetParam().model))),
        dynamics(*system, "auto", GetParam().basis),
        start(find_initial_conditions(dynamics, system->start()).state) {
    IntegrateOptions options;
    options.unknowns = GetParam().unknowns;
    options.drift = GetParam().drift;
    options.alpha = options.beta = 3.0;
    if (options.drift == "baumgarte") dynamics.stabilise(options.alpha, options.beta);
    form = integration::make_form(dynamics, start, options);
    y = Vector::Zero(form->size());
    form->values(start, y.data());
    // on the constraints there is nothing to feed back
    if (options.drift == "pi")
      for (Eigen::Index j = 0; j < y.size(); ++j) y[j] += 0.01 * std::sin(1.0 + 7.0 * static_cast<double>(j));
  }

  /// What `of` gives where y_j is larger by h.
  template <class Of>
  auto beside(int j, Of of) {
    return [this, j, of](double h) {
      Vector moved = y;
      moved[j] += h;
      return of(moved);
    };
  }

  std::unique_ptr<System> system;
  Dynamics dynamics;
  State start;
  std::unique_ptr<integration::Form> form;
  Vector y;
};

TEST_P(LinearisedForms, GiveTheDerivativesOfTheRates) {
  integration::FormDerivatives d;
  ASSERT_TRUE(form->linearise(start.t, y.data(), false, d));
  // exact but for the second derivative of a basis, by q: a difference over √ε is rounded and truncated by 1e-8 each,
  // of numbers of size 1 to 100 in these models
  const bool turns = GetParam().unknowns == std::string_view("tangent");
  for (int j = 0; j < form->size(); ++j)
    expect_derivative(d.rate.col(j),
                      beside(j,
                             [&](const Vector& moved) {
                               Vector ydot(form->size());
                               EXPECT_TRUE((*form)(start.t, moved.data(), ydot.data()));
                               return ydot;
                             }),
                      form->name(j), 2e-3, turns && j < system->shape().nq() ? 1e-6 : 1e-10);
}

TEST_P(LinearisedForms, SayHowTheStateFollows) {
  integration::FormDerivatives d;
  ASSERT_TRUE(form->linearise(start.t, y.data(), false, d));
  const int nq = system->shape().nq(), n = system->shape().n();
  State here = start;
  ASSERT_TRUE(form->state(start.t, y.data(), here));
  const auto state = [&](const Vector& moved) {
    State at = here;
    EXPECT_TRUE(form->state(start.t, moved.data(), at));
    Vector both(nq + n);
    both << at.q, at.v;
    return both;
  };
  for (int j = 0; j < form->size(); ++j) {
    const Vector along = d.displacement.col(j);
    Vector expected(nq + n), whole(nq);
    system->coordinate_rates(here.q.data(), along.data(), whole.data());
    expected << whole, d.velocity.col(j);
    if (!system->shape().identity_rates && j < nq) continue;  // y_j changes the length of a quaternion, too
    expect_derivative(expected, beside(j, state), form->name(j), 2e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, LinearisedForms,
    testing::Values(
        FormCase{"four_bar", "velocities", "projection"}, FormCase{"heavy_top", "velocities", "projection"},
        FormCase{"four_bar_cut_ground", "independent", "none"}, FormCase{"chaplygin_sleigh", "independent", "none"},
        FormCase{"rod_friction", "velocities", "projection"}, FormCase{"andrews_squeezer", "velocities", "baumgarte"},
        FormCase{"slider_crank_driven", "velocities", "baumgarte"}, FormCase{"four_bar", "tangent", "projection"},
        FormCase{"four_bar", "tangent", "projection", "lu"},
        FormCase{"andrews_squeezer", "tangent", "projection", "qr"},
        FormCase{"chaplygin_sleigh", "tangent", "projection"}, FormCase{"slider_crank_driven", "tangent", "projection"},
        FormCase{"heavy_top", "tangent", "projection"}, FormCase{"rod_friction", "tangent", "projection"},
        FormCase{"four_bar", "velocities", "pi"}, FormCase{"chaplygin_sleigh", "velocities", "pi"},
        FormCase{"slider_crank_driven", "velocities", "pi"}, FormCase{"rod_friction", "velocities", "pi"},
        FormCase{"spatial_four_bar", "velocities", "pi"}, FormCase{"four_bar", "tangent", "pi"}),
    [](const auto& c) {
      std::string basis = c.param.basis;
      std::ranges::replace(basis, '-', '_');
      return fmt::format("{}_{}_{}{}{}", c.param.model, c.param.unknowns, c.param.drift, basis.empty() ? "" : "_",
                         basis);
    });

/// Parameters in every kind of number of a mechanism: shapes, inertias, frames that turn, joints of the tree and of
/// loops, springs, stops, friction, and a damping that is zero at first.
TEST(Derivatives, OfAMechanismByEveryKindOfNumber) {
  const Model model = parse_model(R"toml(
gravity = ["g/10", 0.3, "-g"]
[parameters]
g = 9.81
a = 0.7
b = "2*a"
angle = 0.3
density = 700
r = 0.05
k = 30
none = 0
mu = 0.2
pitch = 0.02
[body.rod]
shape = "cylinder"
density = "density"
radius = "r"
from = [0, 0, 0]
to = ["a", "a/3", "r"]
[body.block]
shape = "box"
size = ["a/2", "r", 0.2]
mass = "b"
position = ["b", 0.1, "a/4"]
turned = "angle"
axis = ["a", 1, "b"]
markers = { corner = ["a", 0, 0.1] }
[body.nut]
mass = 1.5
inertia = ["a", "b", 1.2, "r", 0, "-r"]
position = [0.3, "-a", 0.2]
[joint]
pin = { spherical = ["ground", "rod"], at = [0, 0, 0] }
knee = { universal = ["rod", "block"], at = ["a", "a/3", "r"], axis = ["sin(angle)", "cos(angle)", 0], second_axis = [0, 0, 1] }
thread = { screw = ["block", "nut"], at = ["a", 0, 0.1], axis = [1, "angle", "a"], pitch = "pitch", friction = { coefficient = "mu", radius = "r" } }
strut = { distance = ["ground", "nut"], at = [0, "-b", 0], to = [0.3, "-a", "a"] }
slider = { point_on_line = ["ground", "block"], at = ["b", 0.1, 0.2], axis = ["a", "b", 1] }
[force]
spring = { spring = ["ground", "block"], from = [0, 1, "b"], to = ["b", 0, 0.2], stiffness = "k", damping = "none", length = "a" }
pull = { spring = ["rod", "nut"], from = ["a/2", 0, 0], to = [0.3, "-b", 0], force = "k*sin(t)" }
bush = { bushing = ["rod", "nut"], at = ["a", 0, 0], axis = [0, 1, "a"], stiffness = ["k", "k/2", "k"], damping = [0, 0, "mu"] }
push = { on = "nut", at = "block.corner", force = ["k", 0, "t*k"], frame = "body" }
brake = { joint = "thread", damping = "none", force = "k*t" }
)toml",
                                  "parts.toml");
  const std::unique_ptr<System> system = make_system(model);
  State state{0.1, Vector::Zero(system->shape().nq()), Vector::Zero(system->shape().n())};
  state.q = Displacement(*system, system->start()).q(Vector::Zero(system->shape().n()));
  expect_derivatives_by_parameters(model, *system, HeldState::near(*system, state, 0.3, 5));
}

/// The velocity that belongs to a changing displacement, for rotations from 0 to beyond half a turn.
TEST(Derivatives, VelocityOfADisplacement) {
  const std::unique_ptr<System> system = make_system(parse_model(R"toml(
    title = "A body that floats"
    [body.stone]
    mass = 1.0
    inertia = [1, 2, 3]
    position = [0, 0, 0])toml",
                                                                 "test.toml"));
  const Shape& s = system->shape();
  for (const double angle : {0.0, 1e-9, 1e-3, 0.2499, 0.2501, 1.0, 3.0, 4.0}) {
    Vector delta(6), rate(6), v(6);
    delta << 0.3, -0.1, 0.2, angle * 0.6, -angle * 0.64, angle * 0.48;
    rate << 1.0, 2.0, 3.0, 0.4, -0.5, 0.7;
    system->move_rates(delta.data(), rate.data(), v.data());
    const auto q_at = [&](double h) {
      Vector q = system->start().origin;
      const Vector moved = delta + h * rate;
      system->move(q.data(), moved.data());
      return q;
    };
    Vector qdot(s.nq());
    system->coordinate_rates(q_at(0.0).data(), v.data(), qdot.data());
    expect_derivative(qdot, q_at, fmt::format("q at {}", angle));
  }
}

}  // namespace
}  // namespace maggi::test
