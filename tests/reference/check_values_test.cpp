// The worked examples of the papers at one state: M, h, C, γ, v̇, λ against 40-digit arithmetic, and the motion later
// on.
#include <gtest/gtest.h>

#include "base/decompositions.hpp"
#include "basis/gram_schmidt.hpp"
#include "basis/local.hpp"
#include "basis/projective.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/form/make_form.hpp"
#include "integration/integrate.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/formulations.hpp"
#include "manifold/projection.hpp"
#include "start/initial_conditions.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

constexpr double algebra = 1e-12;  // 16 digits given, four left for the condition of M and C
constexpr double motion = 1e-9;    // 12 digits given, integrated at rtol 1e-12

nlohmann::json values(const std::string& example) { return read_reference("check_values.json").at(example); }

struct LastState final : Sink {
  void accept(const Sample& sample) override { state = sample.state; }
  State state;
};

/// A model at its consistent start, seen as dense equations.
struct AtStart {
  explicit AtStart(const Model& model, const char* formulation = "augmented")
      : system(model), dynamics(system, formulation), start(find_initial_conditions(dynamics, system.start())) {
    const Shape& shape = system.shape();
    system.acceleration(start.state, dynamics.workspace());
    const Terms& terms = dynamics.workspace().terms;
    M.resize(shape.n(), shape.n());
    C.resize(shape.m(), shape.n());
    shape.M.scatter(terms.M, M);
    shape.C.scatter(terms.C, C);
    h = terms.h;
    gamma = terms.gamma;
    J.resize(shape.nx(), shape.n());
    shape.J.scatter(terms.J, J);
  }

  /// With Ṁ, Ċ, J̇.
  Equations equations() {
    const Shape& shape = system.shape();
    const Terms& terms = dynamics.workspace().terms;
    system.rates(start.state, start.acceleration.vdot.data(), dynamics.workspace());
    Equations result{M,
                     h,
                     C,
                     gamma,
                     J,
                     start.state.v,
                     {Matrix(shape.n(), shape.n()), Matrix(shape.m(), shape.n()), Matrix(shape.nx(), shape.n())}};
    shape.M.scatter(terms.Mdot, result.rate.M);
    shape.C.scatter(terms.Cdot, result.rate.C);
    shape.J.scatter(terms.Jdot, result.rate.J);
    return result;
  }

  State integrate_until(double t) {
    IntegrateOptions options;
    options.until = t;
    options.output = t - start.state.t;
    options.rtol = 1e-12;
    options.atol = 1e-13;
    LastState last;
    EXPECT_EQ(integrate(dynamics, start.state, last, options).outcome, Outcome::reached_end);
    return last.state;
  }

  EquationSystem system;
  Dynamics dynamics;
  InitialConditions start;
  Matrix M, C, J;
  Vector h, gamma;
};

void expect_solution(AtStart& at, const nlohmann::json& vdot, const nlohmann::json& lambda) {
  EXPECT_LT(relative_error(at.start.acceleration.vdot, vector(vdot)), algebra);
  EXPECT_LT(relative_error(at.start.acceleration.lambda, vector(lambda)), algebra);
  for (const std::string& formulation : formulation_names())
    for (const std::string& basis : basis_names()) {
      if (basis == "local" && at.system.shape().nx() == 0) continue;  // refused, and rightly so
      Dynamics other(at.system, formulation, needs_basis(formulation) ? basis : "");
      const InitialConditions start = find_initial_conditions(other, at.system.start());
      EXPECT_LT(relative_error(start.acceleration.vdot, vector(vdot)), algebra) << formulation << " " << basis;
      EXPECT_LT(relative_error(start.acceleration.lambda, vector(lambda)), algebra) << formulation << " " << basis;
      if (!needs_basis(formulation)) break;
    }
}

/// The four-bar of the papers, cut at the ground ("a") or at the coupler ("b").
Model four_bar(const nlohmann::json& v, const std::string& cut) {
  Model model = read_example(cut == "a" ? "four_bar_cut_ground" : "four_bar_cut_coupler");
  const auto& p = v["parameters"];
  for (int i = 0; i < 3; ++i) {
    set_parameter(model, "l" + std::to_string(i + 1), number(p["l"][i]));
    set_parameter(model, "m" + std::to_string(i + 1), number(p["m"][i]));
  }
  set_parameter(model, "a", number(p["a"]));
  set_parameter(model, "b", number(p["b"]));
  set_parameter(model, "g", number(p["g"]));
  model.coordinates[0].start = number(v["theta_" + cut][0]);
  model.coordinates[0].speed = number(v["v_" + cut][0]);
  model.coordinates[1].guess = 0.6;
  model.coordinates[2].guess = cut == "a" ? -1.5 : 1.5;
  return model;
}

/// D and Ḋ of every basis in the form of the papers, D(unit, :) = 1: with B = D(unit, :) it is D B⁻¹, and its rate
/// Ḋ B⁻¹ − D B⁻¹ Ḃ B⁻¹.
void expect_complement(AtStart& at, const std::vector<int>& unit, const Matrix& D, const Matrix& Ddot) {
  const Shape& shape = at.system.shape();
  const Equations e = at.equations();
  int rates = 0;
  for (const std::string& name : basis_names()) {
    SCOPED_TRACE(name);
    const auto basis = make_basis(name, shape.n(), shape.m());
    if (!basis->compute(e)) {
      EXPECT_FALSE(basis->why().empty());
      continue;
    }
    const Matrix B_inverse = Matrix(basis->D()(unit, Eigen::all)).inverse();
    EXPECT_LT(relative_error(Matrix(basis->D() * B_inverse), D), algebra);
    Matrix rate;
    if (!basis->rate(e.rate, rate)) continue;
    const Matrix Bdot = rate(unit, Eigen::all);
    EXPECT_LT(relative_error(Matrix((rate - basis->D() * B_inverse * Bdot) * B_inverse), Ddot), algebra);
    ++rates;
  }
  EXPECT_GE(rates, 4);
  // v̇ = D u̇ + Ḋ u, u the velocities of the unit rows
  const Vector u = at.start.state.v(unit), udot = at.start.acceleration.vdot(unit);
  EXPECT_LT(relative_error(Vector(D * udot + Ddot * u), at.start.acceleration.vdot), algebra);
}

TEST(CheckValues, MovingPendulumDriven) {
  const auto v = values("moving_pendulum_driven");
  AtStart at(read_example("moving_pendulum_driven"));
  EXPECT_LT(relative_error(at.start.state.q, vector(v["q"])), algebra);
  EXPECT_LT(relative_error(at.start.state.v, vector(v["v"])), algebra);
  EXPECT_LT(relative_error(at.M, Matrix(Vector{{2.0, 2.0, 0.5}}.asDiagonal())), algebra);
  EXPECT_LT(relative_error(at.h, vector(v["parameters"]["h"])), algebra);
  EXPECT_LT(relative_error(at.C, matrix(v["C"])), algebra);
  EXPECT_LT(relative_error(at.gamma, vector(v["gamma"])), algebra);
  expect_solution(at, v["vdot"], v["lambda"]);

  const auto later = v["reference"];
  const State end = at.integrate_until(1.0);
  EXPECT_LT(relative_error(end.q, Vector{{number(later["x1"]), number(later["x2"]), number(later["x3"])}}), motion);
}

TEST(CheckValues, MovingPendulumProjection) {
  const auto v = values("moving_pendulum_driven");
  const EquationSystem system(read_example("moving_pendulum_driven"));
  const auto workspace = system.workspace();
  Projection projection(system);
  State state{0.0, vector(v["proj_in"]), vector(v["v"])};
  EXPECT_NEAR(projection.residuals(state, *workspace).position * workspace->terms.C.norm(), number(v["proj_f"]), 1e-12);
  // the first step of the projection, and the feedback with G₁ = G₀ = 4, ∫f dt = 0.02: q̇ = W_d u − M⁻¹Cᵀ(C M⁻¹Cᵀ)⁻¹ …
  Equations e{Matrix(3, 3), Vector::Zero(3), Matrix(1, 3), Vector::Zero(1)};
  system.position(state, *workspace);
  system.shape().M.scatter(workspace->terms.M, e.M);
  system.shape().C.scatter(workspace->terms.C, e.C);
  const double f = workspace->terms.f[0];
  MetricFactor factor(3, 1);
  MassGramSchmidtBasis basis(3, 1);
  ASSERT_TRUE(factor.compute(e.M, e.C) && basis.compute(e));
  Vector step(3), back(3);
  factor.least_change(Vector::Constant(1, -f), step);
  factor.least_change(Vector::Constant(1, -4 * f - 4 * 0.02), back);
  EXPECT_LT(relative_error(step, vector(v["dq_step1"])), algebra);
  EXPECT_LT(relative_error(Vector(basis.D() * vector(v["u"]) + back), vector(v["PI_qdot"])), algebra);
  // and the same by the form that is integrated: y = [q; u; ∫f], 2α = G₁, β² = G₀
  Dynamics dynamics(system);
  IntegrateOptions options{.drift = "pi", .alpha = 2.0, .beta = 2.0, .unknowns = "tangent"};
  const auto form = integration::make_form(dynamics, state, options);
  ASSERT_EQ(form->size(), 6);
  Vector y(6), ydot(6);
  y << state.q, vector(v["u"]), 0.02;
  ASSERT_TRUE((*form)(0.0, y.data(), ydot.data()));
  EXPECT_LT(relative_error(Vector(ydot.head(3)), vector(v["PI_qdot"])), algebra);
  ASSERT_TRUE(projection.positions(state, *workspace));
  EXPECT_LT(relative_error(state.q, vector(v["q_converged"])), algebra);
}

TEST(CheckValues, MovingPendulumOrthonormalised) {
  const auto v = values("moving_pendulum_driven");
  AtStart at(read_example("moving_pendulum_driven"));
  MassGramSchmidtBasis basis(3, 1);
  ASSERT_TRUE(basis.compute({at.M, at.h, at.C, at.gamma}));
  const Matrix Wd = basis.D();
  EXPECT_LT(relative_error(Wd, matrix(v["W_d"])), algebra);
  EXPECT_LT(relative_error(Vector(basis.Wc()), vector(v["W_c"])), algebra);
  EXPECT_NEAR(basis.Rc()(0, 0), number(v["R_c"]), algebra);
  const Vector u = Wd.transpose() * at.M * at.start.state.v;
  EXPECT_LT(relative_error(u, vector(v["u"])), algebra);

  at.system.rates(at.start.state, at.start.acceleration.vdot.data(), at.dynamics.workspace());
  Matrix Mdot(3, 3), Cdot(1, 3), Wd_dot;
  at.system.shape().M.scatter(at.dynamics.workspace().terms.Mdot, Mdot);
  at.system.shape().C.scatter(at.dynamics.workspace().terms.Cdot, Cdot);
  ASSERT_TRUE(basis.rate({Mdot, Cdot, {}}, Wd_dot));
  EXPECT_LT(relative_error(Wd_dot, matrix(v["W_d_dot"])), algebra);
  EXPECT_LT(relative_error(Vector(Wd.transpose() * (at.h - at.M * Wd_dot * u)), vector(v["udot"])), algebra);
  // the multiplier without inversion: λ_w = R⁻ᵀγ − W_cᵀh = R λ
  const double lambda_w = at.gamma[0] / basis.Rc()(0, 0) - basis.Wc().col(0).dot(at.h);
  EXPECT_NEAR(lambda_w, number(v["lambda_w"][0]), algebra * 10);
  // how far each coordinate is constrained, from the equations and from the basis
  EXPECT_LT(relative_error(cosines_squared(at.M, at.C), vector(v["cos2_alpha"])), algebra);
  EXPECT_LT(relative_error(cosines_squared(basis.W(), 1), vector(v["cos2_alpha"])), algebra);
}

TEST(CheckValues, ComplementsOfTheFourBar) {
  const auto v = values("four_bar");
  for (const std::string cut : {"a", "b"}) {
    AtStart at(four_bar(v, cut));
    expect_complement(at, {1}, vector(v["D_" + cut]), vector(v["Ddot_" + cut]));
    EXPECT_NEAR(at.start.acceleration.vdot[1], number(v["udot"]), 10 * algebra);
  }
}

TEST(CheckValues, ConditionOfTheFourBarWithAUnitRow) {
  const auto v = values("four_bar");
  const AtStart at(four_bar(v, "a"));
  for (int i = 0; i < 3; ++i) {
    Matrix both(3, 3);
    both << at.C, Matrix::Identity(3, 3).row(i);
    const Vector sigma = Eigen::JacobiSVD<Matrix>(both).singularValues();
    EXPECT_NEAR(sigma[0] / sigma[2], number(v["condition_C_a_with_unit_row"][i]), 1e-6);  // given to six decimals
  }
}

TEST(CheckValues, ComplementsOfTheSlider) {
  const auto v = values("four_bar_slider");
  AtStart at(read_example("four_bar_slider"));
  expect_complement(at, {1, 2}, matrix(v["D_b"]), matrix(v["Ddot_b"]));
  EXPECT_LT(relative_error(Vector(at.start.state.v.tail(2)), vector(v["u_b"])), algebra);
  EXPECT_LT(relative_error(Vector(at.start.acceleration.vdot.tail(2)), vector(v["udot_b"])), algebra);
}

TEST(CheckValues, ComplementsOfTheSpatialFourBar) {
  const auto v = values("spatial_four_bar");
  Model model = read_example("spatial_four_bar");
  model.coordinates[0].start = number(v["q"][0]);
  model.coordinates[0].speed = number(v["v"][0]);
  AtStart at(model);
  expect_complement(at, {0}, vector(v["D"]), vector(v["Ddot"]));
}

/// D and Ḋ of the basis `local` in the tangent velocities S v of the paper: D T with T = (S D)⁻¹.
void expect_local_complement(AtStart& at, const Matrix& S, const Matrix& Sdot, const Matrix& D, const Matrix& Ddot) {
  const Equations equations = at.equations();
  LocalBasis basis(equations.n(), equations.m());
  ASSERT_TRUE(basis.compute(equations)) << basis.why();
  Matrix own_rate;
  ASSERT_TRUE(basis.rate(equations.rate, own_rate));
  const Matrix own = basis.D(), T = (S * own).inverse(), Tdot = -T * (Sdot * own + S * own_rate) * T;
  EXPECT_LT(relative_error(Matrix(own * T), D), algebra);
  EXPECT_LT(relative_error(Matrix(own_rate * T + own * Tdot), Ddot), 10 * algebra);  // products of products
  Vector u(own.cols());
  basis.tangent(equations.v, u);
  EXPECT_LT(relative_error(Vector(own * u), equations.v), algebra);  // scleronomic: v = D u
}

TEST(CheckValues, LocalComplementOfTheFourBar) {
  const auto v = values("four_bar");
  for (const std::string cut : {"a", "b"}) {
    AtStart at(four_bar(v, cut));
    const Matrix S{{0.0, 1.0, 0.0}};  // the paper has a 1 in row 2
    expect_local_complement(at, S, Matrix::Zero(1, 3), vector(v["D_" + cut]), vector(v["Ddot_" + cut]));

    LocalBasis basis(3, 2);
    ASSERT_TRUE(basis.compute(at.equations()));
    EXPECT_EQ(basis.free_coordinates(), std::vector<int>{0});  // the best of three
  }
}

TEST(CheckValues, LocalComplementOfTheSlider) {
  const auto v = values("four_bar_slider");
  Model model = read_example("four_bar_slider");
  AtStart at(model);  // form a: the point A in x and y, u = (A.x', theta2')
  const Equations equations = at.equations();
  Matrix S(2, 3), Sdot = Matrix::Zero(2, 3);
  S << at.J.row(0), Vector::Unit(3, 1).transpose();
  Sdot.row(0) = equations.rate.J.row(0);
  expect_local_complement(at, S, Sdot, matrix(v["D_a"]), matrix(v["Ddot_a"]));
  EXPECT_LT(relative_error(Vector(S * equations.v), vector(v["u_a"])), algebra);

  // the reaction in the directions of A, and nothing along the coordinates that A does not see
  LocalBasis basis(3, 1);
  ASSERT_TRUE(basis.compute(equations));
  const Vector lambda = at.start.acceleration.lambda, r = at.start.acceleration.reaction;
  const Vector expected = vector(v["local_react"]);
  EXPECT_LT(relative_error(Vector(basis.C_hat().transpose() * lambda), Vector(expected.head(2))), algebra);
  Matrix completed(3, 3);
  completed << at.J, Vector::Unit(3, basis.free_coordinates()[0]).transpose();
  EXPECT_LT(relative_error(Vector(completed.transpose().inverse() * r), expected), algebra);

  // form b: the distance from the line alone, n_x = m, u = (theta2', theta3')
  model.points = {{"A", {{"n", "xA*sin(alpha) - yA*cos(alpha)"}}}};
  model.constraints[0].formula = "A.n = c";
  model.outputs.clear();
  AtStart b(model);
  EXPECT_LT(relative_error(b.start.acceleration.lambda, vector(v["lambda_b"])), algebra);
  const Matrix pick{{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  expect_local_complement(b, pick, Matrix::Zero(2, 3), matrix(v["D_b"]), matrix(v["Ddot_b"]));
  EXPECT_LT(relative_error(Vector(pick * b.start.state.v), vector(v["u_b"])), algebra);
}

TEST(CheckValues, FourBarCutAtTheGround) {
  const auto v = values("four_bar");
  AtStart at(four_bar(v, "a"));
  EXPECT_LT(relative_error(at.start.state.q, vector(v["theta_a"])), algebra);
  EXPECT_LT(relative_error(at.start.state.v, vector(v["v_a"])), algebra);
  EXPECT_LT(relative_error(at.M, matrix(v["M_a"])), algebra);
  EXPECT_LT(relative_error(at.h, vector(v["h_a"])), algebra);
  EXPECT_LT(relative_error(at.C, matrix(v["C_a"])), algebra);
  EXPECT_LT(relative_error(at.gamma, vector(v["gamma_a"])), algebra);
  expect_solution(at, v["vdot_a"], v["lambda_a"]);

  const State end = at.integrate_until(number(v["reference"]["t"]));
  EXPECT_LT(relative_error(end.q, vector(v["reference"]["theta_a"])), motion);
  EXPECT_LT(relative_error(end.v, vector(v["reference"]["v_a"])),
            10 * motion);  // the speeds have nearly died down there
}

TEST(CheckValues, FourBarCutAtTheCoupler) {
  const auto v = values("four_bar");
  AtStart at(four_bar(v, "b"));
  EXPECT_LT(relative_error(at.start.state.q, vector(v["theta_b"])), algebra);
  EXPECT_LT(relative_error(at.M, matrix(v["M_b"])), algebra);
  EXPECT_LT(relative_error(at.h, vector(v["h_b"])), algebra);
  EXPECT_LT(relative_error(at.C, matrix(v["C_b"])), algebra);
  EXPECT_LT(relative_error(at.gamma, vector(v["gamma_b"])), algebra);
  expect_solution(at, v["vdot_b"], v["lambda_b"]);
}

TEST(CheckValues, FourBarSlider) {
  const auto v = values("four_bar_slider");
  AtStart at(read_example("four_bar_slider"));
  EXPECT_LT(relative_error(at.start.state.q, vector(v["theta"])), algebra);
  EXPECT_LT(relative_error(at.start.state.v, vector(v["v"])), algebra);
  EXPECT_LT(relative_error(at.M, matrix(v["M"])), algebra);
  EXPECT_LT(relative_error(at.h, vector(v["h"])), algebra);
  EXPECT_LT(relative_error(at.C, matrix(v["C_a"])), algebra);
  EXPECT_LT(relative_error(at.gamma, vector(v["gamma_a"])), algebra);
  expect_solution(at, v["vdot"], v["lambda_a"]);
}

TEST(CheckValues, SpatialFourBar) {
  const auto v = values("spatial_four_bar");
  Model model = read_example("spatial_four_bar");
  model.coordinates[0].start = number(v["q"][0]);
  model.coordinates[0].speed = number(v["v"][0]);
  AtStart at(model);
  EXPECT_LT(relative_error(at.start.state.q, vector(v["q"])), algebra);
  EXPECT_LT(relative_error(at.start.state.v, vector(v["v"])), algebra);
  EXPECT_LT(relative_error(at.M, matrix(v["M"])), algebra);
  EXPECT_LT(relative_error(at.h, vector(v["h"])), algebra);
  EXPECT_LT(relative_error(at.C, matrix(v["C"])), algebra);
  EXPECT_LT(relative_error(at.gamma, vector(v["gamma"])), algebra);
  expect_solution(at, v["vdot"], v["lambda"]);
  EXPECT_LT(relative_error(at.start.acceleration.reaction, vector(v["r"])), algebra);
  EXPECT_NEAR(at.system.energy(at.start.state, at.dynamics.workspace()).total, number(v["energy"]), 1e-11);

  const State end = at.integrate_until(number(v["reference"]["t"]));
  EXPECT_LT(relative_error(end.q, vector(v["reference"]["q"])), motion);
  EXPECT_LT(relative_error(end.v, vector(v["reference"]["v"])), motion);
}

TEST(CheckValues, ThreeLevelsNonlinearInTheAcceleration) {
  const auto v = values("three_levels");
  Model model;
  for (const char* name : {"q1", "q2", "q3", "q4"}) model.coordinates.push_back({.name = name});
  model.coordinates[0].start = 0.6, model.coordinates[0].speed = 0.7;
  model.coordinates[1].guess = 0.8, model.coordinates[1].speed_guess = -0.3;
  model.coordinates[2].start = 0.5;
  model.coordinates[3].start = 0.4, model.coordinates[3].speed = -0.4;
  model.mass = {{1.0, 0.3, 0.0, 0.0}, {0.3, 2.0, 0.0, 0.0}, {0.0, 0.0, 1.5, -0.2}, {0.0, 0.0, -0.2, 1.0}};
  model.force = {"-q1", "-19.62 + q1'*q2'/10", "-q3/2", "cos(q4) - q4'/5"};
  model.constraints = {
      {.name = "psi", .level = Level::acceleration, .formula = "q4'' + q1*q2'' + q4''^3/20 - 0.3*cos(t) - q1'*q3'"},
      {.name = "phi", .level = Level::velocity, .formula = "q3*q1' - q3' + q2'^2/5 + sin(t)/5"},
      {.name = "f", .level = Level::position, .formula = "q1^2 + q2^2 + q4^2/4 = (1 + t/10)^2"}};
  model.simulation.from = 0.3;
  AtStart at(model);
  EXPECT_EQ(at.start.free_positions, 3);
  EXPECT_EQ(at.start.free_velocities, 2);
  EXPECT_LT(relative_error(at.start.state.q, vector(v["q"])), algebra);
  EXPECT_LT(relative_error(at.start.state.v, vector(v["v"])), algebra);
  EXPECT_LT(relative_error(Matrix(at.C.topRows(1)), matrix(v["C_p"])), algebra);
  EXPECT_LT(relative_error(Matrix(at.C.middleRows(1, 1)), matrix(v["C_v"])), algebra);
  EXPECT_NEAR(at.gamma[0], number(v["gamma_p"]), algebra);
  EXPECT_NEAR(at.gamma[1], number(v["gamma_v"]), algebra);
  at.system.nonlinear_rows(at.start.state, at.start.acceleration.vdot.data(), at.start.acceleration.lambda.data(),
                           at.dynamics.workspace());
  at.system.shape().C.scatter(at.dynamics.workspace().terms.C, at.C);
  EXPECT_LT(relative_error(Matrix(at.C.bottomRows(1)), matrix(v["C_a"])), algebra);
  EXPECT_LT(at.dynamics.workspace().terms.psi.norm(), algebra);
  expect_solution(at, v["vdot"], v["lambda"]);
}

}  // namespace
}  // namespace maggi::test
