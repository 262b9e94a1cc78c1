#include "basis/lu.hpp"

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"
#include "basis/metric_factor.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {

LuBasis::LuBasis(int n, int /*max_rows*/) : Basis(n) {}

bool LuBasis::compute(const Equations& equations) {
  const Matrix& C = equations.C;
  // rows that were dependent may no longer be so
  const bool same_rows = last_rows_ == C.rows() && (held_ || dependent_.empty());
  last_rows_ = C.rows();
  const bool usable = same_rows && partition(C);
  strained_ = !usable || largest(X_) > growth;
  if (strained_ && held_ && !usable) {
    why_ = no_longer_fits;
    return false;
  }
  if (strained_ && !held_) {
    select(C);
    strained_ = false;
  }
  auto D = D_.leftCols(static_cast<Eigen::Index>(i_.size()));
  D.setZero();
  for (std::size_t j = 0; j < i_.size(); ++j) {
    D(i_[j], j) = 1.0;
    for (std::size_t k = 0; k < d_.size(); ++k) D(d_[k], j) = -X_(k, j);
  }
  return true;
}

bool LuBasis::partition(const Matrix& C) {
  const auto r = static_cast<Eigen::Index>(d_.size()), k = static_cast<Eigen::Index>(i_.size());
  Cd_.resize(r, r);
  X_.resize(r, k);
  for (Eigen::Index row = 0; row < r; ++row) {
    for (Eigen::Index j = 0; j < r; ++j) Cd_(row, j) = C(rows_[row], d_[j]);
    for (Eigen::Index j = 0; j < k; ++j) X_(row, j) = C(rows_[row], i_[j]);
  }
  if (r == 0) return true;
  lu_.compute(Cd_);
  if (k > 0) X_ = lu_.solve(X_).eval();
  return X_.allFinite();
}

void LuBasis::select(const Matrix& C) {
  const auto n = static_cast<int>(C.cols()), m = static_cast<int>(C.rows());
  ++selections_;
  rank_ = 0;
  rows_.clear(), d_.clear(), i_.clear(), dependent_.clear();
  Eigen::FullPivLU<Matrix> full;
  if (C.size() > 0) {
    Matrix A = C;
    for (int i = 0; i < m; ++i)
      if (const double norm = A.row(i).norm(); norm > 0.0) A.row(i) /= norm;
    full.setThreshold(MetricFactor::default_tolerance);
    full.compute(A);
    rank_ = static_cast<int>(full.rank());
  }
  std::vector<bool> used(n, false);
  for (int i = 0; i < m; ++i)  // P moves row i to place indices()[i]
    (rank_ > 0 && full.permutationP().indices()[i] < rank_ ? rows_ : dependent_).push_back(i);
  for (int k = 0; k < rank_; ++k) {
    d_.push_back(full.permutationQ().indices()[k]);
    used[d_.back()] = true;
  }
  for (int j = 0; j < n; ++j)
    if (!used[j]) i_.push_back(j);
  std::sort(rows_.begin(), rows_.end());
  std::sort(d_.begin(), d_.end());
  std::sort(dependent_.begin(), dependent_.end());
  // exchange until the dependent coordinates span the largest volume
  for (int exchange = 0; partition(C) && X_.size() > 0 && exchange < 10 * n; ++exchange) {
    Eigen::Index a, b;
    if (largest(X_, &a, &b) <= 1.0 + 1e-9) break;
    std::swap(d_[a], i_[b]);
  }
  std::sort(d_.begin(), d_.end());
  std::sort(i_.begin(), i_.end());
  partition(C);
}

Vector LuBasis::solve(const Vector& gamma) const {
  Vector y(rank_);
  for (int k = 0; k < rank_; ++k) y[k] = gamma[rows_[k]];
  return rank_ == 0 ? y : Vector(lu_.solve(y));
}

Vector LuBasis::solve_transposed(const Vector& right) const {
  Vector lambda = Vector::Zero(last_rows_);
  if (rank_ == 0) return lambda;
  const Vector y = lu_.transpose().solve(right);
  for (int k = 0; k < rank_; ++k) lambda[rows_[k]] = y[k];
  return lambda;
}

void LuBasis::particular(const Vector& gamma, Vector& d0) const {
  d0.setZero();
  d0(d_) = solve(gamma);
}

void LuBasis::multipliers(const Vector& r, Vector& lambda) const { lambda = solve_transposed(r(d_)); }

void LuBasis::tangent(const Vector& v, Vector& u) const { u = v(i_); }

bool LuBasis::tangent_rate(const Rates& /*rates*/, const Vector& /*v*/, const Vector& vdot, Vector& udot) const {
  udot = vdot(i_);
  return true;
}

bool LuBasis::rate(const Rates& rates, Matrix& Ddot) const {
  Ddot = Matrix::Zero(D_.rows(), D().cols());
  if (rank_ == 0 || Ddot.cols() == 0) return true;
  Matrix CdotD(rank_, Ddot.cols());
  for (int k = 0; k < rank_; ++k) CdotD.row(k) = rates.C.row(rows_[k]) * D();
  CdotD = lu_.solve(CdotD).eval();
  for (int k = 0; k < rank_; ++k) Ddot.row(d_[k]) = -CdotD.row(k);
  return true;
}

std::string LuBasis::solve(expression::Graph& graph, const FormulaMatrix& C, const FormulaMatrix& B,
                           FormulaMatrix& Y) const {
  FormulaMatrix C_d{rank_, rank_}, right{rank_, B.cols}, dependent;
  for (const int row : rows_) {
    for (const int j : d_) C_d.entries.push_back(C(row, j));
    for (int j = 0; j < B.cols; ++j) right.entries.push_back(B(row, j));
  }
  std::string why;
  if (!solve_by_cramer(graph, C_d, right, dependent, why)) return why;
  Y = FormulaMatrix::zero(graph, C.cols, B.cols);
  for (int i = 0; i < rank_; ++i)
    for (int j = 0; j < B.cols; ++j) Y(d_[i], j) = dependent(i, j);
  return "";
}

std::string LuBasis::closed_form(DerivedEquations& equations, std::vector<expression::Id>& D) const {
  return closed_form(equations.graph, {static_cast<int>(last_rows_), static_cast<int>(D_.rows()), equations.C}, D);
}

/// [−C_d⁻¹C_i; 1]
std::string LuBasis::closed_form(expression::Graph& graph, const FormulaMatrix& C,
                                 std::vector<expression::Id>& D) const {
  const auto k = static_cast<int>(i_.size());
  FormulaMatrix right{C.rows, k}, X;
  for (int row = 0; row < C.rows; ++row)
    for (const int j : i_) right.entries.push_back(graph.negate(C(row, j)));
  if (std::string why = solve(graph, C, right, X); !why.empty()) return why;
  for (int j = 0; j < k; ++j) X(i_[j], j) = graph.constant(1.0);
  D = X.entries;
  return "";
}

}  // namespace maggi
