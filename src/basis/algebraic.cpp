#include "basis/algebraic.hpp"

#include "base/largest.hpp"
#include "base/pivoted_qr.hpp"
#include "basis/cramer.hpp"
#include "basis/metric_factor.hpp"
#include "basis/selection.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {

AlgebraicBasis::AlgebraicBasis(int n, int /*max_rows*/) : Basis(n), G_(n, n), lu_(n) {}

bool AlgebraicBasis::compute(const Equations& equations) {
  const Matrix& C = equations.C;
  // rows that were dependent may no longer be so
  const bool same_rows = last_rows_ == C.rows() && (held_ || dependent_.empty());
  last_rows_ = C.rows();
  strained_ = !same_rows || !solve(C);
  if (strained_ && held_) {
    why_ = no_longer_fits;
    return same_rows && D().allFinite();
  }
  if (strained_) {
    select(C);
    strained_ = !solve(C);
  }
  return true;
}

bool AlgebraicBasis::solve(const Matrix& C) {
  const Eigen::Index n = C.cols(), k = E_.rows();
  for (Eigen::Index i = 0; i < n - k; ++i) G_.row(i) = C.row(rows_[i]);
  G_.bottomRows(k) = E_;
  lu_.compute(G_);
  if (k == 0) return true;
  Matrix right = Matrix::Zero(n, k);
  right.bottomRows(k).setIdentity();
  D_.leftCols(k) = lu_.solve(right);
  return D().allFinite() && largest(D().colwise().norm()) <= growth;
}

void AlgebraicBasis::select(const Matrix& C) {
  ++selections_;
  RowChoice choice = choose_rows(C);
  rows_ = std::move(choice.independent);
  dependent_ = std::move(choice.dependent);
  rank_ = static_cast<int>(rows_.size());
  const auto n = static_cast<int>(C.cols());
  Matrix rows(n, rank_);
  for (int i = 0; i < rank_; ++i) rows.col(i) = C.row(rows_[i]).transpose().normalized();
  PivotedQr qr(n, rank_);
  qr.compute(rows);
  Matrix D(n, n - rank_);
  qr.basis(rank_, D);
  E_ = D.transpose();
}

void AlgebraicBasis::particular(const Vector& gamma, Vector& d0) const {
  Vector right = Vector::Zero(D_.rows());
  for (int i = 0; i < rank_; ++i) right[i] = gamma[rows_[i]];
  d0 = lu_.solve(right);
}

void AlgebraicBasis::multipliers(const Vector& r, Vector& lambda) const {
  const Vector x = lu_.transpose().solve(r);
  lambda.setZero();
  for (int i = 0; i < rank_; ++i) lambda[rows_[i]] = x[i];
}

void AlgebraicBasis::tangent(const Vector& v, Vector& u) const { u.noalias() = E_ * v; }

bool AlgebraicBasis::tangent_rate(const Rates& /*rates*/, const Vector& /*v*/, const Vector& vdot, Vector& udot) const {
  udot.noalias() = E_ * vdot;
  return true;
}

bool AlgebraicBasis::rate(const Rates& rates, Matrix& Ddot) const {
  Matrix right = Matrix::Zero(D_.rows(), D().cols());
  for (int i = 0; i < rank_; ++i) right.row(i) = -rates.C.row(rows_[i]) * D();
  Ddot = right;
  if (right.cols() > 0) Ddot = lu_.solve(right);
  return true;
}

/// [C; E]⁻¹ [0; 1] with the numbers of E.
std::string AlgebraicBasis::closed_form(DerivedEquations& equations, std::vector<expression::Id>& D) const {
  expression::Graph& graph = equations.graph;
  const auto n = static_cast<int>(D_.rows()), k = static_cast<int>(E_.rows());
  FormulaMatrix A{n, n}, B = FormulaMatrix::zero(graph, n, k), X;
  for (const int row : rows_)
    for (int j = 0; j < n; ++j) A.entries.push_back(equations.C[row * n + j]);
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < n; ++j) A.entries.push_back(graph.constant(E_(i, j)));
    B(rank_ + i, i) = graph.constant(1.0);
  }
  std::string why;
  if (solve_by_cramer(graph, A, B, X, why)) D = X.entries;
  return why;
}

}  // namespace maggi
