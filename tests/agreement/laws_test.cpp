// Constraints with laws on random systems: every formulation that takes them agrees with the 2n equations of Dinh2002
// in (v̇, r), and all solutions are counted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/decompositions.hpp"
#include "dynamics/dynamics.hpp"
#include "maggi/expert/formulations.hpp"
#include "support/random_equations.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

/// Friction of the first constraints along random directions: τ_i + μ_i |λ_i| σ_i = 0.
struct Rough {
  Equations e;
  Matrix T;
  Vector mu;  // with the sign of σ
};

Rough random_rough(int n, int rows, int laws, double largest, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> coefficient(-largest, largest);
  Rough rough;
  rough.e = random_equations({.n = n, .rank = rows, .condition_M = 10.0, .condition_C = 3.0}, random);
  rough.T = Matrix::NullaryExpr(n, laws, [&] { return normal(random); });
  rough.mu = Vector::NullaryExpr(laws, [&] { return coefficient(random); });
  return rough;
}

/// The same as a model: numbers with all their digits, one constraint and one law by formula each.
Model as_model(const Rough& rough) {
  const Equations& e = rough.e;
  Model model;
  for (int i = 0; i < e.n(); ++i) {
    model.coordinates.push_back({.name = fmt::format("q{}", i)});
    model.mass.emplace_back();
    for (int j = 0; j < e.n(); ++j) model.mass.back().emplace_back(e.M(i, j));
    model.force.emplace_back(e.h[i]);
  }
  for (int i = 0; i < e.m(); ++i) {
    std::string text;
    for (int j = 0; j < e.n(); ++j) text += fmt::format("+ ({:.17g})*q{}''", e.C(i, j), j);
    model.constraints.push_back({.name = fmt::format("c{}", i),
                                 .level = Level::acceleration,
                                 .formula = fmt::format("{} = {:.17g}", text, e.gamma[i])});
  }
  for (int k = 0; k < rough.T.cols(); ++k) {
    Law law;
    law.name = fmt::format("drag{}", k);
    law.formula = fmt::format("force.drag{0} + ({1:.17g})*abs(lambda.c{0})", k, rough.mu[k]);
    for (int j = 0; j < e.n(); ++j) law.along.push_back({fmt::format("q{}", j), Formula(rough.T(j, k))});
    model.laws.push_back(law);
  }
  return model;
}

/// (v̇, r) for given signs of the reactions: M v̇ − r = h, C v̇ = γ, D₁ᵀr = 0, and the laws on [λ; τ] = [Cᵀ T]⁺ r.
struct CompatibilityForm {
  Vector vdot, lambda, tau;

  CompatibilityForm(const Rough& rough, const Vector& signs) {
    const auto& [M, h, C, gamma, J, v, rate, G] = rough.e;
    const Eigen::Index n = M.rows(), m = C.rows(), f = rough.T.cols();
    Matrix directions(n, m + f);
    directions << C.transpose(), rough.T;
    const Matrix Q = directions.householderQr().householderQ();
    const Matrix D1 = Q.rightCols(n - m - f), pseudo = directions.completeOrthogonalDecomposition().pseudoInverse();
    Matrix laws = pseudo.bottomRows(f);
    for (Eigen::Index k = 0; k < f; ++k) laws.row(k) += rough.mu[k] * signs[k] * pseudo.row(k);
    Matrix A = Matrix::Zero(2 * n, 2 * n);
    A.topLeftCorner(n, n) = M;
    A.topRightCorner(n, n) = -Matrix::Identity(n, n);
    A.block(n, 0, m, n) = C;
    A.block(n + m, n, n - m - f, n) = D1.transpose();
    A.bottomRightCorner(f, n) = laws;
    Vector b = Vector::Zero(2 * n);
    b.head(n) = h;
    b.segment(n, m) = gamma;
    const Vector x = A.fullPivLu().solve(b);
    vdot = x.head(n);
    const Vector forces = pseudo * x.tail(n);
    lambda = forces.head(m);
    tau = forces.tail(f);
  }

  bool has(const Vector& signs) const {
    for (Eigen::Index k = 0; k < signs.size(); ++k)
      if (lambda[k] * signs[k] < 0.0) return false;
    return true;
  }
};

std::vector<CompatibilityForm> all_solutions(const Rough& rough) {
  std::vector<CompatibilityForm> found;
  for (int pattern = 0; pattern < 1 << rough.mu.size(); ++pattern) {
    const Vector signs =
        Vector::NullaryExpr(rough.mu.size(), [&](Eigen::Index k) { return pattern >> k & 1 ? -1.0 : 1.0; });
    const CompatibilityForm form(rough, signs);
    if (form.has(signs)) found.push_back(form);
  }
  return found;
}

// κ(M) = 10, κ(C) = 3 by construction; the determinant of the laws may be as small as 0.1: nine digits are left of 16
constexpr double tolerance = 1e-9;

TEST(Laws, EveryFormulationAgreesWithTheCompatibilityFormInReactions) {
  std::mt19937 random(7);
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 4 + trial % 4, rows = 1 + trial % 3, laws = 1 + trial % std::min(rows, n - rows);
    const Rough rough = random_rough(n, rows, laws, 0.3, random);
    const EquationSystem system(as_model(rough));
    const State state{0.0, Vector::Zero(n), Vector::Zero(n)};
    for (const std::string& formulation : nonideal_formulation_names()) {
      SCOPED_TRACE(fmt::format("{} {}", formulation, trial));
      Dynamics dynamics(system, formulation);
      dynamics.decide_rows(state);
      const LawSolutions solutions = dynamics.law_solutions(state);
      if (solutions.determinant < 0.1) continue;
      Acceleration a;
      ASSERT_TRUE(dynamics.solve(state, a)) << dynamics.explain(state);
      const Vector signs = a.lambda.head(laws).unaryExpr([](double x) { return x < 0.0 ? -1.0 : 1.0; });
      const CompatibilityForm expected(rough, signs);
      EXPECT_LT((a.vdot - expected.vdot).norm(), tolerance * (1.0 + expected.vdot.norm()));
      EXPECT_LT((a.lambda - expected.lambda).norm(), tolerance * (1.0 + expected.lambda.norm()));
      EXPECT_LT((a.tau - expected.tau).norm(), tolerance * (1.0 + expected.tau.norm()));
      EXPECT_LT((rough.e.M * a.vdot - rough.e.h - a.reaction).norm(), tolerance * (1.0 + a.reaction.norm()));
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);  // of 600: not too many were skipped
}

TEST(Laws, FormulationsAgreeOnAnyDirections) {
  std::mt19937 random(10);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 2 + trial % 7, rows = 1 + trial % (n - 1);
    Equations e = random_equations({.n = n, .rank = rows, .condition_M = 10.0, .condition_C = 3.0}, random);
    e.G = e.C.transpose() + 0.3 * Matrix::NullaryExpr(n, rows, [&] { return normal(random); });
    Matrix K(n + rows, n + rows);
    K << e.M, -e.G, e.C, Matrix::Zero(rows, rows);
    const Eigen::FullPivLU<Matrix> lu(K);
    if (lu.rcond() < 1e-4) continue;
    Vector b(n + rows);
    b << e.h, e.gamma;
    const Vector expected = lu.solve(b);
    for (const std::string& formulation : nonideal_formulation_names()) {
      SCOPED_TRACE(fmt::format("{} {}", formulation, trial));
      Vector vdot(n), lambda(rows);
      ASSERT_TRUE(make_formulation(formulation, "", n, rows)->solve(e, vdot, lambda));
      const double rounding = 1e-9;  // κ(K) ≤ 1e4, three digits to spare
      EXPECT_LT((vdot - expected.head(n)).norm(), rounding * (1.0 + expected.norm()));
      EXPECT_LT((lambda - expected.tail(rows)).norm(), rounding * (1.0 + expected.norm()));
    }
  }
}

TEST(Laws, PositiveDeterminantsMeanOneSolution) {
  std::mt19937 random(8);
  int unique = 0, none = 0, several = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 5, rows = 1 + trial % 3, laws = 1 + trial % std::min(rows, n - rows);
    const Rough rough = random_rough(n, rows, laws, 3.0, random);
    const EquationSystem system(as_model(rough));
    const State state{0.0, Vector::Zero(n), Vector::Zero(n)};
    Dynamics dynamics(system);
    dynamics.decide_rows(state);
    const LawSolutions solutions = dynamics.law_solutions(state);
    if (std::abs(solutions.determinant) < 0.01) continue;  // nearly singular: rounding decides
    const std::vector<CompatibilityForm> expected = all_solutions(rough);
    if (solutions.unique()) {
      EXPECT_EQ(expected.size(), 1u) << trial;
      ++unique;
      continue;
    }
    EXPECT_EQ(solutions.found.size(), expected.size()) << trial;
    for (const CompatibilityForm& one : expected)
      EXPECT_TRUE(std::ranges::any_of(solutions.found, [&](const LawSolutions::Forces& forces) {
        return (forces.lambda - one.lambda).norm() < 1e-7 * (1.0 + one.lambda.norm());  // determinants down to 0.01
      })) << trial;
    (expected.empty() ? none : several) += 1;
  }
  EXPECT_GT(unique, 20);
  EXPECT_GT(none, 10);
  EXPECT_GT(several, 10);
}

/// τ of τ = −μ ‖λ‖ with λ = λ₀ + Λ τ: the roots of τ² = μ² ‖λ₀ + Λ τ‖² that have the sign of −μ.
std::vector<double> roots(const Rough& rough) {
  const auto& [M, h, C, gamma, J, v, rate, G] = rough.e;
  const Matrix inverse = M.inverse(), Mc = C * inverse * C.transpose();
  const Vector lambda0 = Mc.fullPivLu().solve(gamma - C * inverse * h);
  const Vector Lambda = -Mc.fullPivLu().solve(C * inverse * rough.T.col(0));
  const double mu2 = rough.mu[0] * rough.mu[0];
  const double a = 1 - mu2 * Lambda.squaredNorm(), b = -2 * mu2 * lambda0.dot(Lambda), c = -mu2 * lambda0.squaredNorm();
  const double discriminant = b * b - 4 * a * c;
  if (discriminant < 0.0) return {};
  std::vector<double> found;
  for (const double sign : {1.0, -1.0}) {
    const double tau = (-b + sign * std::sqrt(discriminant)) / (2 * a);
    if (tau * rough.mu[0] < 0.0) found.push_back(tau);
  }
  return found;
}

TEST(Laws, TheLengthOfTwoReactions) {
  std::mt19937 random(9);
  std::vector<int> count(3, 0);
  for (int trial = 0; trial < 200; ++trial) {
    const Rough rough = random_rough(5, 2, 1, trial % 2 == 0 ? 0.2 : 2.0, random);
    Model model = as_model(rough);
    model.laws[0].formula =
        fmt::format("force.drag0 + ({:.17g})*sqrt(lambda.c0^2 + lambda.c1^2 + 1e-300)", rough.mu[0]);
    const EquationSystem system(model);
    const State state{0.0, Vector::Zero(5), Vector::Zero(5)};
    const std::vector<double> expected = roots(rough);
    for (const std::string& formulation : nonideal_formulation_names()) {
      SCOPED_TRACE(fmt::format("{} {}", formulation, trial));
      Dynamics dynamics(system, formulation);
      dynamics.decide_rows(state);
      const LawSolutions solutions = dynamics.law_solutions(state);
      if (std::abs(solutions.determinant) < 0.01) continue;  // nearly singular: rounding decides
      if (!solutions.unique()) {
        EXPECT_EQ(solutions.found.size(), expected.size());
        continue;
      }
      ASSERT_EQ(expected.size(), 1u);
      Acceleration a;
      ASSERT_TRUE(dynamics.solve(state, a)) << dynamics.explain(state);
      const auto& [M, h, C, gamma, J, v, rate, G] = rough.e;
      EXPECT_LT((M * a.vdot - h - C.transpose() * a.lambda - rough.T * a.tau).norm(), tolerance * (1.0 + h.norm()));
      EXPECT_LT((C * a.vdot - gamma).norm(), tolerance * (1.0 + a.vdot.norm()));
      EXPECT_NEAR(a.tau[0], expected[0], 1e-7 * (1.0 + std::abs(expected[0])));  // determinants down to 0.01
    }
    ++count[expected.size()];
  }
  EXPECT_GT(count[0], 10);
  EXPECT_GT(count[1], 50);
  EXPECT_GT(count[2], 10);
}

}  // namespace
}  // namespace maggi::test
