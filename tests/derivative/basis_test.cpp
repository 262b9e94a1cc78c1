// Ḋ of the bases that have one, against differences of D along the motion of the models.
#include <gtest/gtest.h>

#include "base/decompositions.hpp"
#include "basis/continuity.hpp"
#include "dynamics/dynamics.hpp"
#include "maggi/expert/bases.hpp"
#include "start/initial_conditions.hpp"
#include "support/random_equations.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

Equations at(const EquationSystem& system, Workspace& w, const State& state, const Vector& vdot) {
  const Shape& s = system.shape();
  Equations result{Matrix(s.n(), s.n()), w.terms.h, Matrix(s.m(), s.n()), w.terms.gamma};
  result.J.resize(s.nx(), s.n());
  result.rate = {Matrix(s.n(), s.n()), Matrix(s.m(), s.n()), Matrix(s.nx(), s.n())};
  system.acceleration(state, w);
  s.M.scatter(w.terms.M, result.M);
  s.C.scatter(w.terms.C, result.C);
  s.J.scatter(w.terms.J, result.J);
  system.rates(state, vdot.data(), w);
  s.M.scatter(w.terms.Mdot, result.rate.M);
  s.C.scatter(w.terms.Cdot, result.rate.C);
  s.J.scatter(w.terms.Jdot, result.rate.J);
  return result;
}

/// "": the one that the basis takes by itself.
std::optional<Continuity> named(const std::string& continuity) {
  if (continuity.empty()) return std::nullopt;
  return maggi::Choice<Continuity>(continuity).value();
}

/// Basis and continuity, model.
class BasisRate : public testing::TestWithParam<std::tuple<std::pair<const char*, const char*>, const char*>> {};

TEST_P(BasisRate, EqualsTheDifference) {
  const auto [choice, model] = GetParam();
  const EquationSystem system(read_example(model));
  Dynamics dynamics(system);
  const InitialConditions start = find_initial_conditions(dynamics, system.start());
  const Vector& vdot = start.acceleration.vdot;
  State state = start.state;
  if (state.v.norm() == 0.0) state.v.setOnes();  // D is a function of q, also off the constraints
  const auto workspace = system.workspace();
  const auto basis = make_smooth_basis(choice.first, named(choice.second), system.shape().n(), system.shape().m());

  const auto moved = [&](double time) {
    return State{state.t + time, state.q + time * state.v + 0.5 * time * time * vdot, state.v + time * vdot};
  };
  // fourth-order differences: step⁴ of truncation and ε/step of rounding meet near 1e-3 of the time scale of the motion
  const double step = 1e-3 / (1.0 + state.v.norm() + std::sqrt(vdot.norm()));
  // the choices, and the reference of an aligned basis, are made some way off
  ASSERT_TRUE(basis->compute(at(system, *workspace, moved(-50 * step), vdot)));
  basis->hold(true);
  const auto after = [&](double time, const auto& value) {
    EXPECT_TRUE(basis->compute(at(system, *workspace, moved(time), vdot)));
    return value();
  };
  const auto difference = [&](const auto& value) {
    return Matrix(
        (8.0 * (after(step, value) - after(-step, value)) - (after(2 * step, value) - after(-2 * step, value))) /
        (12.0 * step));
  };
  const Vector velocity = state.v;
  const auto D = [&] { return Matrix(basis->D()); };
  const auto u = [&] {  // of the velocity that belongs to the state
    Vector tangent(basis->D().cols());
    basis->tangent(velocity, tangent);
    return Matrix(tangent);
  };
  const Matrix D_difference = difference(D);
  const Matrix Z_difference = difference(u);  // Żᵀv at fixed v

  const Equations m = at(system, *workspace, state, vdot);
  ASSERT_TRUE(basis->compute(m));
  Matrix Ddot;
  ASSERT_TRUE(basis->rate(m.rate, Ddot));
  EXPECT_LT((Ddot - D_difference).norm(), 1e-9 * (1.0 + Ddot.norm()));
  Vector udot(Ddot.cols());
  ASSERT_TRUE(basis->tangent_rate(m.rate, state.v, Vector::Zero(state.v.size()), udot));
  EXPECT_LT((udot - Z_difference).norm(), 1e-9 * (1.0 + udot.norm()));

  // ZᵀD = 1, Zᵀd₀ = 0
  Vector d0(state.v.size()), none(Ddot.cols());
  basis->particular(Vector::Ones(m.C.rows()), d0);
  basis->tangent(d0, none);
  EXPECT_LT(none.norm(), 1e-11 * (1.0 + d0.norm()));  // ε κ(C), three digits left
  for (Eigen::Index j = 0; j < Ddot.cols(); ++j) {
    basis->tangent(basis->D().col(j), none);
    EXPECT_LT((none - Vector::Unit(Ddot.cols(), j)).norm(), 1e-11);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BasisRate,
    testing::Combine(testing::Values(std::pair("algebraic", ""), std::pair("lu", ""), std::pair("gram-schmidt", ""),
                                     std::pair("mass-gram-schmidt", ""), std::pair("qr", "procrustes"),
                                     std::pair("svd", "procrustes"), std::pair("qtz", "procrustes-mass"),
                                     std::pair("huang", "warm-start"), std::pair("svd", "warm-start")),
                     testing::Values("moving_pendulum", "four_bar_cut_ground", "four_bar_slider", "spatial_four_bar",
                                     "andrews_squeezer", "car_axis", "chaplygin_sleigh")));

INSTANTIATE_TEST_SUITE_P(Local, BasisRate,
                         testing::Combine(testing::Values(std::pair("local", "")),
                                          testing::Values("four_bar_cut_ground", "four_bar_cut_coupler",
                                                          "four_bar_slider")));

/// At its reference an aligned basis moves by the natural connection.
TEST(BasisRate, IsTheNaturalConnectionAtTheReference) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 50; ++trial) {
    Equations e = random_equations({.n = 7, .rank = 3}, random);
    e.rate = {Matrix::Random(7, 7), Matrix::Random(3, 7), {}};
    e.rate.M = (e.rate.M + e.rate.M.transpose()).eval();
    const Matrix Minv = e.M.inverse();
    for (const std::string kind : {"procrustes", "warm-start", "procrustes-mass"}) {
      const auto basis = make_smooth_basis("svd", named(kind), 7, 3);
      ASSERT_TRUE(basis->compute(e));
      const Matrix D = basis->D(), G = kind == "procrustes-mass" ? Minv : Matrix::Identity(7, 7);
      const Matrix GCt = G * e.C.transpose(), CGCt = e.C * GCt, CdotD = e.rate.C * D;
      Matrix expected = -(GCt * Matrix(CGCt.partialPivLu().solve(CdotD)));
      if (kind == "procrustes-mass") expected -= 0.5 * D * (D.transpose() * e.rate.M * D);
      Matrix Ddot;
      ASSERT_TRUE(basis->rate(e.rate, Ddot));
      EXPECT_LT((Ddot - expected).norm(), 1e-10 * (1.0 + expected.norm())) << kind;  // ε κ(M) κ(C)² = 2e-12
    }
  }
}

TEST(BasisRate, TheOthersHaveNone) {
  for (const char* name : {"qr", "svd", "zero-eigenvalue", "schur", "putd", "qtz", "huang", "gram-schmidt-deflation"}) {
    const auto basis = make_basis(name, 3, 1);
    basis->compute({Matrix::Identity(3, 3), Vector::Zero(3), Matrix{{1.0, 2.0, 3.0}}, Vector::Zero(1)});
    Matrix Ddot;
    EXPECT_FALSE(basis->rate({Matrix::Zero(3, 3), Matrix::Zero(1, 3), {}}, Ddot)) << name;
  }
}

}  // namespace
}  // namespace maggi::test
