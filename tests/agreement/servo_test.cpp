// Constraints kept by controls: the (n + s) form, the reduced (n + n_c) form and all formulations agree on random
// systems, with redundant ideal rows too.
#include <gtest/gtest.h>

#include "base/decompositions.hpp"
#include "dynamics/dynamics.hpp"
#include "support/given_system.hpp"
#include "support/random_equations.hpp"

namespace maggi::test {
namespace {

struct Controlled {
  Equations equations;  // ideal rows, then servo rows
  Matrix B;
  int ideal = 0;  // rows
};

/// The last rows are kept by controls whose directions are random.
Controlled random_controlled(int n, int ideal, int redundant, int controls, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto gauss = [&] { return normal(random); };
  Controlled c;
  Kind kind{.n = n, .rank = ideal, .redundant = redundant};
  c.equations = random_equations(kind, random);
  c.ideal = ideal + redundant;
  c.equations.C.conservativeResize(c.ideal + controls, n);
  c.equations.gamma.conservativeResize(c.ideal + controls);
  for (int i = c.ideal; i < c.ideal + controls; ++i) {
    c.equations.C.row(i) = Vector::NullaryExpr(n, gauss).transpose();
    c.equations.gamma[i] = gauss();
  }
  c.B = Matrix::NullaryExpr(n, controls, gauss);
  return c;
}

/// [Dinh2002 (2.47)]: D₁ᵀ(M v̇ − B p) = D₁ᵀh, C v̇ = γ with all independent rows.
std::pair<Vector, Vector> reduced(const Controlled& c, double& condition) {
  const Equations& e = c.equations;
  const auto n = e.M.rows(), controls = c.B.cols();
  const Matrix C1 = e.C.topRows(c.ideal);
  Matrix D = Matrix::Identity(n, n);
  std::vector<Eigen::Index> independent;
  if (c.ideal > 0) {
    Eigen::ColPivHouseholderQR<Matrix> qr(C1.transpose());
    qr.setThreshold(1e-10);
    D = Matrix(qr.householderQ()).rightCols(n - qr.rank());
    for (Eigen::Index i = 0; i < qr.rank(); ++i) independent.push_back(qr.colsPermutation().indices()[i]);
  }
  const auto rank = static_cast<Eigen::Index>(independent.size());
  Matrix K = Matrix::Zero(n + controls, n + controls);
  Vector b(n + controls);
  K.topLeftCorner(n - rank, n) = D.transpose() * e.M;
  K.topRightCorner(n - rank, controls) = -D.transpose() * c.B;
  b.head(n - rank) = D.transpose() * e.h;
  for (Eigen::Index i = 0; i < rank; ++i) {
    K.row(n - rank + i).head(n) = C1.row(independent[i]);
    b[n - rank + i] = e.gamma[independent[i]];
  }
  K.bottomLeftCorner(controls, n) = e.C.bottomRows(controls);
  b.tail(controls) = e.gamma.tail(controls);
  const Eigen::FullPivLU<Matrix> lu(K);
  condition = 1.0 / lu.rcond();
  const Vector x = lu.solve(b);
  return {x.head(n), x.tail(controls)};
}

TEST(ServoAgreement, FullAndReducedForms) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 3 + trial % 8, controls = 1 + trial % 2, ideal = trial % (n - controls),
              redundant = ideal > 0 ? trial % 3 : 0;
    const Controlled c = random_controlled(n, ideal, redundant, controls, random);
    double condition = 0.0;
    const auto [vdot, p] = reduced(c, condition);
    const double tolerance = 1e-15 * 100 * condition * (1.0 + vdot.norm() + p.norm());  // rounding times condition
    const GivenSystem system(c.equations, c.B);
    for (const char* formulation : {"augmented", "range-space", "compatibility"}) {
      SCOPED_TRACE(formulation + std::to_string(trial));
      Dynamics dynamics(system, formulation);
      const Vector zero = Vector::Zero(n);
      const State at{0.0, zero, zero};
      dynamics.decide_rows(at);
      EXPECT_EQ(dynamics.rank(), ideal + controls);
      Acceleration a;
      ASSERT_TRUE(dynamics.solve(at, a)) << dynamics.explain(at);
      EXPECT_LT((a.vdot - vdot).norm(), tolerance);
      EXPECT_LT((a.p - p).norm(), tolerance);
      EXPECT_EQ(a.lambda.tail(controls).norm(), 0.0);
      // the multipliers make up what the controls leave of the balance; of least norm, so in the range of C₁
      const Vector left = c.equations.M * vdot - c.equations.h - c.B * p;
      EXPECT_LT((c.equations.C.transpose() * a.lambda - left).norm(), tolerance);
      if (redundant > 0) {
        const Matrix C1 = c.equations.C.topRows(c.ideal);
        Eigen::CompleteOrthogonalDecomposition<Matrix> cod(C1.transpose());
        cod.setThreshold(1e-10);
        EXPECT_LT((a.lambda.head(c.ideal) - cod.solve(left)).norm(), tolerance);
      }
    }
  }
}

}  // namespace
}  // namespace maggi::test
