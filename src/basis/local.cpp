#include "basis/local.hpp"

#include "maggi/basis/metric_factor.hpp"

namespace maggi {

LocalBasis::LocalBasis(int n, int max_rows) : Basis(n), max_rows_(max_rows), partition_(n, n) {}

bool LocalBasis::compute(const Equations& equations) {
  const Matrix& C = equations.C;
  const Eigen::Index n = C.cols(), n_x = equations.J.rows();
  if (n_x == 0) return refuse("the model has no local coordinates: the points that are constrained go to [local]");
  if (n_x > n) return refuse("there are more local coordinates than coordinates");

  of_J_.C = equations.J;
  partition_.hold(held_);
  if (!partition_.compute(of_J_)) return refuse(partition_.why());
  P_.resize(n, n_x);
  Vector unit = Vector::Zero(n_x), column(n);
  for (Eigen::Index j = 0; j < n_x && partition_.rank() == n_x; ++j) {
    unit[j] = 1.0;
    partition_.particular(unit, column);
    P_.col(j) = column;
    unit[j] = 0.0;
  }
  const bool regular =
      partition_.rank() == n_x && P_.allFinite() && J().norm() * P_.norm() * MetricFactor::default_tolerance < 1.0;
  if (!regular) return refuse("the local coordinates depend on each other here");

  // rounding of C P is that of the partition, ε κ(J); a constraint that is not local misses by its own size
  constexpr double rounding = 1e-8;
  for (Eigen::Index i = 0; i < C.rows(); ++i)
    if ((C.row(i) * Y()).norm() > rounding * C.row(i).norm() * (1.0 + Y().norm()))
      return refuse("a constraint is not a function of the local coordinates");

  if (!hat_ || hat_->D().rows() != n_x) {
    hat_ = std::make_unique<EuclideanGramSchmidtBasis>(static_cast<int>(n_x), max_rows_);
    hat_equations_.M = Matrix::Identity(n_x, n_x);
  }
  hat_equations_.C.noalias() = C * P_;
  hat_->hold(held_);
  if (!hat_->compute(hat_equations_)) return refuse(hat_->why());
  rank_ = hat_->rank();
  dependent_ = hat_->dependent_rows();
  selections_ = partition_.selections() + hat_->selections();
  strained_ = partition_.strained() || hat_->strained();
  const Eigen::Index along = n_x - rank_;
  D_.leftCols(along).noalias() = P_ * D_hat();
  D_.middleCols(along, n - n_x) = Y();
  return true;
}

void LocalBasis::particular(const Vector& gamma, Vector& d0) const {
  Vector x(P_.cols());
  hat_->particular(gamma, x);
  d0.noalias() = P_ * x;
}

void LocalBasis::multipliers(const Vector& r, Vector& lambda) const { hat_->multipliers(P_.transpose() * r, lambda); }

/// Ĉ̇ = (Ċ − Ĉ J̇) P
Rates LocalBasis::hat_rates(const Rates& rates) const { return {{}, (rates.C - C_hat() * rates.J) * P_, {}}; }

bool LocalBasis::rate(const Rates& rates, Matrix& Ddot) const {
  // [J; G] D = [D̂ 0; 0 1]:  Ḋ = [J; G]⁻¹ ([D̂̇ 0; 0 0] − [J̇; 0] D)
  Matrix D_hat_rate;
  hat_->rate(hat_rates(rates), D_hat_rate);
  Matrix local_rate = -rates.J * D();
  local_rate.leftCols(D_hat_rate.cols()) += D_hat_rate;
  Ddot.noalias() = P_ * local_rate;
  return true;
}

void LocalBasis::tangent(const Vector& v, Vector& u) const {
  const Eigen::Index along = D_hat().cols();
  u.resize(D().cols());
  u.head(along).noalias() = D_hat().transpose() * (J() * v);
  u.tail(u.size() - along) = v(free_coordinates());
}

bool LocalBasis::tangent_rate(const Rates& rates, const Vector& v, const Vector& vdot, Vector& udot) const {
  const Eigen::Index along = D_hat().cols();
  Matrix D_hat_rate;
  hat_->rate(hat_rates(rates), D_hat_rate);
  udot.resize(D().cols());
  udot.head(along) = D_hat_rate.transpose() * (J() * v) + D_hat().transpose() * (rates.J * v + J() * vdot);
  udot.tail(udot.size() - along) = vdot(free_coordinates());
  return true;
}

}  // namespace maggi
