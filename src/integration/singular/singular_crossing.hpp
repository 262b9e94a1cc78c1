#pragma once
#include <atomic>
#include <string>
#include <vector>

#include "integration/drift/constraint_keeper.hpp"
#include "integration/drift/rank_monitor.hpp"
#include "integration/form/form.hpp"
#include "integration/singular/gauss_points.hpp"

namespace maggi::integration {

/// One step over a singular configuration, on the branch of the incoming motion.
///
/// In a singular configuration the equations do not determine v̇, and close to it v̇ is ill-conditioned; the motion
/// itself is smooth there. It is therefore collocated at Gauss points before and after the configuration, none of which
/// is close to it:
///
///     y_i = P( y₀ + H Σ_j a_j(c_i) k_j ),   k_i = ẏ(t₀ + c_i H, y_i),   i = 1 … s, s even                       (1)
///
/// P is the projection onto the constraints. A polynomial that satisfies (1) and whose highest part is as small as the
/// tolerance is the smooth continuation; another branch would show as a kink. It must satisfy the constraints also
/// where the distance to singularity is smallest: two branches that approach each other and separate again do not meet,
/// and the polynomial would lead from one to the other.
///
/// The integrated variables of the step are (q, v), and the work if it is integrated.
class SingularCrossing {
 public:
  SingularCrossing(Dynamics& dynamics, Form& form, ConstraintKeeper& keeper, RankMonitor& monitor,
                   const IntegrateOptions& options);

  /// From y at t over the singular configuration at the time `expected`, to the same distance after it. Returns false
  /// if no smooth continuation was found from this point. `attempts`: number of earlier attempts, each from twice the
  /// distance. Halving the distance multiplies the rounding error in v̇ by four; the tolerance is relaxed accordingly,
  /// and the step may extend further beyond the configuration, with fewer points before it.
  bool cross(double t, const double* y, double expected, int attempts);
  /// From a y at t that is a singular configuration, along its velocities: the step is centred at t, and its second
  /// half is used. From rest the step is along v̇, which is then the first guess.
  ///
  ///     y_i = P( y(t) + H Σ_j (a_j(c_i) − a_j(½)) k_j )
  bool leave(double t, const double* y, double half, const Vector& vdot);

  double end() const { return t_ + H_; }
  /// The states where the rank drops, in the order of time: usually one; none if the motion turns before it, two if it
  /// turns after it.
  const std::vector<State>& configurations() const { return configurations_; }
  /// Does the motion come to rest in this configuration, so that nothing selects its branch?
  bool comes_to_rest(const State& singular);
  /// The multipliers on both sides of this configuration, t* ± s:  λ = ± a₁/s + a₂/s² + b + …
  struct ReactionLimit {
    bool unbounded = true;  ///< do a₁ or a₂ differ from zero by more than the errors of v̇ explain?
    Vector lambda;          ///< b, m entries: the limit, if they are bounded
  };
  ReactionLimit reactions_near(const State& singular);

  void interpolate(double t, double* y) const;

  /// Projects a state of the step, except for the combination of rows that nearly vanishes.
  bool keep(State& state);
  /// v̇ of the polynomial, and the multipliers that belong to it: they may grow without bound towards the singular
  /// configuration, and are accurate down to a distance of 1e-10.
  bool solve(const State& state, Acceleration& result);

 private:
  static constexpr int points = 10;
  static constexpr double allowance = 10.0;  // of the highest part, in tolerances; the error is a small part of it
  static constexpr double finest = 1e-12, coarsest = 1e-6;  // tolerances: rounding, and what distinguishes branches

  bool cross_between(int gap, double expected);
  bool guess(double from, const Vector& vdot);
  bool collocate();
  void measure_rows();
  bool refine(int i, bool predicted);
  bool take_tangential(const State& at, Vector& slope);
  bool smooth() const;
  bool ends_on_constraints();
  double distance(double t);
  double find_least(double from, double to);
  void find_closest();
  bool meets_constraints(const State& closest);
  double speed(const State& state);
  bool multipliers_at(double t, Vector& lambda);
  void find_reaction(const State& state, Acceleration& result);
  bool multipliers(Acceleration& result);
  double size_of(const Vector& change, const double* y) const;

  Dynamics& dynamics_;
  Form& form_;
  ConstraintKeeper& keeper_;
  RankMonitor& monitor_;
  const std::atomic<bool>* interrupt_;
  double atol_, rtol_, allowance_ = allowance;
  GaussPoints points_;
  std::vector<Vector> integrals_;  // a_j(c_i), by i
  double t_ = 0.0, H_ = 0.0;
  Vector y_, fixed_;                // the given y, and a_j there: at the beginning or in the middle
  Matrix k_, stages_, tangential_;  // by columns; the last one is k without M⁻¹Cᵀ(…)γ
  Vector slope_, stage_, most_;
  double change_ = 0.0;                          // of the last iteration, in tolerances
  double row_size_ = 0.0;                        // the largest entry of C at the end
  std::vector<State> closest_, configurations_;  // where the distance is smallest; those where it is zero
  State probe_;
  Projection loose_;  // leaves combinations of rows that nearly vanish
  MetricFactor metric_;
};

}  // namespace maggi::integration
