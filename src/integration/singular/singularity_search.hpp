#pragma once
#include <array>
#include <functional>
#include <limits>
#include <optional>

#include "integration/drift/rank_monitor.hpp"

namespace maggi::integration {

/// Searches for singular configurations: ahead of the motion, and inside a step that was made.
///
/// Inside a step: the clearance follows the rows as the smallest singular value follows a matrix,
///
///     |Δ clearance| ≤ K turn,   turn = max_i ‖Δ row i‖ / its largest length,   K = 4 · largest clearance so far (1)
///
/// so that there is no zero between two states if the sum of their clearances is larger than K turn. Otherwise the
/// interpolated states between them are examined, until (1) rules out each part or the clearance is seen to decrease to
/// zero. K is not a proven bound: very different masses distort the metric, and the factor 4 has room for that. Until
/// the rows have turned far enough to show a large clearance, 1 is used instead of it. How far rows turn in a step is
/// known from the previous step; if they may have turned right round, parts of the step are examined.
///
/// Ahead: along q + v s + v̇ s²/2, if the clearance decreases so fast that one of the next steps could reach a singular
/// configuration. Steps would become small there, because rounding errors in v̇ grow towards it. One step of fourth
/// order shows whether the motion gets there or turns before.
class SingularitySearch {
 public:
  static constexpr double none = std::numeric_limits<double>::infinity();
  /// The state at a time within the step; it need not be on the constraints.
  using Motion = std::function<void(double t, State& state)>;

  SingularitySearch(Dynamics& dynamics, RankMonitor& monitor);

  void begin(const State& start);   ///< right after RankMonitor::begin()
  void follow(const State& state);  ///< right after RankMonitor::keeps_rank(): the next step begins here

  /// Before that, right after the projection of the state in which a step from the last one ends: time of the first
  /// singular configuration inside the step, ∞ if there is none. `searched`: the terms of the end are overwritten.
  double inside(double from, double to, const Motion& motion, bool& searched);

  /// After a step of size h to this state: the time when a singular configuration may be reached, as predicted by v and
  /// v̇; ∞ if there is none so close that one of the next steps could step over it.
  double ahead(const State& state, double h);
  double rough() const { return rough_time_; }  ///< the same without projection onto the constraints there

 private:
  static constexpr double full_turn = 1.5;  // about a right angle: after it the largest clearance is known

  void follow_choice(const State& state);
  double turn(const Vector& from, const Vector& to);
  struct Place {
    double t, clearance;
    const Vector* C;
  };
  bool possible(const Place& from, const Place& to, double turn) const;
  double walk(const Place& first, const Place& last, int parts, double rate, const Motion& motion);
  Place examine(double t, const Motion& motion, Vector& C);
  bool narrow(const Place& from, const Place& to, double rate, std::size_t next, const Motion& motion, double& time);
  bool vanishes(const Motion& motion, double from, double to, double height, double& time);
  void go_ahead(const State& state, double time);
  bool comes_near(const State& state, double time, double clearance);

  Dynamics& dynamics_;
  const Shape& shape_;
  RankMonitor& monitor_;
  std::optional<Projection> rough_;
  int choice_ = -1;       // of the independent rows
  double largest_ = 0.0;  // clearance so far
  double turned_ = 0.0;   // altogether
  double rate_ = none;    // turn over time in the last step; ∞: not known
  Vector begin_, end_;    // C where the step begins and ends
  std::array<Vector, 5> between_;
  Vector change_, squares_;
  double false_alarm_ = none;  // look-ahead distance of the last false alarm [s]
  double confirmed_ = none;    // time of the last confirmed singular configuration [s]
  double rough_time_ = none;
  State probe_;
  Vector way_, vdot_;
  std::array<Vector, 3> stage_;  // of comes_near()
};

}  // namespace maggi::integration
