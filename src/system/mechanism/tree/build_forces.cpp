#include <fmt/format.h>

#include "system/mechanism/tree/joint_coordinates.hpp"

namespace maggi::mechanism {

template <class Space>
void show_torque(const std::string& joint, int velocity, TreeModelBuilder<Space>& work) {
  const auto reaction = work.reaction_number.find(joint);
  if (reaction != work.reaction_number.end() && work.built.shape.velocities[velocity].unit == "rad/s")
    work.built.reactions[reaction->second].second.torque = true;
}

namespace {

template <class Space>
void add_spring(const DrawnSpringOver<typename Space::Real>& spring, TreeModelBuilder<Space>& work) {
  work.built.springs.push_back({work.point(spring.a, spring.from), work.point(spring.b, spring.to), spring.stiffness,
                                spring.damping, spring.force, spring.length});
  if (spring.damping != 0.0) work.dampers.push_back(spring.given->name);
}

template <class Space>
void add_force(const JointForce& given, const JointCoordinates<Space>& coordinates, TreeModelBuilder<Space>& work) {
  const int v = coordinates.velocity(given.joint, given.component, given.where, "a force");
  using Real = typename Space::Real;
  const auto number = [&](const Formula& formula, const char* what) {
    return formula.empty() ? Real(0.0) : work.number(formula, fmt::format("{} of \"{}\"", what, given.name));
  };
  const CoordinateForce<Real> force{coordinates.coordinate(v),
                                    v,
                                    number(given.stiffness, "the stiffness"),
                                    number(given.damping, "the damping"),
                                    number(given.force, "the force"),
                                    number(given.rest, "the rest position")};
  work.built.forces.push_back(force);
  if (force.damping != 0.0) work.dampers.push_back(given.name);
  show_torque(given.joint.name, v, work);
}

}  // namespace

template <class Space>
void add_forces(TreeModelBuilder<Space>& work) {
  const JointCoordinates<Space> coordinates(work);
  for (const DrawnSpringOver<typename Space::Real>& spring : work.drawing.springs) add_spring(spring, work);
  for (const JointForce& force : work.model.mechanism.joint_forces)
    if (work.number.covers(force.force)) add_force(force, coordinates, work);
}

template void show_torque(const std::string&, int, TreeModelBuilder<Planar>&);
template void add_forces(TreeModelBuilder<Planar>&);
template void show_torque(const std::string&, int, TreeModelBuilder<Spatial>&);
template void add_forces(TreeModelBuilder<Spatial>&);
template void show_torque(const std::string&, int, TreeModelBuilder<PlanarOver<Dual>>&);
template void add_forces(TreeModelBuilder<PlanarOver<Dual>>&);
template void show_torque(const std::string&, int, TreeModelBuilder<SpatialOver<Dual>>&);
template void add_forces(TreeModelBuilder<SpatialOver<Dual>>&);

}  // namespace maggi::mechanism
