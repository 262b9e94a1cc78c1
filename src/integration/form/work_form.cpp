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
bool WorkForm::linearise(double t, const double* y, bool /*with_power*/, FormDerivatives& d) {
  const int inner = form_->size();
  if (!form_->linearise(t, y, true, inner_) || !form_->state(t, y, at_)) return false;
  const auto widened = [inner](const Matrix& of_inner, Matrix& all) {
    all.setZero(of_inner.rows(), inner + 1);
    all.leftCols(inner) = of_inner;
  };
  widened(inner_.displacement, d.displacement);
  widened(inner_.velocity, d.velocity);
  d.power.setZero(inner + 1);
  d.power.head(inner) = inner_.power;
  d.rate.setZero(inner + 1, inner + 1);
  d.rate.topLeftCorner(inner, inner) = inner_.rate;
  d.rate.row(inner) = d.power.transpose();
  const auto given = [&] { return dynamics_.system().energy(at_, dynamics_.workspace()).power; };
  const double here = given();
  moved_ = Eigen::Map<const Vector>(y, inner);
  for (int j = 0; j < inner; ++j) {
    moved_[j] += std::sqrt(std::numeric_limits<double>::epsilon() * std::max(1e-5, std::abs(y[j])));
    form_->state(t, moved_.data(), at_);
    d.rate(inner, j) += (given() - here) / (moved_[j] - y[j]);
    moved_[j] = y[j];
  }
  return true;
}

}  // namespace maggi::integration
