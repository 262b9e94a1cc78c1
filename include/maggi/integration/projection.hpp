#pragma once
#include <memory>

#include "maggi/basis/metric_factor.hpp"
#include "maggi/system/equations.hpp"

namespace maggi {

/// How far a state is from the constraints, in the units of the coordinates: |f_i| / ‖row i of C‖₂, the largest of all
/// rows.
struct Residuals {
  double position = 0.0;
  double velocity = 0.0;
  int worst_position = -1, worst_velocity = -1;  ///< rows; −1 if there are none
};

/// Brings a state back onto the constraints with the least change in the mass metric. [Blajer1993 (4.5a)]
///
///     positions:   δ = −M⁻¹Cᵀ(C M⁻¹Cᵀ)⁻¹ f(q,t),  q ← q + N δ,  repeated until |f| is at rounding level    (1)
///     velocities:  v ← v − M⁻¹Cᵀ(C M⁻¹Cᵀ)⁻¹ φ(q,v,t),  once if φ is linear in v                            (2)
///
/// All active rows take part, redundant ones too. Memory is allocated at construction.
class Projection {
 public:
  /// Scaled residual that counts as fulfilled; where rounding of large values forbids it, ten times that rounding.
  static constexpr double default_tolerance = 1e-14;
  /// Where rounding ends the iteration earlier, so many times the goal is still on the constraints.
  static constexpr double acceptable = 10.0;

  /// `rank_tolerance`: combinations of rows below it (MetricFactor) are left as they are.
  explicit Projection(const System& system, double tolerance = default_tolerance,
                      double rank_tolerance = MetricFactor::default_tolerance);
  ~Projection();

  void use_rows(const std::vector<int>& active);  ///< default: all rows active at start

  bool positions(State& state, Workspace& w);   ///< false if the constraints cannot be met near this state
  bool velocities(State& state, Workspace& w);  ///< after positions()
  bool operator()(State& state, Workspace& w);  ///< both

  Residuals residuals(const State& state, Workspace& w);
  /// Of the last velocities(): rank and distance to singularity of the position and velocity rows.
  const MetricFactor& factor() const;
  /// Scaled residual that the last call found and left.
  double residual_before() const { return before_; }
  double residual_after() const { return after_; }

 private:
  template <class Residual, class Move, class Goal>
  bool iterate(int fewest_steps, const Residual& residual, const Move& move, const Goal& goal);

  struct Memory;
  std::unique_ptr<Memory> memory_;
  double tolerance_, rank_tolerance_, before_ = 0.0, after_ = 0.0;
};

}  // namespace maggi
