#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/eight.hpp"
#include "system/formulas/lane_system.hpp"

namespace maggi {

class LaneFactor;

/// (q, v, t) ↦ v̇, λ of eight states at once: the same formulas with eight sets of parameters, for ensembles.
///
///     M v̇ = h + Cᵀλ      C v̇ = γ      in each lane
///
/// Use: ask why_not() whether the shape allows it; make one object per thread; give each lane its parameters; hand over
/// arrays of n Eights, q[i][lane]. Every call returns the lanes that it could not do: rows that depend on each other,
/// velocities without inertia, values that are not finite. Such a run belongs to Dynamics, which decides ranks. What a
/// lane gets depends on that lane alone, to the last bit; lanes without work may contain anything. LaneIntegrator runs
/// motions on it.
class Lanes {
 public:
  static constexpr int count = Eight::lanes;

  /// Why not, in words; empty if it can be done.
  static std::string why_not(const Shape& shape) { return LaneSystem::why_not(shape); }

  /// Error (model) if why_not() says so. The system must outlive this object.
  explicit Lanes(const EquationSystem& system);
  Lanes(Lanes&&) noexcept;
  ~Lanes();

  const Shape& shape() const { return system_.shape(); }
  void set_parameters(int lane, std::span<const double> values) { system_.set_parameters(lane, values); }

  LaneSet accelerate(const Eight& t, const Eight* q, const Eight* v, Eight* vdot);
  const Eight* lambda() const;  ///< m, of the last accelerate()

  /// Brings the states back onto the constraints with the least change in the mass metric, as Projection does:
  ///
  ///     M δ = Cᵀμ,  C δ = −f(q, t),  q ← q + δ  until |f| is at rounding level;  then v in the same way with φ(q, v,
  ///     t)
  ///
  /// M and C are those of the last accelerate(), which must have been near; rows of a higher level keep C δ = 0. Lanes
  /// outside `which` are left alone.
  LaneSet project(const Eight& t, Eight* q, Eight* v, LaneSet which);

 private:
  template <class Evaluate, class Residual>
  LaneSet bring_back(int rows, Eight* values, LaneSet which, const Evaluate& evaluate, const Residual& residual);
  void find_row_scales();

  LaneSystem system_;
  std::unique_ptr<LaneFactor> factor_;
  std::vector<Eight> sides_, lambda_, row_scales_;  // 1/‖row of C‖
};

}  // namespace maggi
