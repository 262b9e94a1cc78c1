#pragma once
#include <cassert>
#include <string>

#include "model/joint_entries.hpp"

namespace maggi::mechanism {

/// Of a joint that exists in this space.
template <class Space>
const JointKind& joint_kind(JointType type) {
  const std::optional<JointKind>& kind = entry_of(type).kind(Space::axes == 2);
  assert(kind);
  return *kind;
}

/// Does the row compare rotations? The others compare lengths.
bool is_rotation(Holds holds);

/// Units of what a freedom and a row measure.
std::string unit_of(Freedom freedom);
std::string unit_of(Holds holds);

}  // namespace maggi::mechanism
