#pragma once
#include <vector>

#include "maggi/expert/system.hpp"

namespace maggi {

/// One-sided rows of a system: which are without gap, and which of these approach or part.
///
/// What cannot be told from zero: a gap that a change of every coordinate q by 1e-10 (1 + |q|) could make, of those
/// that the row depends on; and the rounding of a velocity.
class OneSidedRows {
 public:
  explicit OneSidedRows(const System& system);

  const std::vector<int>& rows() const { return rows_; }

  void look(const State& at, Workspace& w);  ///< f, ḟ and their resolutions, here
  double gap(int row) const { return f_[row]; }
  double speed(int row) const { return phi_[row]; }
  bool touches(int row) const { return f_[row] <= resolution(row); }
  bool approaches(int row) const { return phi_[row] < -rounding(row); }
  bool leaves(int row) const { return phi_[row] > rounding(row); }
  double resolution(int row) const { return resolution_[row]; }
  double length(int row) const { return length_[row]; }  ///< Σ |C_ij|

 private:
  double rounding(int row) const { return speed_scale_ * length_[row]; }

  const System& system_;
  const Shape& shape_;
  std::vector<int> rows_;
  std::vector<std::vector<int>> coordinates_;  // of velocities that move these rows
  Vector f_, phi_, length_, resolution_;       // m, those of the position rows filled; Σ |C_ij|
  double speed_scale_ = 0.0;
};

}  // namespace maggi
