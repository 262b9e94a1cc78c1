// What every basis must do, whatever its method.
#include <gtest/gtest.h>
#include <Eigen/LU>

#include "basis/algebraic.hpp"
#include "basis/gram_schmidt.hpp"
#include "basis/huang.hpp"
#include "basis/lu.hpp"
#include "basis/selection.hpp"
#include "maggi/base/error.hpp"
#include "maggi/basis/basis.hpp"
#include "support/random_equations.hpp"

namespace maggi {
namespace {

using test::Kind;
using test::random_equations;

class EveryBasis : public testing::TestWithParam<std::string> {};

constexpr double rounding = 1e-12;  // ε κ(C)² of the methods that square it, κ(C) = 10, two digits to spare

TEST_P(EveryBasis, IsAComplementAndFindsTheRank) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    Kind kind;
    kind.n = 1 + trial % 9;
    kind.rank = trial % (kind.n + 1);
    kind.redundant = kind.rank > 0 ? trial % 3 : 0;
    kind.scale_spread = 1e3;
    const Equations e = random_equations(kind, random);
    const auto basis = make_basis(GetParam(), e.n(), e.m());
    ASSERT_TRUE(basis->compute(e));
    ASSERT_EQ(basis->rank(), kind.rank);
    const Matrix D = basis->D();
    ASSERT_EQ(D.cols(), kind.n - kind.rank);
    for (int i = 0; i < e.m(); ++i) EXPECT_LT((e.C.row(i) * D).norm(), rounding * e.C.row(i).norm() * (1.0 + D.norm()));
    if (D.cols() > 0) {
      EXPECT_EQ(Eigen::FullPivLU<Matrix>(D).rank(), D.cols());
      EXPECT_LT(basis->condition(), 1e4);
    }
    for (const int row : basis->dependent_rows()) EXPECT_TRUE(row >= 0 && row < e.m());
    if (!basis->dependent_rows().empty()) { EXPECT_EQ(basis->dependent_rows().size(), kind.redundant); }
  }
}

TEST_P(EveryBasis, ParticularSolutionAndMultipliers) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 300; ++trial) {
    Kind kind;
    kind.n = 1 + trial % 9;
    kind.rank = trial % (kind.n + 1);
    kind.scale_spread = 1e2;
    const Equations e = random_equations(kind, random);
    const auto basis = make_basis(GetParam(), e.n(), e.m());
    ASSERT_TRUE(basis->compute(e));
    Vector d0(e.n()), lambda(e.m());
    basis->particular(e.gamma, d0);
    EXPECT_LT((e.C * d0 - e.gamma).norm(), 1e-10 * (1.0 + e.gamma.norm()));  // κ(M) of the mass metric enters here
    const Vector expected = Vector::Random(e.m());
    basis->multipliers(e.C.transpose() * expected, lambda);
    EXPECT_LT((e.C.transpose() * (lambda - expected)).norm(), 1e-10 * (1.0 + expected.norm() * e.C.norm()));
  }
}

TEST_P(EveryBasis, ManyCallsOfOneObjectAgreeWithAFreshOne) {
  // the space is the same, whatever was chosen before
  std::mt19937 random(3);
  const auto basis = make_basis(GetParam(), 7, 6);
  for (int trial = 0; trial < 100; ++trial) {
    const Equations e = random_equations({.n = 7, .rank = 1 + trial % 5}, random);
    ASSERT_TRUE(basis->compute(e));
    EXPECT_LT((e.C * basis->D()).norm(), 1e-11 * (1.0 + basis->D().norm()));
    EXPECT_EQ(basis->D().cols(), 7 - e.m());
  }
}

INSTANTIATE_TEST_SUITE_P(Names, EveryBasis, testing::ValuesIn(basis_names().begin(), basis_names().end()),
                         [](const auto& name) {
                           std::string text = name.param;
                           std::replace(text.begin(), text.end(), '-', '_');
                           return text;
                         });

TEST(Bases, OrthonormalOnes) {
  std::mt19937 random(4);
  const Equations e = random_equations({.n = 8, .rank = 5}, random);
  for (const char* name : {"qr", "svd", "zero-eigenvalue", "schur", "putd", "qtz", "gram-schmidt", "huang"}) {
    const auto basis = make_basis(name, 8, 5);
    ASSERT_TRUE(basis->compute(e));
    EXPECT_LT((basis->D().transpose() * basis->D() - Matrix::Identity(3, 3)).norm(), 1e-13) << name;
  }
  const auto mass = make_basis("mass-gram-schmidt", 8, 5);
  ASSERT_TRUE(mass->compute(e));
  EXPECT_LT((mass->D().transpose() * e.M * mass->D() - Matrix::Identity(3, 3)).norm(), 1e-12);  // ε κ(M)
}

TEST(Bases, PartitionHasTheLargestVolume) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 50; ++trial) {
    const Equations e = random_equations({.n = 8, .rank = 4}, random);
    LuBasis basis(8, 4);
    basis.compute(e);
    EXPECT_LE(basis.X().cwiseAbs().maxCoeff(), 1.0 + 1e-8);
  }
}

TEST(Bases, HuangIsTheModifiedOne) {
  // on rows of a Hilbert matrix, scaled, plain Huang loses |C D| = 4e-7 and |DᵀD − 1| = 3e-3
  Matrix C(7, 12);
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 12; ++j) C(i, j) = 1.0 / (i + j + 1);
  for (int i = 0; i < 7; ++i) C.row(i).normalize();
  HuangBasis basis(12, 7);
  basis.compute({Matrix::Identity(12, 12), Vector::Zero(12), C, Vector::Zero(C.rows())});
  EXPECT_LT((C * basis.D()).norm(), 1e-14);
  EXPECT_LT((basis.D().transpose() * basis.D() - Matrix::Identity(basis.D().cols(), basis.D().cols())).norm(), 1e-13);
}

TEST(Bases, TheSmallestCosinesAloneMayChooseADependentSet) {
  // null(C) = span{(1,1,0,0,0), (0,0,1,1,1)}: the two freest coordinates are 1 and 2, and they are parallel there
  const Matrix D{{1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 1}};
  const Matrix Q = Matrix(Eigen::HouseholderQR<Matrix>(D).householderQ());
  const Matrix C = Q.rightCols(3).transpose();
  const auto chosen = choose_supplement(Matrix::Identity(5, 5), C);
  ASSERT_EQ(chosen.size(), 2u);
  Matrix both(5, 5);
  both.topRows(3) = C;
  both.bottomRows(2).setZero();
  both(3, chosen[0]) = both(4, chosen[1]) = 1.0;
  EXPECT_EQ(Eigen::FullPivLU<Matrix>(both).rank(), 5);  // greedy with deflation
  both.bottomRows(2).setZero();
  both(3, 0) = both(4, 1) = 1.0;
  EXPECT_EQ(Eigen::FullPivLU<Matrix>(both).rank(), 4);  // the criterion of the paper
}

TEST(Bases, HouseholderFormEqualsTheRecursion) {
  // w_i* = v_i*/|v_i|, v_i* = p_i* − Σ (w_jᵀp_i*) w_j*, |v|² = v*ᵀM⁻¹v*  [Blajer1993 (3.1),(3.2) corrected]
  std::mt19937 random(6);
  for (int trial = 0; trial < 50; ++trial) {
    const Equations e = random_equations({.n = 7, .rank = 4}, random);
    MassGramSchmidtBasis basis(7, 4);
    ASSERT_TRUE(basis.compute(e));
    Matrix P = Matrix::Zero(7, 7), W(7, 7), W_star(7, 7);
    for (int i = 0; i < 4; ++i) P.col(i) = e.C.row(basis.rows()[i]).transpose();
    for (int j = 4; j < 7; ++j) P(basis.supplement()[j - 4], j) = 1.0;
    const Eigen::LLT<Matrix> llt(e.M);
    for (int i = 0; i < 7; ++i) {
      Vector v = P.col(i);
      for (int j = 0; j < i; ++j) v -= W.col(j).dot(P.col(i)) * W_star.col(j);
      const double norm = std::sqrt(v.dot(llt.solve(v)));
      W_star.col(i) = v / norm;
      W.col(i) = llt.solve(W_star.col(i));
    }
    EXPECT_LT((W - basis.W()).norm(), 1e-11 * W.norm());  // Gram-Schmidt once: ε κ(P)² κ(M)
    EXPECT_LT((W_star - basis.W_star()).norm(), 1e-11 * W_star.norm());
  }
}

TEST(Bases, UnknownName) {
  try {
    make_basis("svdd", 2, 1);
    FAIL();
  } catch (const Error& error) { EXPECT_STREQ(error.what(), "no basis is named \"svdd\" (did you mean \"svd\"?)"); }
}

}  // namespace
}  // namespace maggi
