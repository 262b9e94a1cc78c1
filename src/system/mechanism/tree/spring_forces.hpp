#pragma once
#include <vector>

#include "base/dual.hpp"
#include "system/mechanism/tree/tree_model.hpp"

namespace maggi::mechanism {

/// Do the ends of this spring meet, and is its force k (y − x) all the same, without a direction of its own? Of a
/// formula nobody knows.
template <class Space>
bool is_linear_where_ends_meet(const SpringElement<Space>& spring, const typename Space::Real& l) {
  if constexpr (requires { value_of(l); })
    return !(value_of(l) > 0.0) && value_of(spring.length) == 0.0 && value_of(spring.damping) == 0.0 &&
           value_of(spring.force) == 0.0;
  else
    return false;
}

/// Takes the forces of springs off what accelerates the links; positions and velocities must be known.
template <class Space>
void apply_springs(const std::vector<SpringElement<Space>>& springs, LinkState<Space>& s) {
  for (const SpringElement<Space>& spring : springs) {
    const typename Space::Linear x = s.pose[spring.a.link] * spring.a.at, y = s.pose[spring.b.link] * spring.b.at;
    const typename Space::Real l = (y - x).norm();
    if (is_linear_where_ends_meet(spring, l)) {
      const auto F = Wrench<Space>::in(x, spring.stiffness * (y - x));
      s.force[spring.a.link] -= F;
      s.force[spring.b.link] += F;
      continue;
    }
    const typename Space::Linear e = (y - x) / l;
    const typename Space::Real rate = e.dot(s.V[spring.b.link].at(y) - s.V[spring.a.link].at(x));
    const typename Space::Real pull = spring.stiffness * (l - spring.length) + spring.damping * rate + spring.force;
    const auto F = Wrench<Space>::in(x, pull * e);  // on a; the opposite on b
    s.force[spring.a.link] -= F;
    s.force[spring.b.link] += F;
  }
}

}  // namespace maggi::mechanism
