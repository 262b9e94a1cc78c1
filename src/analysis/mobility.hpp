#pragma once
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"

namespace maggi {

/// What the constraints leave of each velocity at one state, over all active rows of position and velocity level: rows
/// of acceleration level tie no velocities.
struct Mobility {
  /// cos² of the angle between the velocity and the constraints in the mass metric, see projective.hpp: 0 free, 1 held
  /// fast. No entries if M is singular, which leaves no angles.
  Vector constrained;
  std::vector<int> independent;  ///< k velocities that determine all others, increasing; the freest by deflation
  /// n × k: the free motions. Column j has 1 for the independent velocity j, 0 for the others of them, and what follows
  /// for the rest. A motion that time demands comes on top.
  Matrix motions;
  std::string left_out;  ///< why nothing of this is known; empty if it is
};

/// Left out beyond most_for_certificate.
Mobility find_mobility(Dynamics& dynamics, const State& at, const Acceleration& acceleration);

/// Some rows by themselves, as those of one loop: how many velocities they contain, and their rank.
struct PartialMobility {
  int velocities = 0, rank = 0;
  int freedom() const { return velocities - rank; }
};
std::vector<PartialMobility> find_mobility_of(const std::vector<std::vector<int>>& groups, Dynamics& dynamics,
                                              const State& at, const Acceleration& acceleration);

}  // namespace maggi
