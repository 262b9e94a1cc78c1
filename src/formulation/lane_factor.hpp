#pragma once
#include <cstdint>
#include <vector>

#include "base/eight.hpp"
#include "system/formulas/lane_system.hpp"

namespace maggi {

/// The factor L Δ Lᵀ of the augmented matrix of eight systems at once,
///
///     ⎡ M  Cᵀ ⎤ ⎡  x ⎤   ⎡ a ⎤
///     ⎣ C  0  ⎦ ⎣ −y ⎦ = ⎣ b ⎦
///
/// without pivoting: M is positive definite, and a row of C comes after all velocities in it, so that its pivot is −(C
/// M⁻¹ Cᵀ)_ii less what the rows before it explain. The order is chosen once, for little fill, and with it where every
/// product goes. A pivot that cancels tells of rows that depend on each other, or of a velocity without inertia: that
/// lane is then named by alarm(), and needs a method that decides ranks.
class LaneFactor {
 public:
  /// A pivot counts as lost if so small a part of what it is made of is left. Of a velocity: nine digits of the
  /// solution remain. Of a row, that part is about the squared sine of its angle to the others: a singular
  /// configuration is then near.
  static constexpr double smallest_velocity_pivot = 1e-7, smallest_row_pivot = 1e-5;

  explicit LaneFactor(const Shape& shape);

  void compute(const LaneSystem& system);  ///< of its last acceleration()
  LaneSet alarm() const { return alarm_; }
  /// Both sides in place: (a, b) becomes (x, −y); n + m entries.
  void solve(Eight* sides) const;

  std::size_t entries() const { return values_.size(); }  ///< of L and Δ

 private:
  struct Pivot {
    std::uint32_t unknown;  // velocity or n + row
    std::uint32_t place;    // of the diagonal entry in values_; the column below follows it
    std::uint32_t below;    // how many entries that has
    std::uint32_t first;    // of their unknowns in unknowns_
    std::uint32_t targets;  // first place in targets_ of the products of this column
    double sign;            // of the pivot
    double smallest;        // part of it that must be left
  };

  std::vector<Pivot> pivots_;
  std::vector<std::uint32_t> unknowns_;  // of the entries below the diagonal, column by column
  std::vector<std::uint32_t> targets_;   // places that the products of two of them are taken from
  std::vector<std::uint32_t> diagonal_;  // by unknown: its pivot
  std::vector<std::uint32_t> M_, C_;     // places of the entries of the patterns
  std::vector<std::uint32_t> empty_;     // places that begin as zero
  std::vector<Eight> values_, column_, sums_;
  LaneSet alarm_ = 0;
};

}  // namespace maggi
