#pragma once
#include "maggi/model.hpp"

namespace maggi::test {

/// A planar mechanism in space: everything in the plane z = 0, axes along z, bodies as thick as they are heavy.
inline Model in_space(Model model) {
  Mechanism& mechanism = model.mechanism;
  mechanism.dimension = 3;
  const auto lift = [](Triple& triple, double z = 0.0) {
    if (triple.given()) triple.values.emplace_back(z);
  };
  lift(mechanism.gravity);
  for (Body& body : mechanism.bodies) {
    for (Triple* triple : {&body.position, &body.from, &body.to}) lift(*triple);
    for (Marker& marker : body.markers) lift(marker.at);
    if (!body.inertia.empty()) body.inertia = {body.inertia[0], body.inertia[0], body.inertia[0]};
  }
  for (Joint& joint : mechanism.joints) {
    lift(joint.at), lift(joint.to), lift(joint.axis);
    if (joint.type == JointType::revolute) joint.axis.values = {0.0, 0.0, 1.0};
  }
  for (Spring& spring : mechanism.springs) lift(spring.from), lift(spring.to);
  return model;
}

}  // namespace maggi::test
