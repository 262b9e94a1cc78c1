#include "integration/form/form.hpp"

#include <cmath>
#include <limits>

namespace maggi::integration {

Form::Form(Dynamics& dynamics)
    : dynamics_(dynamics),
      shape_(dynamics.shape()),
      failure_{0.0, Vector::Zero(shape_.nq()), Vector::Zero(shape_.n())} {}

bool Form::note_failure(double t, const double* y) {
  why_.clear();
  state(t, y, failure_);
  failed_ = true;
  return false;
}

void Form::coordinate_rates(const double* q, const double* v, double* qdot) const {
  if (shape_.identity_rates)
    std::copy(v, v + shape_.n(), qdot);
  else
    dynamics_.system().coordinate_rates(q, v, qdot);
}

bool Form::jacobian(double t, const double* y, const double* ydot, Matrix& J) {
  J.resize(size(), size());
  if (exact_jacobian(t, y, J, nullptr) && J.allFinite()) return true;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  Vector moved = Eigen::Map<const Vector>(y, size());
  for (int j = 0; j < size(); ++j) {
    const double delta = std::sqrt(eps * std::max(1e-5, std::abs(y[j])));
    bool found = false;
    for (const double sign : {1.0, -1.0}) {  // the other way where ẏ ends
      moved[j] = y[j] + sign * delta;
      found = (*this)(t, moved.data(), J.col(j).data());
      if (found) break;
    }
    if (!found) return false;
    J.col(j) = (J.col(j) - Eigen::Map<const Vector>(ydot, size())) / (moved[j] - y[j]);
    moved[j] = y[j];
  }
  return true;
}

std::string VelocityForm::name(int entry) const {
  return entry < shape_.nq() ? shape_.coordinates[entry].name : shape_.velocities[entry - shape_.nq()].name;
}

bool VelocityForm::state(double t, const double* y, State& state) {
  state.t = t;
  std::copy(y, y + shape_.nq(), state.q.data());
  std::copy(y + shape_.nq(), y + size(), state.v.data());
  return true;
}

void VelocityForm::values(const State& state, double* y) {
  std::copy(state.q.data(), state.q.data() + shape_.nq(), y);
  std::copy(state.v.data(), state.v.data() + shape_.n(), y + shape_.nq());
}

bool VelocityForm::rate(double t, const double* y, double* ydot) {
  const double* v = y + shape_.nq();
  if (!dynamics_.accelerate({t, y, v}, ydot + shape_.nq())) return false;
  coordinate_rates(y, v, ydot);
  return true;
}

bool VelocityForm::exact_jacobian(double t, const double* y, Matrix& J, Vector* power) {
  if (!derivatives_) derivatives_ = std::make_unique<SolutionDerivatives>(dynamics_);
  const int nq = shape_.nq(), n = shape_.n();
  const double* v = y + nq;
  const Instant at(t, y, v);
  if (!derivatives_->compute(at)) return false;
  J.setZero();
  J.bottomRightCorner(n, n) = derivatives_->vdot_v();
  if (power) {
    derivatives_->power(at, power_q_, power_v_);
    power->resize(size());
    power->tail(n) = power_v_;
  }
  if (shape_.identity_rates) {
    J.topRightCorner(nq, n).setIdentity();
    J.bottomLeftCorner(n, nq) = derivatives_->vdot_q();
    if (power) power->head(nq) = power_q_;
    return true;
  }
  fill_coordinate_rates(y, J);
  for (int j = 0; j < n; ++j) N_.col(j) /= N_.col(j).squaredNorm();  // (N⁺)ᵀ: the columns of N are orthogonal
  J.bottomLeftCorner(n, nq).noalias() = derivatives_->vdot_q() * N_.transpose();
  if (power) power->head(nq).noalias() = N_ * power_q_;
  return true;
}

/// N_ and the derivatives of N(q) v in J; N is affine in q.
void VelocityForm::fill_coordinate_rates(const double* y, Matrix& J) {
  const System& system = dynamics_.system();
  const int nq = shape_.nq(), n = shape_.n();
  const double* v = y + nq;
  N_.resize(nq, n);
  unit_.setZero(n);
  for (int j = 0; j < n; ++j) {
    unit_[j] = 1.0;
    system.coordinate_rates(y, unit_.data(), N_.col(j).data());
    unit_[j] = 0.0;
  }
  J.topRightCorner(nq, n) = N_;
  unit_.setZero(nq);
  at_zero_.resize(nq);
  system.coordinate_rates(unit_.data(), v, at_zero_.data());
  for (int i = 0; i < nq; ++i) {
    unit_[i] = 1.0;
    system.coordinate_rates(unit_.data(), v, J.col(i).data());
    J.col(i).head(nq) -= at_zero_;
    unit_[i] = 0.0;
  }
}

}  // namespace maggi::integration
