#pragma once
#include "integration/form/form.hpp"

namespace maggi::integration {

/// Another form, and the work on the system as one more unknown: W' = reaction · v + power, so that E − W stays what it
/// was. It is integrated with the motion, to the same accuracy.
class WorkForm final : public Form {
 public:
  WorkForm(Dynamics& dynamics, std::unique_ptr<Form> form)
      : Form(dynamics), form_(std::move(form)), at_{0.0, Vector::Zero(shape_.nq()), Vector::Zero(shape_.n())} {}

  int size() const override { return form_->size() + 1; }
  std::string name(int entry) const override { return entry < form_->size() ? form_->name(entry) : "work"; }
  bool state(double t, const double* y, State& state) override { return form_->state(t, y, state); }
  void values(const State& state, double* y) override { form_->values(state, y); }
  bool renew(const State& at) override { return form_->renew(at); }
  int work_entry() const override { return form_->size(); }
  bool linearise(double t, const double* y, bool with_power, FormDerivatives& d) override;

 protected:
  bool rate(double t, const double* y, double* ydot) override;

 private:
  std::unique_ptr<Form> form_;
  State at_;
  FormDerivatives inner_;
  Vector moved_;
};

}  // namespace maggi::integration
