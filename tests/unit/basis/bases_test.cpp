// What every basis must do, whatever its method.
#include <gtest/gtest.h>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "basis/algebraic.hpp"
#include "basis/zero_eigenvalue.hpp"
#include "basis/gram_schmidt.hpp"
#include "basis/huang.hpp"
#include "basis/local.hpp"
#include "basis/lu.hpp"
#include "basis/svd.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"
#include "support/random_equations.hpp"
#include "support/random_motion.hpp"

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
    EXPECT_LT((e.C * basis->D()).norm(), 1e-11 * (1.0 + basis->D().norm()));  // ε κ(C), four digits left
    EXPECT_EQ(basis->D().cols(), 7 - e.m());
  }
}

TEST_P(EveryBasis, ForgetsThatRowsWereDependent) {
  Equations e{Matrix::Identity(4, 4), Vector::Zero(4), Matrix{{1.0, 2.0, 0.0, 1.0}, {2.0, 4.0, 0.0, 2.0}},
              Vector::Zero(2), Matrix::Identity(4, 4)};
  const auto basis = make_basis(GetParam(), 4, 2);
  ASSERT_TRUE(basis->compute(e));
  EXPECT_EQ(basis->rank(), 1);
  e.C(1, 2) = 0.5;
  ASSERT_TRUE(basis->compute(e));
  EXPECT_EQ(basis->rank(), 2);
  EXPECT_LT((e.C * basis->D()).norm(), rounding);
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
  for (const char* name :
       {"qr", "svd", "zero-eigenvalue", "schur", "putd", "qtz", "gram-schmidt", "gram-schmidt-deflation", "huang"}) {
    const auto basis = make_basis(name, 8, 5);
    ASSERT_TRUE(basis->compute(e));
    EXPECT_LT((basis->D().transpose() * basis->D() - Matrix::Identity(3, 3)).norm(), 1e-13) << name;  // 8 × 3 roundings
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
    EXPECT_LE(largest(basis.X()), 1.0 + 1e-8);  // an exchange must gain 1e-9
  }
}

/// Huang's method as first published: each projection applied once.
Matrix plain_huang(const Matrix& C) {
  const Eigen::Index n = C.cols();
  Matrix H = Matrix::Identity(n, n);
  for (Eigen::Index i = 0; i < C.rows(); ++i) {
    const Vector p = H * C.row(i).transpose();
    H -= p * p.transpose() / p.squaredNorm();
  }
  Matrix D(n, n - C.rows());
  for (Eigen::Index j = 0; j < D.cols(); ++j) {
    Eigen::Index freest;
    largest(H.diagonal(), &freest);
    D.col(j) = H.col(freest).normalized();
    H -= D.col(j) * D.col(j).transpose();
  }
  return D;
}

TEST(Bases, HuangIsTheModifiedOne) {
  // rows of a Hilbert matrix, scaled: κ(C) = 1e7 costs the plain method half of its digits, and the modified one none
  Matrix C(7, 12);
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 12; ++j) C(i, j) = 1.0 / (i + j + 1);
  for (int i = 0; i < 7; ++i) C.row(i).normalize();
  HuangBasis basis(12, 7);
  basis.compute({Matrix::Identity(12, 12), Vector::Zero(12), C, Vector::Zero(7)});
  const Matrix D = basis.D(), plain = plain_huang(C), one = Matrix::Identity(5, 5);
  EXPECT_LT((C * D).norm(), 1e-14);  // a second projection removes all but rounding
  EXPECT_LT((D.transpose() * D - one).norm(), 1e-14);
  EXPECT_GT((C * plain).norm(), 1e-8);
  EXPECT_GT((plain.transpose() * plain - one).norm(), 1e-5);
}

TEST(Bases, HuangNeverStartsFromAVectorThatIsAnnihilated) {
  // the admissible motions are at right angles to the first coordinates, whose unit vectors would give d = 0
  for (int fixed = 0; fixed < 6; ++fixed) {
    const Matrix C = Matrix::Identity(fixed, 6);
    HuangBasis basis(6, 6);
    ASSERT_TRUE(basis.compute({Matrix::Identity(6, 6), Vector::Zero(6), C, Vector::Zero(fixed)}));
    ASSERT_EQ(basis.D().cols(), 6 - fixed);
    EXPECT_EQ(Matrix(basis.D().transpose() * basis.D()), Matrix::Identity(6 - fixed, 6 - fixed));
    EXPECT_EQ((C * basis.D()).norm(), 0.0);
  }
}

/// Largest ‖D(t + dt) − D(t)‖ along a path.
double largest_step(Basis& basis, const test::RandomMotion& motion, double dt) {
  Matrix last;
  Largest step;
  for (double t = 0.0; t < 1.0; t += dt) {
    const Matrix C = motion.C(t);
    EXPECT_TRUE(basis.compute({motion.M(t), Vector::Zero(C.cols()), C, Vector::Zero(C.rows())}));
    const Matrix D = basis.D();
    if (t > 0.0) step.note((D - last).norm());
    last = D;
  }
  return step.value();
}

TEST(Bases, GramMatrixRefusesWhatIsNotFinite) {
  ZeroEigenvalueBasis basis(4, 2);
  for (int i = 0; i < 8; ++i) {
    Equations e{Matrix::Identity(4, 4), Vector::Zero(4), Matrix::Identity(2, 4), Vector::Zero(2)};
    ASSERT_TRUE(basis.compute(e));
    e.C(i % 2, i / 2) = NAN;
    EXPECT_FALSE(basis.compute(e));
    EXPECT_EQ(basis.why(), "the constraints are not finite");
  }
}

TEST(Bases, HuangFollowsAMotionWhereSingularVectorsJump) {
  std::mt19937 random(7);
  int jumps = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const test::RandomMotion motion(7, 3, random);
    HuangBasis huang(7, 3), finer(7, 3);
    const double step = largest_step(huang, motion, 1e-3), half = largest_step(finer, motion, 5e-4);
    EXPECT_LT(step, 0.05);               // ‖Ḋ‖ dt, ‖Ḋ‖ up to 50 near a singular configuration
    EXPECT_NEAR(step / half, 2.0, 0.1);  // proportional to dt: no jump
    SvdBasis svd(7, 3);
    if (largest_step(svd, motion, 1e-3) > 0.5) ++jumps;
  }
  EXPECT_GT(jumps, 10);
}

TEST(Bases, GramSchmidtSeesARowBecomeDependent) {
  const Matrix M = Matrix::Identity(4, 4);
  for (const char* name : {"gram-schmidt", "gram-schmidt-deflation", "mass-gram-schmidt"}) {
    const auto basis = make_basis(name, 4, 2);
    Equations e{M, Vector::Zero(4), Matrix{{1.0, 2.0, 0.0, 1.0}, {1.0, 2.0, 0.5, 1.0}}, Vector::Zero(2)};
    ASSERT_TRUE(basis->compute(e));
    EXPECT_EQ(basis->rank(), 2);
    e.C(1, 2) = 0.0;
    ASSERT_TRUE(basis->compute(e));
    EXPECT_EQ(basis->rank(), 1) << name;
    EXPECT_EQ(basis->D().cols(), 3);
  }
}

TEST(Bases, LocalIsSmallAndBlockByBlock) {
  // two points in a plane, one held on a line, the other on another: Ĉ and D̂ keep to their own point
  const Matrix C_hat{{-0.6, 0.8, 0.0, 0.0}, {0.0, 0.0, 3.0, 4.0}};
  Equations e;
  e.M = Matrix::Identity(6, 6);
  e.J = Matrix::Random(4, 6);
  e.C = C_hat * e.J;
  LocalBasis basis(6, 2);
  ASSERT_TRUE(basis.compute(e));
  EXPECT_LT((basis.C_hat() - C_hat).norm(), 1e-13);  // rounding of small matrices
  EXPECT_LT((basis.D_hat().cwiseAbs() - Matrix{{0.8, 0.0}, {0.6, 0.0}, {0.0, 0.8}, {0.0, 0.6}}).norm() *
                (basis.D_hat().cwiseAbs() - Matrix{{0.0, 0.8}, {0.0, 0.6}, {0.8, 0.0}, {0.6, 0.0}}).norm(),
            1e-13);  // in one order of the points or the other
  EXPECT_EQ(basis.free_coordinates().size(), 2u);
}

TEST(Bases, LocalRefusesWithTheReason) {
  const auto why = [](const Matrix& C, const Matrix& J) {
    LocalBasis basis(3, 2);
    Equations e;
    e.M = Matrix::Identity(3, 3);
    e.C = C;
    e.J = J;
    return basis.compute(e) ? std::string_view("accepted") : basis.why();
  };
  const Matrix C{{1.0, 2.0, 0.0}};
  EXPECT_EQ(why(C, Matrix(0, 3)), "the model has no local coordinates: the points that are constrained go to [local]");
  EXPECT_EQ(why(C, Matrix{{1.0, 1e-14, 0.0}, {0.0, 1e-13, 0.0}, {0.0, 0.0, 1.0}}),
            "local coordinates almost depend on each other here");
  EXPECT_EQ(why(C, Matrix{{1.0, 2.0, 0.1}}), "a constraint is not a function of the local coordinates");
  EXPECT_EQ(why(C, Matrix{{1.0, 2.0, 0.0}, {0.0, 0.0, 1.0}}), "accepted");
}

TEST(Bases, LocalUsesIndependentOnesOfItsCoordinates) {
  // a point that moves along a line only; more coordinates than there are motions; none, and nothing to constrain
  Equations e;
  e.M = Matrix::Identity(3, 3);
  e.C = Matrix{{1.0, 2.0, 0.0}};
  for (const Matrix& J : {Matrix{{1.0, 2.0, 0.0}, {2.0, 4.0, 0.0}},
                          Matrix{{1.0, 2.0, 0.0}, {2.0, 4.0, 0.0}, {0.0, 1.0, 1.0}}, Matrix(Matrix::Random(5, 3))}) {
    LocalBasis basis(3, 1);
    e.J = J;
    ASSERT_TRUE(basis.compute(e)) << basis.why();
    const Eigen::ColPivHouseholderQR<Matrix> rank(J);
    EXPECT_EQ(static_cast<Eigen::Index>(basis.local_coordinates().size()), rank.rank());
    EXPECT_EQ(basis.D().cols(), 2);
    EXPECT_LT((e.C * basis.D()).norm(), 1e-13);  // rounding of small matrices
    EXPECT_EQ(Eigen::ColPivHouseholderQR<Matrix>(basis.D()).rank(), 2);
    EXPECT_LT((e.C - basis.C_hat() * J(basis.local_coordinates(), Eigen::all)).norm(), 1e-13);
  }
  LocalBasis basis(3, 1);
  e.C.resize(0, 3), e.J.resize(0, 3);
  ASSERT_TRUE(basis.compute(e)) << basis.why();
  EXPECT_EQ(Matrix(basis.D()), Matrix(Matrix::Identity(3, 3)));
  Vector v(3);
  basis.particular(Vector(0), v);
  EXPECT_EQ(v.norm(), 0.0);
}

TEST(Bases, UnknownName) {
  try {
    make_basis("svdd", 2, 1);
    FAIL();
  } catch (const Error& error) { EXPECT_STREQ(error.what(), "no basis is named \"svdd\" (did you mean \"svd\"?)"); }
}

}  // namespace
}  // namespace maggi
