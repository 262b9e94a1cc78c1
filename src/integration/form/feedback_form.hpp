#pragma once
#include "integration/form/form.hpp"

namespace maggi::integration {

/// PI feedback of the constraints in the kinematics, on top of a form that begins with q: y = [... ; ∫f]. [Blajer1993
/// (4.6a), with time]
///
///     q̇ = N(q) (v − δ),   C δ = [φ + G₁ f + G₀ ∫f; φ_v],   δ least in the metric of M                             (1)
///     ⇒ ḟ = −G₁ f − G₀ ∫f,   f̈ + G₁ ḟ + G₀ f = 0,       G₁ = 2α, G₀ = β²                                        (2)
///
/// φ vanishes where v meets the velocity constraints; φ_v: those of velocity level. The forces are evaluated with v.
class FeedbackForm final : public Form {
 public:
  FeedbackForm(Dynamics& dynamics, std::unique_ptr<Form> form, double alpha, double beta);

  int size() const override { return form_->size() + shape_.s_p; }
  std::string name(int entry) const override;
  bool state(double t, const double* y, State& state) override { return form_->state(t, y, state); }
  void values(const State& state, double* y) override { form_->values(state, y); }
  bool renew(const State& at) override { return form_->renew(at); }
  /// (1) with its multipliers, M δ = Cᵀμ and C δ = r, differentiated once:
  ///     M dδ − Cᵀdμ = d(Cᵀμ − M δ) at fixed δ and μ,   C dδ = dr − dC δ.
  bool linearise(double t, const double* y, bool with_power, FormDerivatives& d) override;

 protected:
  bool rate(double t, const double* y, double* ydot) override;

 private:
  bool find_correction(const double* integral);
  bool differentiate_correction();

  std::unique_ptr<Form> form_;
  double G1_, G0_;
  RowSelection rows_;  // of position and velocity level
  MetricFactor factor_;
  Matrix M_, C_;
  Vector residual_, all_, delta_, corrected_;
  State at_;

  // of linearise()
  FormDerivatives inner_;
  CoordinateRates rates_;
  Derivatives with_, without_, of_rows_;  // at δ and μ, at zero
  std::vector<int> independent_;          // rows that δ is found from
  Matrix K_, right_;
  Matrix delta_q_, delta_v_, delta_z_;  // by positions, velocities and ∫f
};

}  // namespace maggi::integration
