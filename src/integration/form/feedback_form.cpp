#include "integration/form/feedback_form.hpp"

#include <fmt/format.h>

#include "integration/form/active_rows.hpp"

namespace maggi::integration {

FeedbackForm::FeedbackForm(Dynamics& dynamics, std::unique_ptr<Form> form, double alpha, double beta)
    : Form(dynamics),
      form_(std::move(form)),
      G1_(2 * alpha),
      G0_(beta * beta),
      rows_(shape_, active_rows(dynamics, shape_.s_p + shape_.s_v)),
      factor_(shape_.n(), std::max(1, rows_.size())),
      M_(shape_.n(), shape_.n()),
      C_(rows_.size(), shape_.n()),
      residual_(rows_.size()),
      all_(shape_.s_p + shape_.s_v),
      delta_(shape_.n()),
      at_{0.0, Vector::Zero(shape_.nq()), Vector::Zero(shape_.n())} {}

std::string FeedbackForm::name(int entry) const {
  return entry < form_->size() ? form_->name(entry) : fmt::format("∫{}", shape_.rows[entry - form_->size()].name);
}

bool FeedbackForm::rate(double t, const double* y, double* ydot) {
  if (!(*form_)(t, y, ydot) || !form_->state(t, y, at_)) return false;
  const double* integral = y + form_->size();
  Workspace& w = dynamics_.workspace();
  const Terms& terms = w.terms;
  dynamics_.system().position(at_, w);
  dynamics_.system().velocity(at_, w);
  all_ = terms.phi;
  std::fill_n(ydot + form_->size(), shape_.s_p, 0.0);
  for (const int i : rows_.rows()) {
    if (i >= shape_.s_p) break;
    all_[i] += G1_ * terms.f[i] + G0_ * integral[i];
    ydot[form_->size() + i] = terms.f[i];
  }
  shape_.M.scatter(terms.M, M_);
  rows_.matrix(terms.C, C_);
  rows_.vector(all_, residual_);
  if (!residual_.allFinite() || !factor_.compute(M_, C_)) return false;
  factor_.least_change(residual_, delta_);
  delta_ = at_.v - delta_;
  coordinate_rates(at_.q.data(), delta_.data(), ydot);
  return delta_.allFinite();
}

}  // namespace maggi::integration
