#include "system/mechanism/recursion/mechanism_recursion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/largest.hpp"

namespace maggi::mechanism {

template <class Space>
MechanismRecursion<Space>::MechanismRecursion(const TreeModel<Space>& model, std::vector<RowOfFunctions> rows)
    : model_(model), all_(std::move(rows)), tree_(model, all_) {}

template <class Space>
void MechanismRecursion<Space>::use_rows(const std::vector<int>& rows) {
  if (rows == used_) return;
  used_ = rows;
  plan();
}

template <class Space>
void MechanismRecursion<Space>::plan() {
  constexpr double few = 150.0;  // operations for a link: no row stays open for long
  constexpr double gain = 6.0;   // an operation in a front is slower, and may need refinement
  tree_.use_rows(used_);
  graph_.reset(), equations_.reset(), free_.reset();
  at_ = nullptr, weakest_.reset();
  left_h_ = change_x_ = motion_ = Vector::Zero(model_.linkage.n());
  left_gamma_ = change_lambda_ = z_ = forces_ = Vector::Zero(static_cast<Eigen::Index>(used_.size()));
  if (!(tree_.operations() > few * static_cast<double>(model_.linkage.links.size()))) return;
  equations_.emplace(model_, all_, used_);
  graph_.emplace(model_, *equations_);
  if (!graph_->plan().complete || !(gain * graph_->plan().operations < tree_.operations())) {
    graph_.reset();
    return;
  }
  free_.emplace(model_, all_);
  free_->use_rows({});
}

template <class Space>
void MechanismRecursion<Space>::use_coefficients(const double* values) {
  coefficients_ = values;
  tree_.use_coefficients(values);
  if (free_) free_->use_coefficients(values);
}

template <class Space>
bool MechanismRecursion<Space>::factorise(const Workspace& w) {
  at_ = &w, weakest_.reset();
  if (graph_) {
    evaluate();
    return graph_->factorise();
  }
  if (!tree_.factorise(w)) return false;
  if (needs_refinement()) evaluate();
  return true;
}

/// The equations that a solution is to satisfy, at the position of the factor.
template <class Space>
void MechanismRecursion<Space>::evaluate() {
  if (!equations_) equations_.emplace(model_, all_, used_);
  equations_->evaluate(static_cast<const MechanismWorkspace<Space>&>(*at_), coefficients_);
}

template <class Space>
void MechanismRecursion<Space>::solve(const double* h, const double* gamma, double* x, double* lambda) {
  solve_once(h, gamma, x, lambda);
  if (needs_refinement()) refine(h, gamma, x, lambda);
}

template <class Space>
bool MechanismRecursion<Space>::factorise_and_solve(const Workspace& w, const double* h, const double* gamma, double* x,
                                                    double* lambda) {
  if (graph_) {
    if (!factorise(w)) return false;
    solve_once(h, gamma, x, lambda);
  } else {
    at_ = &w, weakest_.reset();
    if (!tree_.factorise_and_solve(w, h, gamma, x, lambda)) return false;
    if (needs_refinement()) evaluate();
  }
  return !needs_refinement() || refine(h, gamma, x, lambda);
}

template <class Space>
bool MechanismRecursion<Space>::needs_refinement() {
  constexpr double clear = 1e-2;  // sine; C M⁻¹Cᵀ has its square: four digits are lost here
  return graph_ ? !graph_->exact() : tree_.weakest().sine < clear;
}

template <class Space>
void MechanismRecursion<Space>::solve_once(const double* h, const double* gamma, double* x, double* lambda) {
  graph_ ? graph_->solve(h, gamma, x, lambda) : tree_.solve(h, gamma, x, lambda);
}

/// false if the corrections do not become smaller: the rows are dependent.
template <class Space>
bool MechanismRecursion<Space>::refine(const double* h, const double* gamma, double* x, double* lambda) {
  constexpr double rounding = 1e-13;
  constexpr int most = 6;
  Eigen::Map<Vector> X(x, left_h_.size()), forces(lambda, left_gamma_.size());
  double before = 1.0;  // relative, of the correction before; the first solution is one
  for (int k = 0; k < most; ++k) {
    equations_->residual(h, gamma, x, lambda, left_h_.data(), left_gamma_.data());
    solve_once(left_h_.data(), left_gamma_.data(), change_x_.data(), change_lambda_.data());
    const double size_x = largest(X), size_lambda = largest(forces);
    X += change_x_, forces += change_lambda_;
    double now = 0.0;
    if (size_x > 0.0) now = larger(now, largest(change_x_) / size_x);
    if (size_lambda > 0.0) now = larger(now, largest(change_lambda_) / size_lambda);
    if (now * now <= rounding * before) return true;  // the next one would be now²/before
    if (!(now < 0.5 * before)) return now <= 1e3 * rounding;
    before = now;
  }
  return false;
}

template <class Space>
Recursion::Weakest MechanismRecursion<Space>::weakest() {
  if (!graph_) return tree_.weakest();
  if (!weakest_) weakest_ = find_weakest();
  return *weakest_;
}

/// By inverse iteration with G = C M⁻¹Cᵀ: forces z that move the mechanism least. The sine² of row r is the energy of
/// that motion, zᵀG z, over that of its own force alone, z_r² G_rr.
template <class Space>
Recursion::Weakest MechanismRecursion<Space>::find_weakest() {
  constexpr int iterations = 3;
  const auto m = static_cast<int>(used_.size());
  if (m == 0) return {};
  for (int r = 0; r < m; ++r) z_[r] = 1.0 + 0.5 * std::sin(1.0 + 2.4 * r);  // any that no row is orthogonal to
  double energy = 0.0;
  for (int k = 0; k < iterations; ++k) {
    z_ /= largest(z_);
    solve_once(nullptr, z_.data(), motion_.data(), forces_.data());
    if (!graph_->exact() && !refine(nullptr, z_.data(), motion_.data(), forces_.data())) return {0.0, used_.front()};
    energy = forces_.dot(z_);
    z_ = forces_;
  }
  Eigen::Index row;
  if (!(largest(forces_, &row) < std::numeric_limits<double>::infinity())) return {0.0, used_.front()};
  const double one = forces_[row] * forces_[row] * alone(static_cast<int>(row));
  return {std::min(1.0, std::sqrt(std::max(0.0, energy) / one)), used_[row]};
}

/// G_rr.
template <class Space>
double MechanismRecursion<Space>::alone(int row) {
  z_.setZero();
  motion_.setZero();
  z_[row] = 1.0;
  change_lambda_.setZero();
  equations_->residual(nullptr, change_lambda_.data(), motion_.data(), z_.data(), left_h_.data(), left_gamma_.data());
  if (!free_->factorise(*at_)) return 0.0;
  free_->solve(left_h_.data(), nullptr, motion_.data(), nullptr);
  z_.setZero();
  equations_->residual(nullptr, change_lambda_.data(), motion_.data(), z_.data(), left_h_.data(), left_gamma_.data());
  return -left_gamma_[row];
}

template class MechanismRecursion<Planar>;
template class MechanismRecursion<Spatial>;

}  // namespace maggi::mechanism
