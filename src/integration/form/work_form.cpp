#include "integration/form/work_form.hpp"

#include <cmath>
#include <limits>

namespace maggi::integration {

bool WorkForm::rate(double t, const double* y, double* ydot) {
  if (!(*form_)(t, y, ydot) || !form_->state(t, y, at_)) {
    why_ = form_->why();
    return false;
  }
  ydot[form_->size()] = dynamics_.reaction_power(at_) + dynamics_.system().energy(at_, dynamics_.workspace()).power;
  return true;
}

/// The power of the forces given is known as a number only; differences of it cost no solution.
bool WorkForm::exact_jacobian(double t, const double* y, Matrix& J, Vector* power) {
  const int inner = form_->size();
  inner_J_.resize(inner, inner);
  if (!form_->exact_jacobian(t, y, inner_J_, &inner_power_) || !form_->state(t, y, at_)) return false;
  J.setZero();
  J.topLeftCorner(inner, inner) = inner_J_;
  J.row(inner).head(inner) = inner_power_.transpose();
  if (power) *power = J.row(inner).transpose();
  const auto given = [&] { return dynamics_.system().energy(at_, dynamics_.workspace()).power; };
  const double here = given();
  moved_ = Eigen::Map<const Vector>(y, inner);
  for (int j = 0; j < inner; ++j) {
    moved_[j] += std::sqrt(std::numeric_limits<double>::epsilon() * std::max(1e-5, std::abs(y[j])));
    form_->state(t, moved_.data(), at_);
    J(inner, j) += (given() - here) / (moved_[j] - y[j]);
    moved_[j] = y[j];
  }
  return true;
}

}  // namespace maggi::integration
