// Every formulation gives the same v̇, the same reaction, and the same λ: on random systems of all kinds.
#include <gtest/gtest.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "maggi/formulation/dynamics.hpp"
#include "support/given_system.hpp"
#include "support/random_equations.hpp"

namespace maggi::test {
namespace {

struct Choice {
  std::string formulation, basis;
};

std::vector<Choice> all_choices() {
  std::vector<Choice> choices;
  for (const std::string& formulation : formulation_names())
    if (needs_basis(formulation))
      for (const std::string& basis : basis_names()) choices.push_back({formulation, basis});
    else
      choices.push_back({formulation, ""});
  return choices;
}

/// Methods that form CᵀC or C M⁻¹ Cᵀ square the condition of C.
bool squares_condition(const Choice& choice) {
  return choice.formulation == "elimination" || choice.basis == "zero-eigenvalue" || choice.basis == "schur";
}

bool needs_mass_metric(const Choice& choice) {
  return choice.formulation == "range-space" || choice.formulation == "elimination" ||
         choice.formulation == "orthonormal" || choice.basis == "mass-gram-schmidt";
}

/// An independent way: least squares of least norm on the whole system, by complete orthogonal decomposition.
Acceleration textbook(const Equations& e) {
  const int n = e.n(), m = e.m();
  Matrix K = Matrix::Zero(n + m, n + m);
  K << e.M, -e.C.transpose(), e.C, Matrix::Zero(m, m);
  Vector b(n + m);
  b << e.h, e.gamma;
  Eigen::CompleteOrthogonalDecomposition<Matrix> cod;
  cod.setThreshold(1e-11);
  cod.compute(K);
  const Vector x = cod.solve(b);
  return {x.head(n), x.tail(m), e.C.transpose() * x.tail(m)};
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

void expect_agreement(const Equations& e, double tolerance, const std::string& what) {
  const GivenSystem system(e);
  const Acceleration reference = textbook(e);
  const State state{0.0, Vector::Zero(e.n()), Vector::Zero(e.n())};
  for (const Choice& choice : all_choices()) {
    SCOPED_TRACE(what + " " + choice.formulation + " " + choice.basis);
    Dynamics dynamics(system, choice.formulation, choice.basis);
    dynamics.decide_rows(state);
    Acceleration ours;
    ASSERT_TRUE(dynamics.solve(state, ours)) << dynamics.explain(state);
    const double vdot_size = 1.0 + reference.vdot.norm(), force_size = 1.0 + reference.reaction.norm();
    EXPECT_LT((ours.vdot - reference.vdot).norm(), tolerance * vdot_size);
    EXPECT_LT((ours.reaction - reference.reaction).norm(), tolerance * force_size);
    EXPECT_LT((ours.lambda - reference.lambda).norm(), tolerance * (1.0 + reference.lambda.norm()));
    EXPECT_LT((e.C * ours.vdot - e.gamma).norm(), tolerance * (1.0 + e.gamma.norm()));
    EXPECT_LT((e.M * ours.vdot - e.h - e.C.transpose() * ours.lambda).norm(), tolerance * force_size);
  }
}

constexpr double epsilon = std::numeric_limits<double>::epsilon();

TEST(Formulations, AgreeOnFullRank) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 1500; ++trial) {
    Kind kind;
    kind.n = 1 + trial % 12;
    kind.rank = trial % (kind.n + 1);
    kind.condition_M = 100.0;
    kind.condition_C = 10.0;
    // ε κ(M) κ(C)² and a factor for sizes up to 24
    expect_agreement(random_equations(kind, random), 100 * epsilon * 100.0 * 100.0, "full rank");
  }
}

TEST(Formulations, AgreeOnRedundantRows) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    Kind kind;
    kind.n = 2 + trial % 10;
    kind.rank = 1 + trial % kind.n;
    kind.redundant = 1 + trial % 3;
    expect_agreement(random_equations(kind, random), 1000 * epsilon * 100.0 * 100.0, "redundant");
  }
}

TEST(Formulations, AgreeWhenConstraintsAreNearlyDependent) {
  std::mt19937 random(3);
  for (const double condition : {1e2, 1e4, 1e5, 1e8}) {
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
        if (squares_condition(choice) && condition >= 1e7) {
          EXPECT_FALSE(solved);  // refused with the reason, not answered wrongly
          EXPECT_NE(dynamics.explain(state).find("depend"), std::string::npos) << dynamics.explain(state);
          continue;
        }
        ASSERT_TRUE(solved) << dynamics.explain(state);
        // v̇ and the reaction: error ε κ(C) κ(M), or ε κ(C)² κ(M); λ carries one more κ(C)
        const double loss = squares_condition(choice) ? condition * condition : condition;
        const double tolerance = 1000 * epsilon * loss * 10.0;
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
    // nearly normal to a coordinate it would show only in rounding: pivots of M of size ε/u², taken for inertia
    if (U.col(0).cwiseAbs().minCoeff() < 0.05) continue;
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
      dynamics.decide_rows(state);
      Acceleration ours;
      const bool solved = dynamics.solve(state, ours);
      if (needs_mass_metric(choice)) {
        EXPECT_FALSE(solved);
        EXPECT_NE(dynamics.explain(state).find("mass matrix is not positive definite"), std::string::npos)
            << dynamics.explain(state);
        continue;
      }
      ASSERT_TRUE(solved) << dynamics.explain(state);
      const double tolerance = 1e-9;  // κ(DᵀMD) ≤ 1e3, κ(C) ≤ 10, four digits to spare
      EXPECT_LT((ours.vdot - reference.vdot).norm(), tolerance * (1.0 + reference.vdot.norm()));
      EXPECT_LT((ours.lambda - reference.lambda).norm(), tolerance * (1.0 + reference.lambda.norm()));
    }
  }
}

}  // namespace
}  // namespace maggi::test
