#include "system/mechanism/recursion/joint_complement.hpp"

namespace maggi::mechanism {

std::vector<LinkVector<Planar>> complement(const Link<Planar>& link, const LinkVector<Planar>* S) {
  switch (link.freedom) {
    case Freedom::slide: return {{1.0, 0.0, 0.0}, {0.0, -S[0][2], S[0][1]}};
    case Freedom::turn: return {{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    default: return {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  }
}
std::vector<LinkVector<Spatial>> complement(const Link<Spatial>& link, const LinkVector<Spatial>* S) {
  std::vector<LinkVector<Spatial>> result;
  const auto add = [&](int first, const Vector3& u) {
    result.push_back({});
    for (int k = 0; k < 3; ++k) result.back()[first + k] = u[k];
  };
  const bool turns = link.freedom == Freedom::turn || link.freedom == Freedom::ball;
  const int along = turns ? 0 : 3;  // where S is not zero
  const Vector3 u = link.velocities == 1 ? Vector3(S[0][along], S[0][along + 1], S[0][along + 2]) : Vector3::UnitX();
  const Vector3 across = u.unitOrthogonal(), both = u.cross(across);
  if (link.velocities == 1) add(along, across), add(along, both);
  if (link.freedom == Freedom::none) add(0, Vector3::UnitX()), add(0, Vector3::UnitY()), add(0, Vector3::UnitZ());
  if (link.pitch != 0.0) {
    add(3, across), add(3, both), add(3, u);
    for (int k = 0; k < 3; ++k) result.back()[k] = -link.pitch * u[k];
  } else {
    const int other = 3 - along;
    const int rest = link.freedom == Freedom::none ? 3 : other;
    add(rest, Vector3::UnitX()), add(rest, Vector3::UnitY()), add(rest, Vector3::UnitZ());
  }
  return result;
}

}  // namespace maggi::mechanism
