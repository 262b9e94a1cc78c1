#pragma once
#include "system/mechanism/rounding/loop_block.hpp"

namespace maggi::mechanism {

/// What the axes of two joints of a block nearly are. A mechanism that moves may have neighbours that move, too: a
/// four-bar in the plane is the limit of spherical ones. What nearly holds is meant, so that a repair makes it exact.
struct AxisRelation {
  enum class Kind { parallel, perpendicular, meeting, coaxial };
  Kind kind;
  int i, j;  ///< joints of the block
  bool has_two_conditions() const { return kind == Kind::parallel || kind == Kind::coaxial; }
};

/// The relations that hold up to `tolerance` with the geometry as given. None in the plane, where all axes are normal
/// to it.
template <class Space>
std::vector<AxisRelation> find_axis_relations(const LoopBlock<Space>& block, double tolerance);

/// Deviations of a relation with the changes p, and their derivatives by p.
template <class Space>
void deviations(const LoopBlock<Space>& block, const AxisRelation& relation, const Vector& p, Vector& values,
                Matrix& by_changes);

}  // namespace maggi::mechanism
