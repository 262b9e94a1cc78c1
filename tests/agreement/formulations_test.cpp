// Every formulation gives the same v̇, the same reaction, and the same λ: on random systems of all kinds.
#include <gtest/gtest.h>

#include "base/decompositions.hpp"
#include "dynamics/dynamics.hpp"
#include "maggi/error.hpp"
#include "support/every_method.hpp"
#include "support/given_system.hpp"
#include "support/random_equations.hpp"

namespace maggi::test {
namespace {

/// Methods that form CᵀC or C M⁻¹ Cᵀ square the condition of C.
bool squares_condition(const Choice& choice) {
  return choice.formulation == "elimination" || choice.basis == "zero-eigenvalue" || choice.basis == "schur";
}

bool needs_mass_metric(const Choice& choice) {
  return choice.formulation == "range-space" || choice.formulation == "elimination" ||
         choice.formulation == "orthonormal" || choice.basis == "mass-gram-schmidt";
}

/// Null space in extended precision, for rows that are nearly dependent: error 5e-20 κ(C) κ(M). Full rank only.
Acceleration extended(const Equations& e) {
  using Extended = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const auto n = e.M.rows(), m = e.C.rows();
  const Extended M = e.M.cast<long double>(), C = e.C.cast<long double>();
  const Eigen::HouseholderQR<Extended> qr(C.transpose());
  const Extended Q = qr.householderQ() * Extended::Identity(n, n);
  const Extended Q1 = Q.leftCols(m), D = Q.rightCols(n - m);
  const Extended R = qr.matrixQR().topRows(m).template triangularView<Eigen::Upper>();
  const Extended d0 = Q1 * R.transpose().fullPivLu().solve(e.gamma.cast<long double>());
  const Extended y = (D.transpose() * M * D).fullPivLu().solve(D.transpose() * (e.h.cast<long double>() - M * d0));
  const Extended vdot = D * y + d0, r = M * vdot - e.h.cast<long double>();
  const Extended lambda = R.fullPivLu().solve(Q1.transpose() * r);
  return {vdot.cast<double>(), lambda.cast<double>(), r.cast<double>()};
}

/// The equations with a velocity and rates of their matrices, for the methods that use them: any will do.
Equations moving(Equations e, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto gauss = [&] { return normal(random); };
  e.v = Vector::NullaryExpr(e.n(), gauss);
  e.rate.M = Matrix::NullaryExpr(e.n(), e.n(), gauss);
  e.rate.M = (e.rate.M + e.rate.M.transpose()).eval();
  // C = Ĉ J moves with Ĉ and J; any Ĉ̇ will do
  e.rate.J = Matrix::NullaryExpr(e.J.rows(), e.n(), gauss);
  e.rate.C = Matrix::NullaryExpr(e.m(), e.J.rows(), gauss) * e.J + e.C * e.J.transpose() * e.rate.J;
  return e;
}

void expect_agreement(const Equations& e, double tolerance, const std::string& what) {
  SCOPED_TRACE(what);
  expect_agreement(GivenSystem(e), {0.0, Vector::Zero(e.n()), e.v}, e, tolerance);
}

TEST(Formulations, AgreeOnFullRank) {
  std::mt19937 random(1), motion(11);
  for (int trial = 0; trial < 1500; ++trial) {
    Kind kind;
    kind.n = 1 + trial % 12;
    kind.rank = trial % (kind.n + 1);
    kind.condition_M = 100.0;
    kind.condition_C = 10.0;
    // ε κ(M) κ(C)² and a factor for sizes up to 24
    expect_agreement(moving(random_equations(kind, random), motion), 100 * epsilon * 100.0 * 100.0, "full rank");
  }
}

TEST(Formulations, AgreeOnRedundantRows) {
  std::mt19937 random(2), motion(12);
  for (int trial = 0; trial < 1000; ++trial) {
    Kind kind;
    kind.n = 2 + trial % 10;
    kind.rank = 1 + trial % kind.n;
    kind.redundant = 1 + trial % 3;
    expect_agreement(moving(random_equations(kind, random), motion), 1000 * epsilon * 100.0 * 100.0, "redundant");
  }
}

TEST(Formulations, AgreeWhenConstraintsAreNearlyDependent) {
  std::mt19937 random(3);
  for (const double condition : {1e2, 1e4, 1e6, 1e8}) {
    for (int trial = 0; trial < 50; ++trial) {
      const Equations e = random_equations({.n = 8, .rank = 5, .condition_M = 10.0, .condition_C = condition}, random);
      const GivenSystem system(e);
      const Acceleration reference = extended(e);
      const State state{0.0, Vector::Zero(8), Vector::Zero(8)};
      for (const Choice& choice : all_choices()) {
        SCOPED_TRACE(choice.formulation + " " + choice.basis + " " + std::to_string(condition));
        Dynamics dynamics(system, choice.formulation, choice.basis);
        dynamics.decide_rows(state);
        ASSERT_EQ(dynamics.rank(), 5);
        Acceleration ours;
        const bool solved = dynamics.solve(state, ours);
        if (squares_condition(choice) && condition > 1e6) {
          EXPECT_FALSE(solved);  // refused with the reason, not answered wrongly
          EXPECT_NE(dynamics.explain(state).find("depend"), std::string::npos) << dynamics.explain(state);
          continue;
        }
        ASSERT_TRUE(solved) << dynamics.explain(state);
        // v̇ and the reaction: error ε κ(C) κ(M), or ε κ(C)² κ(M); λ carries one more κ(C)
        const double tolerance =
            squares_condition(choice) ? 10 * epsilon * condition * condition * 10.0 : 1000 * epsilon * condition * 10.0;
        EXPECT_LT((ours.vdot - reference.vdot).norm(), tolerance * (1.0 + reference.vdot.norm()));
        EXPECT_LT((ours.reaction - reference.reaction).norm(), tolerance * (1.0 + reference.reaction.norm()));
      }
    }
  }
}

TEST(Formulations, RowScalingChangesOnlyTheMultipliers) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Equations e = random_equations({.n = 6, .rank = 4}, random);
    Equations scaled = e;
    const Vector s{{1e3, 1e-3, 7.0, 0.2}};
    scaled.C = s.asDiagonal() * e.C;
    scaled.gamma = s.asDiagonal() * e.gamma;
    const GivenSystem one(e), other(scaled);
    const State state{0.0, Vector::Zero(6), Vector::Zero(6)};
    for (const Choice& choice : all_choices()) {
      Dynamics a(one, choice.formulation, choice.basis), b(other, choice.formulation, choice.basis);
      a.decide_rows(state), b.decide_rows(state);
      Acceleration x, y;
      ASSERT_TRUE(a.solve(state, x) && b.solve(state, y));
      const double tolerance = 1e-10;  // ε κ(M) κ(C)² = 2e-12, two digits to spare
      EXPECT_LT((x.vdot - y.vdot).norm(), tolerance * (1.0 + x.vdot.norm()));
      EXPECT_LT((x.reaction - y.reaction).norm(), tolerance * (1.0 + x.reaction.norm()));
      EXPECT_LT((x.lambda - s.asDiagonal() * y.lambda).norm(), tolerance * (1.0 + x.lambda.norm()));
    }
  }
}

TEST(Formulations, SingularMassMatrixIsSolvedOrRefusedWithTheReason) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    Equations e = random_equations({.n = 6, .rank = 3}, random);
    const Matrix U = random_orthogonal(6, random);
    Vector mass = Vector::Ones(6);
    mass[0] = 0.0;  // one direction without inertia; almost never admissible
    e.M = U * mass.asDiagonal() * U.transpose();
    e.M = (0.5 * (e.M + e.M.transpose())).eval();
    const Matrix Q = Matrix(e.C.transpose().colPivHouseholderQr().householderQ());
    const Matrix D = Q.rightCols(3);
    if (Eigen::FullPivLU<Matrix>(D.transpose() * e.M * D).rcond() < 1e-3) continue;
    const GivenSystem system(e);
    const Acceleration reference = extended(e);
    const State state{0.0, Vector::Zero(6), Vector::Zero(6)};
    for (const Choice& choice : all_choices()) {
      SCOPED_TRACE(choice.formulation + " " + choice.basis);
      Dynamics dynamics(system, choice.formulation, choice.basis);
      if (needs_mass_metric(choice)) {
        EXPECT_THROW(dynamics.decide_rows(state), Error) << "refused before anything is solved";
        continue;
      }
      dynamics.decide_rows(state);
      Acceleration ours;
      ASSERT_TRUE(dynamics.solve(state, ours)) << dynamics.explain(state);
      const double tolerance = 1e-9;  // κ(DᵀMD) ≤ 1e3, κ(C) ≤ 10, four digits to spare
      EXPECT_LT((ours.vdot - reference.vdot).norm(), tolerance * (1.0 + reference.vdot.norm()));
      EXPECT_LT((ours.lambda - reference.lambda).norm(), tolerance * (1.0 + reference.lambda.norm()));
    }
  }
}

}  // namespace
}  // namespace maggi::test
