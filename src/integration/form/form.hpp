#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "dynamics/solution_derivatives.hpp"
#include "integration/form/coordinate_rates.hpp"
#include "integration/form/form_derivatives.hpp"

namespace maggi::integration {

/// The motion as a first-order system: the integrated variables y, their rate ẏ, and the state they stand for.
class Form {
 public:
  explicit Form(Dynamics& dynamics);
  virtual ~Form() = default;

  virtual int size() const = 0;
  virtual std::string name(int entry) const = 0;  ///< of an entry of y

  /// The state that y stands for; false if there is none, why() says the reason.
  virtual bool state(double t, const double* y, State& state) = 0;
  /// The y of a state; entries that no state determines stay as they are.
  virtual void values(const State& state, double* y) = 0;

  /// The entry of y that is the work done on the system; −1 if it is not integrated.
  virtual int work_entry() const { return -1; }

  /// After an accepted step: does the form choose other variables, so that the same state has another y?
  virtual bool renew(const State& /*at*/) { return false; }

  /// ẏ; false if there is none here: failure() is then this state.
  bool operator()(double t, const double* y, double* ydot) { return rate(t, y, ydot) || note_failure(t, y); }

  /// J = ∂ẏ/∂y: that of linearise(), and where it has none by differences of ẏ, which is given; false if there is none
  /// here.
  bool jacobian(double t, const double* y, const double* ydot, Matrix& J);
  /// From the derivatives of the equations. false if they have none here, one is not finite, or the form knows none.
  virtual bool linearise(double /*t*/, const double* /*y*/, bool /*with_power*/, FormDerivatives& /*d*/) {
    return false;
  }

  /// Where the equations could not be evaluated last, since forget_failure().
  bool failed() const { return failed_; }
  const State& failure() const { return failure_; }
  void forget_failure() { failed_ = false; }
  bool note_failure(double t, const double* y);
  /// Why y stands for no state; empty if it does, but has no accelerations.
  const std::string& why() const { return why_; }

 protected:
  virtual bool rate(double t, const double* y, double* ydot) = 0;
  /// q̇ = N(q) v
  void coordinate_rates(const double* q, const double* v, double* qdot) const;
  /// d.power of the state that solution_derivatives() were computed for, from d.displacement and d.velocity.
  void differentiate_power(const Instant& at, FormDerivatives& d);
  SolutionDerivatives& solution_derivatives();

  Dynamics& dynamics_;
  const Shape& shape_;
  std::string why_;

 private:
  State failure_;
  bool failed_ = false;
  std::unique_ptr<SolutionDerivatives> solution_derivatives_;  // none until they are asked for
  FormDerivatives derivatives_;
  Vector power_q_, power_v_;
};

/// y = [q; v],  ẏ = [N(q) v; v̇]: the default, and the hot path.
class VelocityForm final : public Form {
 public:
  using Form::Form;
  int size() const override { return shape_.nq() + shape_.n(); }
  std::string name(int entry) const override;
  bool state(double t, const double* y, State& state) override;
  void values(const State& state, double* y) override;
  /// With N⁺N = 1: ∂v̇/∂q = (∂v̇/∂δ) N⁺; along what N⁺ drops, the length of a quaternion, no force depends.
  bool linearise(double t, const double* y, bool with_power, FormDerivatives& d) override;

 protected:
  bool rate(double t, const double* y, double* ydot) override;

 private:
  CoordinateRates rates_;
};

}  // namespace maggi::integration
