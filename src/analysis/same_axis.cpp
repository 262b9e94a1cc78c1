#include "analysis/same_axis.hpp"

#include <algorithm>
#include <cmath>

namespace maggi {

namespace {

using Placements = std::vector<MechanismSystem::Placement>;

/// The velocities of all bodies for a rate 1 of one coordinate.
Placements moved_by(const MechanismSystem& mechanism, const State& at, int velocity) {
  const int n = mechanism.shape().n();
  return mechanism.placements({at.t, at.q, Vector::Unit(n, velocity)});
}

/// Are all bodies but one moved alike, in this or in the opposite sense, and does any of them move?
bool moved_alike(const Placements& a, const Placements& b, const std::string& but) {
  constexpr double rounding = 1e-9;
  for (const double sign : {1.0, -1.0}) {
    bool same = true, any = false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i].body == but) continue;
      const double size = a[i].velocity.norm() + a[i].angular_velocity.norm();
      const double difference =
          (a[i].velocity - sign * b[i].velocity).norm() + (a[i].angular_velocity - sign * b[i].angular_velocity).norm();
      any = any || size > rounding;
      same = same && difference <= rounding * (1.0 + size);
    }
    if (same && any) return true;
  }
  return false;
}

}  // namespace

std::vector<SameAxis> find_same_axes(const MechanismSystem& mechanism, const State& at) {
  const std::vector<MechanismSystem::Branch>& tree = mechanism.tree();
  const std::vector<Channel>& velocities = mechanism.shape().velocities;
  const auto velocity_of = [&](const MechanismSystem::Branch& branch) {
    if (branch.joint.empty() || branch.coordinates.size() != 1) return -1;
    const auto found = std::ranges::find(velocities, branch.coordinates[0] + "'", &Channel::name);
    return found == velocities.end() ? -1 : static_cast<int>(found - velocities.begin());
  };
  std::vector<SameAxis> result;
  for (const MechanismSystem::Branch& outer : tree) {
    const auto inner = std::ranges::find(tree, outer.parent, &MechanismSystem::Branch::body);
    if (inner == tree.end()) continue;
    const int first = velocity_of(*inner), second = velocity_of(outer);
    if (first < 0 || second < 0) continue;
    if (moved_alike(moved_by(mechanism, at, first), moved_by(mechanism, at, second), inner->body))
      result.push_back({inner->joint, outer.joint, inner->body});
  }
  return result;
}

}  // namespace maggi
