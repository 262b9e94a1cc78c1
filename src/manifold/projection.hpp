#pragma once
#include <memory>

#include <vector>

#include "basis/metric_factor.hpp"
#include "maggi/expert/equations.hpp"

namespace maggi {

/// Are constraint rows independent, and how clearly? In the metric of the mass, where nothing depends on units.
struct Independence {
  int rank = 0;
  double distance = 1.0;       ///< smallest sine between an independent row and the others
  int weakest = -1;            ///< the row that makes it
  double rejected = 0.0;       ///< largest sine that was taken for zero
  std::vector<int> dependent;  ///< rows that follow from the others
};

/// Of a factorisation on matrices; `rows` are those that it was made of.
void judge(const MetricFactor& factor, const std::vector<int>& rows, Independence& result);

/// Brings a state back onto the constraints with the least change in the mass metric. [Blajer1993 (4.5a)]
///
///     positions:   δ = −M⁻¹Cᵀ(C M⁻¹Cᵀ)⁻¹ f(q,t),  q ← q + N δ,  repeated until |f| is at rounding level    (1)
///     velocities:  v ← v − M⁻¹Cᵀ(C M⁻¹Cᵀ)⁻¹ φ(q,v,t),  once if φ is linear in v                            (2)
///
/// All active rows take part, redundant ones too. Once it is known which of them are independent, the step goes along
/// the Recursion of the system, if it has one; then redundant rows are met because they follow from the others, or they
/// are not met, and the projection says so. Memory is allocated at construction.
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

  void use_rows(const std::vector<int>& active);      ///< default: all rows active at start
  void rely_on(const std::vector<int>& independent);  ///< of the active rows: these, as long as it works

  bool positions(State& state, Workspace& w);   ///< false if the constraints cannot be met near this state
  bool velocities(State& state, Workspace& w);  ///< after positions()
  bool operator()(State& state, Workspace& w);  ///< both

  Residuals residuals(const State& state, Workspace& w);
  /// Of the last velocities(): of the position and velocity rows.
  const Independence& independence() const;
  /// Scaled residual that the last call found and left.
  double residual_before() const { return before_; }
  double residual_after() const { return after_; }

 private:
  template <class Residual, class Move, class Goal>
  bool iterate(int fewest_steps, bool linear, const Residual& residual, const Move& move, const Goal& goal);

  struct Memory;
  std::unique_ptr<Memory> memory_;
  double tolerance_, rank_tolerance_, before_ = 0.0, after_ = 0.0;
};

}  // namespace maggi
