// Ḋ of the bases that have one, against differences of D along the motion of the models.
#include <gtest/gtest.h>

#include "maggi/basis/basis.hpp"
#include "maggi/integration/initial_conditions.hpp"
#include "maggi/system/equation_system.hpp"
#include "support/reference.hpp"

namespace maggi::test {
namespace {

struct Matrices {
  Matrix M, C, Mdot, Cdot;
};

Matrices at(const EquationSystem& system, Workspace& w, const State& state, const Vector& vdot) {
  const Shape& s = system.shape();
  Matrices result{Matrix(s.n(), s.n()), Matrix(s.m(), s.n()), Matrix(s.n(), s.n()), Matrix(s.m(), s.n())};
  system.acceleration(state, w);
  s.M.scatter(w.terms.M, result.M);
  s.C.scatter(w.terms.C, result.C);
  system.rates(state, vdot.data(), w);
  s.M.scatter(w.terms.Mdot, result.Mdot);
  s.C.scatter(w.terms.Cdot, result.Cdot);
  return result;
}

class BasisRate : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(BasisRate, EqualsTheDifference) {
  const auto [name, model] = GetParam();
  const EquationSystem system(read_example(model));
  Dynamics dynamics(system);
  const InitialConditions start = find_initial_conditions(dynamics, system.start());
  const Vector& vdot = start.acceleration.vdot;
  State state = start.state;
  if (state.v.norm() == 0.0) state.v.setOnes();  // D is a function of q, also off the constraints
  const auto workspace = system.workspace();
  const auto basis = make_basis(name, system.shape().n(), system.shape().m());

  // fourth-order differences: step⁴ of truncation and ε/step of rounding meet near 1e-3 of the time scale of the motion
  const double step = 1e-3 / (1.0 + state.v.norm() + std::sqrt(vdot.norm()));
  const auto D_at = [&](double time) {
    const State moved{state.t + time, state.q + time * state.v + 0.5 * time * time * vdot, state.v + time * vdot};
    const Matrices m = at(system, *workspace, moved, vdot);
    EXPECT_TRUE(basis->compute(m.M, m.C));
    return Matrix(basis->D());
  };
  D_at(0.0);
  const int selections = basis->selections();
  const Matrix difference = (8.0 * (D_at(step) - D_at(-step)) - (D_at(2 * step) - D_at(-2 * step))) / (12.0 * step);
  const Matrices m = at(system, *workspace, state, vdot);
  ASSERT_TRUE(basis->compute(m.M, m.C));
  ASSERT_EQ(basis->selections(), selections);  // the choice is frozen
  Matrix Ddot;
  ASSERT_TRUE(basis->rate(m.Mdot, m.Cdot, Ddot));
  EXPECT_LT((Ddot - difference).norm(), 1e-9 * (1.0 + Ddot.norm()));
}

INSTANTIATE_TEST_SUITE_P(All, BasisRate,
                         testing::Combine(testing::Values("algebraic", "lu", "gram-schmidt", "mass-gram-schmidt"),
                                          testing::Values("moving_pendulum", "four_bar_cut_ground", "four_bar_slider",
                                                          "spatial_four_bar", "andrews_squeezer", "car_axis",
                                                          "chaplygin_sleigh")));

TEST(BasisRate, TheOthersHaveNone) {
  for (const char* name : {"qr", "svd", "zero-eigenvalue", "schur", "putd", "qtz", "huang"}) {
    const auto basis = make_basis(name, 3, 1);
    basis->compute(Matrix::Identity(3, 3), Matrix{{1.0, 2.0, 3.0}});
    Matrix Ddot;
    EXPECT_FALSE(basis->rate(Matrix::Zero(3, 3), Matrix::Zero(1, 3), Ddot)) << name;
  }
}

}  // namespace
}  // namespace maggi::test
