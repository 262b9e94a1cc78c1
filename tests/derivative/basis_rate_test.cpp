// Ḋ of the bases that have one against the complex step through their definition, on random M(t), C(t): exact to
// rounding, since nothing is subtracted.
#include <gtest/gtest.h>

#include "base/decompositions.hpp"
#include "basis/algebraic.hpp"
#include "basis/gram_schmidt.hpp"
#include "basis/lu.hpp"
#include "support/random_motion.hpp"

namespace maggi::test {
namespace {

/// [A; B] D = [0; 1]
template <class T>
MatrixOf<T> complement(const MatrixOf<T>& A, const Matrix& B) {
  MatrixOf<T> both(A.rows() + B.rows(), A.cols()), right = MatrixOf<T>::Zero(A.cols(), B.rows());
  both << A, B.template cast<T>();
  right.bottomRows(B.rows()).setIdentity();
  return both.partialPivLu().solve(right);
}

/// The columns of P* orthonormalised in the metric M one after the other, each twice: W with WᵀM W = 1. Transposes, not
/// adjoints, so that it is an analytic function.
template <class T>
MatrixOf<T> orthonormalised(const MatrixOf<T>& P, const MatrixOf<T>& M) {
  using std::sqrt;
  MatrixOf<T> W = M.partialPivLu().solve(P);
  for (Eigen::Index i = 0; i < W.cols(); ++i) {
    for (int twice = 0; twice < 2; ++twice)
      for (Eigen::Index j = 0; j < i; ++j) W.col(i) -= W.col(j) * (W.col(j).transpose() * M * W.col(i)).value();
    W.col(i) /= sqrt((W.col(i).transpose() * M * W.col(i)).value());
  }
  return W;
}

Matrix unit_rows(int n, const std::vector<int>& coordinates) {
  Matrix E = Matrix::Zero(static_cast<Eigen::Index>(coordinates.size()), n);
  for (std::size_t i = 0; i < coordinates.size(); ++i) E(i, coordinates[i]) = 1.0;
  return E;
}

double condition(const Matrix& A) {
  const Vector sigma = Eigen::JacobiSVD<Matrix>(A).singularValues();
  return sigma[0] / sigma[sigma.size() - 1];
}

/// Compares D and Ḋ of one basis with its definition as a function of time, made from the choices it has made.
template <class Kind, class Definition>
void expect_exact_rate(Definition definition, unsigned seed) {
  std::mt19937 random(seed);
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 2 + trial % 9, m = 1 + trial % (n - 1);
    const RandomMotion motion(n, m, random);
    const double t = std::uniform_real_distribution<double>(0.0, 1.0)(random);
    Equations e;
    e.M = motion.M(t), e.C = motion.C(t);
    if (condition(e.M) > 1e3 || condition(e.C) > 1e2) continue;  // 1e-10 is promised for these
    Kind basis(n, m);
    ASSERT_TRUE(basis.compute(e));
    const auto D = [&](auto z) { return definition(basis, motion.M(z), motion.C(z)); };
    Matrix Ddot;
    ASSERT_TRUE(basis.rate({motion.Mdot(t), motion.Cdot(t), {}}, Ddot));
    EXPECT_LT((basis.D() - D(t)).norm(), 1e-10 * basis.D().norm());
    EXPECT_LT((Ddot - complex_step(D, t)).norm(), 1e-10 * (1.0 + Ddot.norm()));  // ε κ(M) κ(C)², two digits to spare
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

TEST(BasisRate, OfTheAlgebraicComplement) {
  expect_exact_rate<AlgebraicBasis>(
      [](const AlgebraicBasis& basis, const auto& /*M*/, const auto& C) { return complement(C, basis.E()); }, 1);
}

TEST(BasisRate, OfThePartition) {
  expect_exact_rate<LuBasis>(
      [](const LuBasis& basis, const auto& /*M*/, const auto& C) {
        return complement(C, unit_rows(static_cast<int>(C.cols()), basis.independent_coordinates()));
      },
      2);
}

/// [Cᵀ E*] orthonormalised, its last columns.
template <class T>
MatrixOf<T> gram_schmidt(const GramSchmidtBasis& basis, const MatrixOf<T>& metric, const MatrixOf<T>& C) {
  const Eigen::Index n = C.cols(), k = n - C.rows();
  MatrixOf<T> P(n, n);
  P << C.transpose(), unit_rows(static_cast<int>(n), basis.supplement()).transpose().template cast<T>();
  return orthonormalised(P, metric).rightCols(k);
}

TEST(BasisRate, OfGramSchmidt) {
  expect_exact_rate<EuclideanGramSchmidtBasis>(
      [](const GramSchmidtBasis& basis, auto M, const auto& C) { return gram_schmidt(basis, M.setIdentity(), C); }, 3);
}

TEST(BasisRate, OfGramSchmidtInTheMassMetric) {
  expect_exact_rate<MassGramSchmidtBasis>(
      [](const GramSchmidtBasis& basis, const auto& M, const auto& C) { return gram_schmidt(basis, M, C); }, 4);
}

/// Blajer's recursion for W and its rate, column by column, as the paper has it. [Blajer1993 (3.1)-(3.5) with the
/// factors of (3.2) and (3.5) corrected]
struct Recursion {
  Matrix W, W_star, Wdot, Wdot_star;

  Recursion(const Matrix& P, const Matrix& Pdot, const Matrix& M, const Matrix& Mdot)
      : W(P), W_star(P), Wdot(P), Wdot_star(P) {
    const Matrix inverse = M.inverse();
    for (Eigen::Index i = 0; i < P.cols(); ++i) {
      const Vector p = P.col(i), pdot = Pdot.col(i);
      Vector v = p, vdot = pdot;
      // (p, p)' = 2 p*ᵀM⁻¹ṗ* − p*ᵀM⁻¹ṀM⁻¹p*
      double square_rate = 2.0 * p.dot(inverse * pdot) - p.dot(inverse * Mdot * inverse * p);
      for (Eigen::Index j = 0; j < i; ++j) {
        const double c = W.col(j).dot(p), cdot = Wdot.col(j).dot(p) + W.col(j).dot(pdot);
        v -= c * W_star.col(j);
        vdot -= cdot * W_star.col(j) + c * Wdot_star.col(j);
        square_rate -= 2.0 * c * cdot;  // (|v|²)' by subtraction: the digits are lost here
      }
      const double norm = std::sqrt(v.dot(inverse * v));
      W_star.col(i) = v / norm;
      W.col(i) = inverse * W_star.col(i);
      Wdot_star.col(i) = vdot / norm - 0.5 * square_rate / (norm * norm * norm) * v;
      Wdot.col(i) = inverse * (Wdot_star.col(i) - Mdot * W.col(i));
    }
  }
};

TEST(BasisRate, OfGramSchmidtEqualsBlajersRecursion) {
  std::mt19937 random(5);
  int compared = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 2 + trial % 9, m = 1 + trial % (n - 1);
    const RandomMotion motion(n, m, random);
    const double t = std::uniform_real_distribution<double>(0.0, 1.0)(random);
    Equations e;
    e.M = motion.M(t), e.C = motion.C(t);
    MassGramSchmidtBasis basis(n, m);
    ASSERT_TRUE(basis.compute(e));
    const Matrix E = unit_rows(n, basis.supplement());
    const Matrix Mdot = motion.Mdot(t), Cdot = motion.Cdot(t);
    Matrix P(n, n), Pdot = Matrix::Zero(n, n);
    P << e.C.transpose(), E.transpose();
    Pdot.leftCols(m) = Cdot.transpose();
    if (condition(P) > 30.0 || condition(e.M) > 100.0) continue;
    const Recursion recursion(P, Pdot, e.M, Mdot);
    // Gram-Schmidt once loses orthogonality as ε κ(P)² κ(M), 2e-11 here; W and W* inherit it
    EXPECT_LT((recursion.W - basis.W()).norm(), 1e-10 * basis.W().norm());
    EXPECT_LT((recursion.W_star - basis.W_star()).norm(), 1e-10 * basis.W_star().norm());
    // the matrix form and the recursion agree to 1e-10: (|v|²)' is a difference of terms κ(P)² larger than itself
    const Matrix Wdot = basis.W_rate({Mdot, Cdot, {}});
    EXPECT_LT((recursion.Wdot - Wdot).norm(), 1e-10 * (1.0 + Wdot.norm()));
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace maggi::test
