#pragma once
#include <memory>
#include <optional>
#include <string>

#include "analysis/redundancy.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi {

/// The constraints at the start: of a mechanism those of all joints, not only of those that close loops.
struct Certificate {
  std::shared_ptr<const MechanismSystem> all_joints;  ///< null: the rows of the system itself
  std::optional<Redundancy> found;
  std::string why_not;  ///< reason why no certificate was computed; shown in the report, not an error

  const Redundancy* get() const { return found ? &*found : nullptr; }
  const Shape* certified() const { return all_joints ? &all_joints->shape() : nullptr; }
};

/// Error (numerics) if it cannot be computed.
Certificate certify(Dynamics& dynamics, const State& start);

}  // namespace maggi
