#include "integration/form/work_form.hpp"

namespace maggi::integration {

bool WorkForm::rate(double t, const double* y, double* ydot) {
  if (!(*form_)(t, y, ydot) || !form_->state(t, y, at_)) {
    why_ = form_->why();
    return false;
  }
  ydot[form_->size()] = dynamics_.reaction_power(at_) + dynamics_.system().energy(at_, dynamics_.workspace()).power;
  return true;
}

}  // namespace maggi::integration
