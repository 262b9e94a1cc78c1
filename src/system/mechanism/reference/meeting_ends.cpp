#include "system/mechanism/reference/meeting_ends.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/joint_entries.hpp"

namespace maggi::mechanism {

namespace {

using Placements = std::vector<MechanismSystem::Placement>;

/// A point of a body, given in the reference configuration, in the world now.
Vector3 place_now(const Drawing& drawing, const Placements& now, int body, const Vector3& drawn) {
  if (body == 0) return drawn + drawing.origin;
  const auto& placement = now[static_cast<std::size_t>(body) - 1];
  return placement.position + placement.rotation * (drawn - drawing.bodies[body].position);
}

}  // namespace

std::optional<MechanismSystem::MeetingEnds> find_meeting_ends(const Drawing& drawing, const Placements& now,
                                                              double within) {
  std::optional<MechanismSystem::MeetingEnds> found;
  const auto look_at = [&](const char* kind, const auto& given, int a, int b, const Vector3& from, const Vector3& to) {
    if (found) return;
    const Vector3 start = place_now(drawing, now, a, from), end = place_now(drawing, now, b, to);
    if ((end - start).norm() > within * (to - from).norm()) return;
    const double zero = within * (to - from).norm();  // the place is not known better
    const auto number = [&](int i) { return fmt::format("{:.6g}", std::abs(end[i]) <= zero ? 0.0 : end[i]); };
    found = {fmt::format("the ends of {} \"{}\" meet at ({}, {}{})", kind, given.name, number(0), number(1),
                         drawing.planar ? "" : ", " + number(2)),
             given.where};
  };
  const auto is_linear = [](const DrawnSpring& s) {  // k (y − x): it needs no direction
    return s.length == 0.0 && s.damping == 0.0 && s.force == 0.0 && s.given->force.empty();
  };
  for (const DrawnSpring& s : drawing.springs)
    if (!is_linear(s)) look_at("spring", *s.given, s.a, s.b, s.from, s.to);
  for (const DrawnJoint& j : drawing.joints)
    if (entry_of(j.given->type).keys.to) look_at("distance", *j.given, j.a, j.b, j.at, j.to);
  for (const DrawnDriverOver<double>& d : drawing.drivers)
    if (!d.given->distance[0].name.empty()) look_at("driver", *d.given, d.a, d.b, d.from, d.to);
  return found;
}

}  // namespace maggi::mechanism
