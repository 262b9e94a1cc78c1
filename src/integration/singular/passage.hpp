#pragma once
#include <string>
#include <vector>

#include "integration/drift/constraint_keeper.hpp"
#include "integration/drift/rank_watch.hpp"
#include "integration/form/form.hpp"
#include "integration/singular/gauss_points.hpp"

namespace maggi::integration {

/// One step over a pose in which constraints become dependent, on the branch of the incoming motion.
///
/// In such a pose the equations do not determine v̇, and close to it they do so badly; yet the motion is smooth there.
/// So it is collocated at Gauss's points before and behind the pose, none of which is close to it:
///
///     y_i = P( y₀ + H Σ_j a_j(c_i) k_j ),   k_i = ẏ(t₀ + c_i H, y_i),   i = 1 … s, s even                       (1)
///
/// P is the projection onto the constraints. A polynomial that meets (1) and whose highest part is as small as the
/// tolerance is the smooth continuation; another branch would show as a kink. It must meet the constraints also where
/// the distance to singularity is least: two branches that come close to each other and part again are no pose, and the
/// polynomial would lead from one to the other.
///
/// The step is over (q, v), and the work if it is integrated.
class Passage {
 public:
  Passage(Dynamics& dynamics, Form& form, ConstraintKeeper& keeper, RankWatch& watch, const IntegrateOptions& options);

  /// From y at t over the pose that is expected at that time, to as far behind it. false: that is no smooth way, from
  /// here at least. `before_it`: from twice, four times … as far before the pose it was none either. Rounding in v̇ is
  /// four times as large each time, and so much is allowed for; and the step may go further behind the pose, with fewer
  /// points before it, so that none of them is as close to it.
  bool cross(double t, const double* y, double expected, int before_it);
  /// From a y at t that is in the pose, along its velocities: the step lies about t, of which the second half is used.
  ///
  ///     y_i = P( y(t) + H Σ_j (a_j(c_i) − a_j(½)) k_j )
  /// From rest along v̇, which the first guess needs then.
  bool leave(double t, const double* y, double half, const Vector& vdot);

  double end() const { return t_ + H_; }
  /// Where the rank drops, in the order of time: usually one, none if the motion turns before, two if it turns behind.
  const std::vector<State>& poses() const { return poses_; }
  /// Does it come to rest in this pose, so that nothing tells its branch?
  bool rests_in(const State& pose);
  bool unbounded_in(const State& pose, int lost);  ///< the multipliers; `lost`: ranks

  void interpolate(double t, double* y) const;

  /// For a state on the step: on the constraints, but for the combination that nearly vanishes.
  bool keep(State& state);
  /// v̇ of the polynomial, and the multipliers that belong to it: they grow without bound towards the pose, and are
  /// right down to a distance of 1e-10.
  bool solve(const State& state, Acceleration& result);

 private:
  static constexpr int points = 10;
  static constexpr double allowance = 10.0;  // tolerances, of the highest part; the error is a small part of it
  static constexpr double finest = 1e-12, coarsest = 1e-6;  // tolerances: rounding, and what tells branches apart

  bool cross_between(int gap, double expected);
  bool guess(double from, const Vector& vdot);
  bool collocate();
  void measure_rows();
  bool refine(int i, bool predicted);
  bool take_tangential(const State& at, Vector& slope);
  bool smooth() const;
  bool closes_behind();
  double distance(double t);
  double find_least(double from, double to);
  void find_closest();
  bool meets_constraints(const State& closest);
  double speed(const State& state);
  void find_reaction(const State& state, Acceleration& result);
  bool multipliers(Acceleration& result);
  double size_of(const Vector& change, const double* y) const;

  Dynamics& dynamics_;
  Form& form_;
  ConstraintKeeper& keeper_;
  RankWatch& watch_;
  double atol_, rtol_, allowance_ = allowance;
  GaussPoints points_;
  std::vector<Vector> integrals_;  // a_j(c_i), by i
  double t_ = 0.0, H_ = 0.0;
  Vector y_, fixed_;                // where it is given, a_j there: in the begin or in the middle
  Matrix k_, stages_, tangential_;  // by columns; the last one is k without M⁻¹Cᵀ(…)γ
  Vector slope_, stage_, most_;
  double change_ = 0.0;                 // of the last iteration, in tolerances
  double row_size_ = 0.0;               // the largest entry of C at the end
  std::vector<State> closest_, poses_;  // where the distance is least; those of them where it is zero
  State probe_;
  Projection loose_;  // leaves what nearly vanishes
  MetricFactor metric_;
};

}  // namespace maggi::integration
