#pragma once
#include <vector>

#include "maggi/expert/shape.hpp"

namespace maggi::integration {

/// Rows of a shape and, for each, the coordinates that occur in it, with all others of their joints: what a constraint
/// asks of one coordinate of a joint moves the bodies, and so the least change is one of the whole joint, wherever
/// loops are cut. `at`: the place of each row in the result; −1: it is left out.
std::vector<std::vector<int>> coordinates_of_rows(const Shape& shape, const std::vector<int>& at, int rows);

/// Unknowns and conditions in blocks that share nothing: what no condition relates to a misfit needs no change.
///
/// Two conditions belong to one block if an unknown that may change occurs in both. A start changes the blocks in which
/// a condition is not satisfied; all other unknowns keep their values exactly, whatever the mass matrix couples.
class StartBlocks {
 public:
  /// `occurrences`: for each condition its unknowns; empty: one block of all. `open`: the unknowns that may change.
  StartBlocks(const std::vector<std::vector<int>>& occurrences, const std::vector<int>& open, int unknowns);

  bool related(int unknown) const { return all_ || block_[unknown] >= 0; }  ///< does it occur in a condition?

  /// Those of `unknowns` whose block has a condition with a residual above `tolerance`, or one that is NaN.
  std::vector<int> disturbed(const std::vector<int>& unknowns, const Vector& residuals, double tolerance) const;

 private:
  int find(int block);

  bool all_ = false;
  std::vector<int> block_;         // of each unknown; −1: it occurs in no condition, or is not open
  std::vector<int> of_condition_;  // −1: none of its unknowns is open
  std::vector<int> parent_;        // union-find over the conditions
};

}  // namespace maggi::integration
