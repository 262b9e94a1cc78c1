#pragma once
#include "basis/lu.hpp"
#include "integration/form/form.hpp"

namespace maggi::integration {

/// y = [q_i; v_i]: the independent coordinates and velocities only. [PennestriValentini2007 (35)-(47)]
///
///     f(q_i, q_d, t) = 0        for q_d by Newton's method                                                     (1)
///     φ(q, v_i, v_d, t) = 0     for v_d, one step if linear                                                    (2)
///     q̇_i = v,  v̇_i            v̇ from the formulation                                                        (3)
///
/// Newton's method begins where the tangent at the last accepted state leads, q_d = q_d⁰ + v_d⁰ Δt + D (Δq_i − v_i⁰
/// Δt), so that the state of a y does not depend on what was evaluated before. A solution further from there than y is
/// from the accepted state lies on another branch of (1): the step is too long.
///
/// No drift by construction. The partition is renewed when C_d is close to singular, or (1) needs more than six steps.
class IndependentForm final : public Form {
 public:
  /// Error if q̇ = N(q) v: coordinates and velocities then have no common partition.
  IndependentForm(Dynamics& dynamics, const State& start);

  int size() const override {
    return static_cast<int>(position_.independent().size() + velocity_.independent().size());
  }
  std::string name(int entry) const override;
  bool state(double t, const double* y, State& state) override;
  void values(const State& state, double* y) override;
  bool renew(const State& at) override;
  /// Along dq_i and dv_i:  dq = D_p dq_i,  dv = V dq_i + D_v dv_i,  C_v V = −φ_q D_p, V_i = 0.
  bool linearise(double t, const double* y, bool with_power, FormDerivatives& d) override;

 protected:
  bool rate(double t, const double* y, double* ydot) override;

 private:
  /// The rows of one level (and those below it), and which coordinates depend on which.
  struct Partition {
    Partition(const Shape& shape, std::vector<int> which);
    const std::vector<int>& dependent() const { return basis.dependent_coordinates(); }
    const std::vector<int>& independent() const { return basis.independent_coordinates(); }
    bool load(const Shape& shape, const Terms& terms, const Vector& all_residuals);
    RowSelection rows;
    LuBasis basis;
    Equations equations;
    Vector residual;
  };

  bool load_position(const State& at);
  bool load_velocity(const State& at);
  void choose_again(const State& at);
  void accept(const State& state);
  double predict(double t, const double* y);
  bool solve(Partition& partition, bool (IndependentForm::*load)(const State&), Vector& unknowns, const char* what);

  Partition position_, velocity_;
  State at_;        // where the search is
  State accepted_;  // the last one
  Matrix D_;        // of the positions there: dq = D dq_i
  Vector predicted_;
  bool slow_ = false;
  Vector vdot_;
};

}  // namespace maggi::integration
