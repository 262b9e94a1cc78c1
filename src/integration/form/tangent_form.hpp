#pragma once
#include "basis/continuity.hpp"
#include "integration/form/form.hpp"

namespace maggi::integration {

/// y = [q; u], the tangent velocities of a smooth basis D of the position and velocity rows. [Blajer1993, sec. 4]
///
///     v = D u + d_v,   C d_v = −φ(q, 0, t)          velocity constraints are met by construction              (1)
///     q̇ = N(q) v,     u̇ = Zᵀv̇ + Żᵀv               v̇ from the formulation                                   (2)
///
/// The derivatives of (2) by u are exact, and so is what v̇ adds to those by q. How Z turns, the second derivative of a
/// basis, is known of no basis: at fixed v̇ the derivative of (2) by q is taken by differences, which cost no solution.
///
/// The basis is held during a step; when it is ill-conditioned after one, another basis is chosen and u = Zᵀv restarts.
class TangentForm final : public Form {
 public:
  /// The basis is that of the formulation, else mass-gram-schmidt. Error if it does not apply.
  TangentForm(Dynamics& dynamics, const State& start, std::optional<Continuity> continuity);

  int size() const override { return shape_.nq() + freedom_; }
  std::string name(int entry) const override;
  bool state(double t, const double* y, State& state) override;
  void values(const State& state, double* y) override;
  bool renew(const State& at) override;
  bool linearise(double t, const double* y, bool with_power, FormDerivatives& d) override;

 protected:
  bool rate(double t, const double* y, double* ydot) override;

 private:
  void resize();
  bool compute(double t, const double* q);  ///< D and φ(q, 0, t)
  bool load_state(double t, const double* q, const double* u, Vector& v);
  void load_rates(const State& at, Rates& rates);
  bool tangent_rate(const State& at, const Vector& vdot, Vector& udot);
  bool differentiate_Z(const State& now);
  void differentiate_velocity(const State& now, FormDerivatives& d);
  bool differentiate_turning(const State& now, const double* y, const Vector& vdot, Eigen::Ref<Matrix> by_q);

  RowSelection rows_;  // of position and velocity level
  std::unique_ptr<Basis> basis_;
  int freedom_ = 0;
  Equations equations_;
  Vector phi_, d_, u_, vdot_;
  State at_;

  // of linearise()
  CoordinateRates coordinate_rates_;
  Rates at_rest_, along_;
  Matrix Z_turned_;   // k × n: column j is (∂Z/∂q_j)ᵀv
  Matrix Zdot_D_;     // k × k: ŻᵀD
  Vector kinematic_;  // Zᵀv̇ + Żᵀv
};

}  // namespace maggi::integration
