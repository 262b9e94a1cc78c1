#include "basis/projective.hpp"
#include "base/decompositions.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/largest.hpp"
#include "basis/gram_schmidt.hpp"
#include "support/random_equations.hpp"

namespace maggi {
namespace {

using test::Kind;
using test::random_equations;

/// cos²α as printed: b_iᵀ (C M⁻¹Cᵀ)⁻¹ b_i / (M⁻¹)_ii, b_i = C M⁻¹e_i. Full rank only.
Vector as_printed(const Matrix& M, const Matrix& C) {
  const Matrix inverse = M.inverse(), b = C * inverse;
  const Matrix Mc_inverse = (C * inverse * C.transpose()).inverse();
  Vector cos2(M.rows());
  for (int i = 0; i < cos2.size(); ++i) cos2[i] = b.col(i).dot(Mc_inverse * b.col(i)) / inverse(i, i);
  return cos2;
}

/// [C; unit rows]
Matrix completed(const Matrix& C, const std::vector<int>& coordinates) {
  Matrix both = Matrix::Zero(C.rows() + static_cast<Eigen::Index>(coordinates.size()), C.cols());
  both.topRows(C.rows()) = C;
  for (std::size_t j = 0; j < coordinates.size(); ++j) both(C.rows() + j, coordinates[j]) = 1.0;
  return both;
}

TEST(Projective, InitialAndRunningCosinesAreTheSame) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 2 + trial % 11;
    const Kind kind{.n = n, .rank = trial % n, .scale_spread = 10.0};
    const Equations e = random_equations(kind, random);
    MassGramSchmidtBasis basis(e.n(), e.m());
    ASSERT_TRUE(basis.compute(e));
    const Vector initial = cosines_squared(e.M, e.C), running = cosines_squared(basis.W(), basis.rank());
    const double tolerance = 1e3 * 2.2e-16 * kind.condition_M;  // ε κ(M) for L⁻¹; the angles know nothing of κ(C)² then
    EXPECT_LT(largest(initial - running), tolerance);
    if (e.m() == 0) continue;
    // the formula as printed forms and inverts C M⁻¹Cᵀ: ε κ(M)² κ(C)², the scaling of the rows included
    const double squared = 1e2 * 2.2e-16 * std::pow(kind.condition_M * 10.0 * 100.0, 2);
    EXPECT_LT(largest(initial - as_printed(e.M, e.C)), squared);
  }
}

TEST(Projective, CosinesDoNotDependOnHowTheConstraintsAreWritten) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Equations e = random_equations({.n = 7, .rank = 4, .redundant = 2, .scale_spread = 1e3}, random);
    const Matrix independent = random_equations({.n = 7, .rank = 4}, random).C;
    const Matrix T = test::random_orthogonal(4, random);
    const double tolerance = 1e-11;  // ε κ(M) κ(C), two digits to spare
    EXPECT_LT((cosines_squared(e.M, independent) - cosines_squared(e.M, T * independent)).norm(), tolerance);
    // all n coordinates together share rank C dimensions if they are mass-orthogonal
    const Matrix diagonal = e.M.diagonal().asDiagonal();
    EXPECT_NEAR(cosines_squared(diagonal, e.C).sum(), 4.0, tolerance);
  }
}

TEST(Projective, ExtremesAreUntouchedAndFixed) {
  const Matrix C{{0.0, 2.0, 0.0}};
  const Vector cos2 = cosines_squared(Matrix::Identity(3, 3), C);
  EXPECT_LT((cos2 - Vector{{0.0, 1.0, 0.0}}).norm(), 1e-15);
  EXPECT_EQ(free_coordinates(Matrix::Identity(3, 3), Matrix(0, 3)), (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(free_coordinates(Matrix::Identity(2, 2), Matrix{{1.0, 1.0}, {1.0, -1.0}}).empty());
}

TEST(Projective, TheSmallestCosinesAloneMayChooseADependentSet) {
  // null(C) = span{(1,1,0,0,0), (0,0,1,1,1)}: sin² = ½, ½, ⅓, ⅓, ⅓; the two freest coordinates are parallel there
  const Matrix C{{1, -1, 0, 0, 0}, {0, 0, 1, -1, 0}, {0, 0, 0, 1, -1}};
  const Matrix M = Matrix::Identity(5, 5);
  EXPECT_LT((cosines_squared(M, C) - Vector{{0.5, 0.5, 2.0 / 3, 2.0 / 3, 2.0 / 3}}).norm(), 1e-15);
  std::vector<int> paper = smallest_cosines(M, C);
  std::sort(paper.begin(), paper.end());
  EXPECT_EQ(paper, (std::vector<int>{0, 1}));
  EXPECT_EQ(Eigen::FullPivLU<Matrix>(completed(C, paper)).rank(), 4);
  EXPECT_EQ(Eigen::FullPivLU<Matrix>(completed(C, free_coordinates(M, C))).rank(), 5);
}

TEST(Projective, FreeCoordinatesCompleteTheRows) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 2 + trial % 11;
    const Equations e = random_equations({.n = n, .rank = trial % n}, random);
    const std::vector<int> chosen = free_coordinates(e.M, e.C);
    ASSERT_EQ(chosen.size(), n - e.m());
    const double smallest = Eigen::JacobiSVD<Matrix>(completed(e.C, chosen)).singularValues().minCoeff();
    EXPECT_GT(smallest, 1e-3);  // far from dependent: 1e-2 from κ(C) = 10 and κ(M)^½ = 10, a digit to spare
    EXPECT_EQ(chosen[0], smallest_cosines(e.M, e.C)[0]);  // the first choice is that of the paper
  }
}

TEST(Projective, DeflationOfTheSinesChoosesTheSameSet) {
  // the rule without a basis of the tangent space: s_i = 1 − cos²α_i; take the largest, orthonormalise its covector
  // against all before, subtract (w_i)²/(M⁻¹)_ii from all s_i
  std::mt19937 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 3 + trial % 8;
    const Equations e = random_equations({.n = n, .rank = 1 + trial % (n - 1)}, random);
    const Matrix inverse = e.M.inverse();
    Matrix W = Matrix::Zero(n, n);  // columns, orthonormal in the mass metric
    int found = 0;
    const auto orthonormalise = [&](Vector covector) {
      Vector w = inverse * covector;
      for (int twice = 0; twice < 2; ++twice)
        for (int j = 0; j < found; ++j) w -= W.col(j) * W.col(j).dot(e.M * w);
      W.col(found++) = w / std::sqrt(w.dot(e.M * w));
    };
    for (int i = 0; i < e.m(); ++i) orthonormalise(e.C.row(i).transpose());
    Vector sine2 = Vector::Ones(n) - cosines_squared(e.M, e.C);
    std::vector<int> deflated;
    while (found < n) {
      Eigen::Index freest;
      largest(sine2, &freest);
      deflated.push_back(static_cast<int>(freest));
      orthonormalise(Vector::Unit(n, freest));
      sine2 -= W.col(found - 1).cwiseAbs2().cwiseQuotient(inverse.diagonal());
    }
    EXPECT_EQ(free_coordinates(e.M, e.C), deflated);
  }
}

TEST(Projective, EquationsForMultipliersDetermineThem) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 2 + trial % 9;
    const Equations e = random_equations({.n = n, .rank = 1 + trial % n}, random);
    const std::vector<int> equations = equations_for_multipliers(e.M, e.C);
    ASSERT_EQ(equations.size(), e.m());
    const Vector lambda = Vector::Random(e.m());
    const Vector r = e.C.transpose() * lambda;
    const Matrix some = e.C.transpose()(equations, Eigen::all);
    const double condition = 1.0 / Eigen::FullPivLU<Matrix>(some).rcond();
    EXPECT_LT(condition, 1e5);  // κ(C) = 10, κ(M)^½ = 10, and what choosing equations may lose
    EXPECT_LT((some.fullPivLu().solve(r(equations)) - lambda).norm(), 100 * 2.2e-16 * condition * (1 + lambda.norm()));
  }
}

}  // namespace
}  // namespace maggi
