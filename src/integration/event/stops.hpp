#pragma once
#include <vector>

#include "integration/event/event_source.hpp"

namespace maggi::integration {

/// One-sided rows: where they are, and which of those that touch (f = 0, ḟ = 0) press:
///
///     λ ≥ 0,   f̈ ≥ 0,   λ f̈ = 0
///
/// What cannot be told from zero: a gap that a change of every coordinate q by 1e-10 (1 + |q|) could make, of those
/// that the row depends on; and the rounding of a speed.
class Stops {
 public:
  explicit Stops(Dynamics& dynamics);

  const std::vector<int>& rows() const { return rows_; }

  void look(const State& at);  ///< f, ḟ and their resolutions, here
  double gap(int row) const { return f_[row]; }
  double speed(int row) const { return phi_[row]; }
  bool touches(int row) const { return f_[row] <= resolution(row); }
  bool approaches(int row) const { return phi_[row] < -rounding(row); }
  bool leaves(int row) const { return phi_[row] > rounding(row); }
  double resolution(int row) const { return resolution_[row]; }

  /// Which of the rows that touch press: of those that contradict themselves, the first is changed, until none does
  /// [Murty1974]. For independent rows with ideal reactions there is one such set, and it is found. Begins with those
  /// in force in the mode. The dynamics is left in the mode found, with its accelerations.
  Mode settle(const State& at, Mode mode, const std::vector<int>& touching);
  /// f̈ after settle().
  double acceleration(int row) const { return rate_[row]; }

 private:
  double rounding(int row) const { return speed_scale_ * length_[row]; }
  int first_contradiction(const State& at, const Mode& mode, const std::vector<int>& touching);

  Dynamics& dynamics_;
  const Shape& shape_;
  std::vector<int> rows_;
  std::vector<std::vector<int>> coordinates_;  // of velocities that move these rows
  Vector f_, phi_, length_, resolution_;       // m, those of the position rows filled; Σ |C_ij|
  Vector rate_;                                // C v̇ − γ
  Matrix C_;
  Acceleration a_;
  double speed_scale_ = 0.0;
};

/// What became of one-sided rows, one record each.
void report_stops(const Shape& shape, const Mode& before, const Mode& after, const std::vector<int>& hit,
                  std::vector<EventRecord>& records);

}  // namespace maggi::integration
