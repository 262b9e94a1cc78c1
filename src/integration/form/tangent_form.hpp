#pragma once
#include "basis/continuity.hpp"
#include "integration/form/form.hpp"

namespace maggi::integration {

/// y = [q; u], the tangent velocities of a smooth basis D of the position and velocity rows. [Blajer1993, sec. 4]
///
///     v = D u + d_v,   C d_v = −φ(q, 0, t)          velocity constraints are met by construction              (1)
///     q̇ = N(q) v,     u̇ = Zᵀv̇ + Żᵀv               v̇ from the formulation                                   (2)
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

 protected:
  bool rate(double t, const double* y, double* ydot) override;

 private:
  void resize();
  bool compute(double t, const double* q);  ///< D and φ(q, 0, t)

  RowSelection rows_;  // of position and velocity level
  std::unique_ptr<Basis> basis_;
  int freedom_ = 0;
  Equations equations_;
  Vector phi_, d_, u_, vdot_;
  State at_;
};

}  // namespace maggi::integration
