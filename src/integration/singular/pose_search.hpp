#pragma once
#include <array>
#include <functional>
#include <limits>
#include <optional>

#include "integration/drift/rank_watch.hpp"

namespace maggi::integration {

/// Looks for the poses in which constraints become dependent: ahead of the motion, and inside a step that was made.
///
/// Inside: the clearance follows the rows as the smallest singular value follows a matrix,
///
///     |Δ clearance| ≤ K turn,   turn = max_i ‖Δ row i‖ / its largest length,   K = 4 · largest clearance so far (1)
///
/// so that between two states there is no zero if the sum of their clearances is more than K turn. Otherwise the states
/// between them are looked at, as far as they can be interpolated, until (1) rules each part out or the clearance is
/// seen to go down to zero. K is no bound that can be proved: masses that differ much make the metric uneven, and 4 has
/// room for that. Until the rows have turned far enough to show a large clearance, 1 stands for it. How far rows turn
/// in a step is known from the step before; where that is so far that they could have come round, the parts tell.
///
/// Ahead: along q + v s + v̇ s²/2, where the clearance falls so fast that one of the next steps could reach the pose.
/// Steps would become small there, by rounding in v̇ that grows towards it. Whether the motion gets there, or turns
/// before, one step of fourth order tells.
class PoseSearch {
 public:
  static constexpr double none = std::numeric_limits<double>::infinity();
  /// The state at a time within the step; it need not be on the constraints.
  using Motion = std::function<void(double t, State& state)>;

  PoseSearch(Dynamics& dynamics, RankWatch& watch);

  void begin(const State& start);   ///< right after RankWatch::begin()
  void follow(const State& state);  ///< right after RankWatch::steady(): from here the next step begins

  /// Before that, right after the projection of the state in which a step from the last one ends: when the first pose
  /// is inside, if one is. `looked`: the terms of the end are overwritten.
  double inside(double from, double to, const Motion& motion, bool& looked);

  /// After a step of size h to this state: when a singular pose may be reached, as far as v and v̇ tell; none if none is
  /// so close that one of the next steps could step over it.
  double ahead(const State& state, double h);
  double rough() const { return rough_pose_; }  ///< the same without looking at the constraints there

 private:
  static constexpr double enough = 1.5;  // a right angle, about: so much of a turn shows how large a clearance can be

  void rely_on_rows(const State& state);
  double turn(const Vector& from, const Vector& to);
  struct Place {
    double t, clearance;
    const Vector* C;
  };
  bool possible(const Place& from, const Place& to, double turn) const;
  double walk(const Place& first, const Place& last, int parts, double rate, const Motion& motion);
  Place look(double t, const Motion& motion, Vector& C);
  bool narrow(const Place& from, const Place& to, double rate, std::size_t next, const Motion& motion, double& pose);
  bool vanishes(const Motion& motion, double from, double to, double height, double& pose);
  void go_ahead(const State& state, double time);
  bool comes_near(const State& state, double time, double clearance);

  Dynamics& dynamics_;
  const Shape& shape_;
  RankWatch& watch_;
  std::optional<Projection> rough_;
  int choice_ = -1;       // of rows that it relies on
  double largest_ = 0.0;  // clearance so far
  double turned_ = 0.0;   // altogether
  double rate_ = none;    // turn over time, in the last step; none: not known
  Vector begin_, end_;    // C where the step begins and ends
  std::array<Vector, 5> between_;
  Vector change_, squares_;
  double looked_ = none;  // how far ahead the pose was that turned out to be none
  double seen_ = none;    // when the pose is that did not turn out to be none
  double rough_pose_ = none;
  State probe_;
  Vector way_, vdot_;
  std::array<Vector, 3> stage_;  // of comes_near()
};

}  // namespace maggi::integration
