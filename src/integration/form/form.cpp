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
  if (linearise(t, y, false, derivatives_) && derivatives_.rate.allFinite()) {
    J = derivatives_.rate;
    return true;
  }
  J.resize(size(), size());
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

SolutionDerivatives& Form::solution_derivatives() {
  if (!solution_derivatives_) solution_derivatives_ = std::make_unique<SolutionDerivatives>(dynamics_);
  return *solution_derivatives_;
}

void Form::differentiate_power(const Instant& at, FormDerivatives& d) {
  solution_derivatives().power(at, power_q_, power_v_);
  d.power.noalias() = d.displacement.transpose() * power_q_;
  d.power.noalias() += d.velocity.transpose() * power_v_;
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

bool VelocityForm::linearise(double t, const double* y, bool with_power, FormDerivatives& d) {
  const int nq = shape_.nq(), n = shape_.n();
  const Instant at(t, y, y + nq);
  const SolutionDerivatives& solution = solution_derivatives();
  if (!solution_derivatives().compute(at)) return false;
  rates_.compute(dynamics_.system(), at.q, at.v);
  d.displacement.setZero(n, nq + n);
  d.displacement.leftCols(nq) = rates_.inverse();
  d.velocity.setZero(n, nq + n);
  d.velocity.rightCols(n).setIdentity();
  d.rate.resize(nq + n, nq + n);
  d.rate.topLeftCorner(nq, nq) = rates_.by_q();
  d.rate.topRightCorner(nq, n) = rates_.N();
  if (shape_.identity_rates)
    d.rate.bottomLeftCorner(n, nq) = solution.vdot_q();
  else
    d.rate.bottomLeftCorner(n, nq).noalias() = solution.vdot_q() * rates_.inverse();
  d.rate.bottomRightCorner(n, n) = solution.vdot_v();
  if (with_power) differentiate_power(at, d);
  return true;
}

}  // namespace maggi::integration
