#include "simulation/certificate.hpp"

#include <map>

#include "maggi/error.hpp"

namespace maggi {

namespace {

/// The components of each joint that are unique.
std::map<std::string, std::vector<Channel>> unique_components(const MechanismSystem& system,
                                                              const UniqueForces& unique) {
  std::map<std::string, std::vector<Channel>> result;
  for (std::size_t i = 0; i < system.own_outputs(); ++i)
    if (const std::string joint = joint_of_force(system.shape().outputs[i]); !joint.empty())
      if (std::vector<Channel>& components = result[joint]; unique.output(i))
        components.push_back(system.shape().outputs[i]);
  return result;
}

/// A force across a plane that turns with the mechanism is not unique along the axes of the world, but along its own.
/// The frames in which more components of a joint are unique.
std::vector<Certificate::OtherFrame> find_other_frames(const Model& model, const UndeterminedForces& undetermined,
                                                       const System& system, const UniqueForces& unique) {
  std::vector<Certificate::OtherFrame> result;
  const auto* mechanism = dynamic_cast<const MechanismSystem*>(&system);
  if (unique.all() || !mechanism) return result;
  std::map<std::string, std::vector<Channel>> best = unique_components(*mechanism, unique);
  for (const ReactionFrame frame : {ReactionFrame::joint, ReactionFrame::body, ReactionFrame::world}) {
    if (frame == model.mechanism.reaction_frame) continue;
    Model other = model;
    other.mechanism.reaction_frame = frame;
    const std::unique_ptr<MechanismSystem> turned = MechanismSystem::make(other);
    Certificate::OtherFrame found{frame, {}};
    for (auto& [joint, components] : unique_components(*turned, undetermined.unique(*turned))) {
      if (components.size() <= best[joint].size()) continue;
      found.outputs.insert(found.outputs.end(), components.begin(), components.end());
      best[joint] = std::move(components);
    }
    if (!found.outputs.empty()) result.push_back(std::move(found));
  }
  return result;
}

void find_redundancy_in(Certificate& result, Dynamics& dynamics, const State& start) {
  if (const auto* mechanism = dynamic_cast<const MechanismSystem*>(&dynamics.system())) {
    const std::unique_ptr<MechanismSystem> all_joints = mechanism->absolute_twin();
    analysis::AllRows all(*all_joints, dynamics);
    result.all_rows = std::make_shared<const Shape>(all.shape());
    result.joint_rows = all_joints->shape().m();
    result.found = find_redundancy_of_all(all, dynamics, start);
  } else {
    result.found = find_redundancy(dynamics, start);
  }
}

}  // namespace

Certificate certify(const Model& model, Dynamics& dynamics, const State& start) {
  Certificate result;
  UndeterminedForces undetermined(dynamics, start);
  undetermined.look_nearby(dynamics);
  result.forces = undetermined.unique(dynamics.system());
  result.other_frames = find_other_frames(model, undetermined, dynamics.system(), result.forces);
  try {
    find_redundancy_in(result, dynamics, start);
  } catch (const Error& error) { result.why_not = error.what(); }
  return result;
}

}  // namespace maggi
