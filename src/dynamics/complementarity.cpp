#include "dynamics/complementarity.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "base/largest.hpp"

namespace maggi {

namespace {
/// w − A z − 1 z₀ = b. Columns: w, z, z₀, and the right side, followed by the identity that the pivots turned: it
/// decides between rows of equal ratio (lexicographically), so that no basis comes twice.
class Tableau {
 public:
  Tableau(const Matrix& A, const Vector& b) : n_(static_cast<int>(b.size())), T_(n_, 2 * n_ + 2), basic_(n_) {
    T_ << Matrix::Identity(n_, n_), -A, Vector::Constant(n_, -1.0), b;
    for (int i = 0; i < n_; ++i) basic_[i] = i;
  }

  int artificial() const { return 2 * n_; }
  int right() const { return 2 * n_ + 1; }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }

  /// `enters` becomes basic in this row; returns what was.
  int pivot(int row, int enters) {
    const Vector column = T_.col(enters);
    T_.row(row) /= column[row];
    for (int i = 0; i < n_; ++i)
      if (i != row) T_.row(i) -= column[i] * T_.row(row);
    const int leaves = basic_[row];
    basic_[row] = enters;
    return leaves;
  }

  /// The row with the most negative right side; −1 if there is none.
  int most_negative() const {
    Eigen::Index row;
    return n_ > 0 && T_.col(right()).minCoeff(&row) < 0.0 ? static_cast<int>(row) : -1;
  }

  /// The row that limits the growth of the variable first; −1 if none does.
  int limiting(int enters) const {
    constexpr double rounding = 1e-11;  // of entries that begin at 1
    int best = -1;
    for (int i = 0; i < n_; ++i)
      if (T_(i, enters) > rounding && (best < 0 || less(i, best, enters))) best = i;
    return best;
  }

  Vector solution() const {
    Vector z = Vector::Zero(n_);
    for (int i = 0; i < n_; ++i)
      if (basic_[i] >= n_ && basic_[i] < 2 * n_) z[basic_[i] - n_] = std::max(0.0, T_(i, right()));
    return z;
  }

 private:
  bool less(int i, int j, int enters) const {
    const double a = T_(i, right()) / T_(i, enters), b = T_(j, right()) / T_(j, enters);
    const double rounding = 1e-14 * (std::abs(a) + std::abs(b));
    if (std::abs(a - b) > rounding) return a < b;
    if (basic_[i] == artificial() || basic_[j] == artificial()) return basic_[i] == artificial();
    for (int k = 0; k < n_; ++k) {
      const double c = T_(i, k) / T_(i, enters), d = T_(j, k) / T_(j, enters);
      if (c != d) return c < d;
    }
    return false;
  }

  int n_;
  Matrix T_;
  std::vector<int> basic_;
};

bool lemke(const Matrix& A, const Vector& b, Vector& z) {
  Tableau tableau(A, b);
  z = Vector::Zero(b.size());
  int row = tableau.most_negative();
  if (row < 0) return true;
  int enters = tableau.complement(tableau.pivot(row, tableau.artificial()));
  const int most = 100 + 50 * static_cast<int>(b.size());
  for (int k = 0; k < most; ++k) {
    row = tableau.limiting(enters);
    if (row < 0) return false;
    const int leaves = tableau.pivot(row, enters);
    if (leaves == tableau.artificial()) {
      z = tableau.solution();
      return true;
    }
    enters = tableau.complement(leaves);
  }
  return false;
}
}  // namespace

bool solve_complementarity(const Matrix& A, const Vector& b, Vector& z) {
  // scaled to a unit diagonal, so that rounding has a size
  const Vector scale = A.diagonal().unaryExpr([](double a) { return a > 0.0 ? 1.0 / std::sqrt(a) : 1.0; });
  Matrix scaled = scale.asDiagonal() * A * scale.asDiagonal();
  const Vector right = scale.cwiseProduct(b);
  if (!scaled.allFinite() || !right.allFinite()) return false;  // a NaN is never negative: there would be nothing to do
  if (!lemke(scaled, right, z)) {
    // rows that oppose each other exactly have no solution but for rounding; a little compliance lets them give way
    constexpr double compliance = 1e-9, violated = 1e-8;
    scaled.diagonal().array() += compliance;
    if (!lemke(scaled, right, z)) return false;
    if (!within(compliance * largest(z), violated * largest(right))) return false;
  }
  z = z.cwiseProduct(scale);
  return true;
}

}  // namespace maggi
