#pragma once
#include <memory>
#include <optional>
#include <string>

#include "analysis/redundancy.hpp"
#include "maggi/model.hpp"
#include "results/unique_forces.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi {

/// The constraints at the start: of a mechanism those of all joints, not only of those that close loops, and with them
/// all others that are in force.
struct Certificate {
  std::shared_ptr<const Shape> all_rows;  ///< null: the rows of the system itself
  int joint_rows = 0;                     ///< of all_rows the first ones, those of joints
  std::optional<Redundancy> found;
  std::string why_not;  ///< reason why no certificate was computed; shown in the report, not an error

  UniqueForces forces;  ///< of a run
  /// Axes along which more components of some joints are unique than along those of the model, and these components.
  struct OtherFrame {
    ReactionFrame frame;
    std::vector<Channel> outputs;
  };
  std::vector<OtherFrame> other_frames;

  const Redundancy* get() const { return found ? &*found : nullptr; }
  const Shape* certified() const { return all_rows.get(); }
};

/// One that could not be computed says why; the forces are there all the same.
Certificate certify(const Model& model, Dynamics& dynamics, const State& start);

}  // namespace maggi
