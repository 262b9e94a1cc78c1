#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "dynamics/solution_derivatives.hpp"

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

  /// J = ∂ẏ/∂y, exact if the form knows it, otherwise by differences of ẏ, which is given; false if there is none here.
  bool jacobian(double t, const double* y, const double* ydot, Matrix& J);
  /// The same, exact or not at all: none if the form does not know it, or a derivative is not finite. `power`, unless
  /// null: the derivative of the power of all reactions, too.
  virtual bool exact_jacobian(double /*t*/, const double* /*y*/, Matrix& /*J*/, Vector* /*power*/) { return false; }

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

  Dynamics& dynamics_;
  const Shape& shape_;
  std::string why_;

 private:
  State failure_;
  bool failed_ = false;
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
  bool exact_jacobian(double t, const double* y, Matrix& J, Vector* power) override;

 protected:
  bool rate(double t, const double* y, double* ydot) override;

 private:
  void fill_coordinate_rates(const double* y, Matrix& J);

  std::unique_ptr<SolutionDerivatives> derivatives_;  // none until they are asked for
  Vector power_q_, power_v_, unit_, at_zero_;
  Matrix N_;
};

}  // namespace maggi::integration
