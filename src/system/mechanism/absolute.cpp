#include <Eigen/Geometry>

#include "system/mechanism/make_mechanism.hpp"

namespace maggi {

namespace mechanism {

MechanismSource::MechanismSource(const MechanismSource& drawn, const Model& of)
    : model(of),
      numbers(drawn.numbers),
      drawing(drawn.drawing),
      repaired(drawn.repaired),
      rounded_loops(drawn.rounded_loops) {
  const auto describe = [](auto& parts, const auto& given) {
    parts.resize(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) parts[i].given = &given[i];
  };
  const Mechanism& m = model.mechanism;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) drawing.bodies[b + 1].given = &m.bodies[b];  // after the ground
  describe(drawing.joints, m.joints);
  describe(drawing.springs, m.springs);
  describe(drawing.drivers, m.drivers);
}

std::unique_ptr<MechanismSystem> make_absolute(const MechanismSource& source) {
  const Model& model = source.model;
  // only bodies, joints and the lengths of springs: forces do not act on constraints, and formulas use coordinates that
  // are gone
  Model absolute;
  absolute.title = model.title;
  absolute.file = model.file;
  absolute.parameters = model.parameters;
  absolute.tables = model.tables;
  absolute.simulation = model.simulation;
  Mechanism& mechanism = absolute.mechanism;
  mechanism.dimension = model.mechanism.dimension;
  mechanism.gravity = model.mechanism.gravity;
  mechanism.reaction_frame = model.mechanism.reaction_frame;
  mechanism.bodies = model.mechanism.bodies;
  mechanism.joints = model.mechanism.joints;
  mechanism.springs = model.mechanism.springs;
  for (Spring& spring : mechanism.springs)
    if (!source.numbers.covers(spring.force)) spring.force = {};
  for (Body& body : mechanism.bodies) body.start.clear(), body.guess.clear(), body.speed.clear();
  for (Joint& joint : mechanism.joints) {
    joint.loop = true;
    for (auto* values : {&joint.start, &joint.guess, &joint.speed, &joint.speed_guess, &joint.acceleration,
                         &joint.weight, &joint.speed_weight})
      values->clear();
    joint.limits.clear(), joint.friction.reset();
  }
  return make_mechanism(std::make_shared<MechanismSource>(source, absolute));
}

}  // namespace mechanism

std::optional<MechanismSystem::MeetingEnds> meeting_ends(const System& system, const State& at, double within) {
  const auto* mechanism = dynamic_cast<const MechanismSystem*>(&system);
  return mechanism ? mechanism->meeting_ends(at, within) : std::nullopt;
}

State MechanismSystem::absolute(const State& at) const {
  // coordinates of a body that floats: x, y (, z), then its rotation since the drawing; see JointType::free
  State drawing{at.t, Vector::Zero(shape().nq()), Vector::Zero(shape().n())};
  for (int i = 0; i < shape().nq(); ++i)
    if (shape().coordinates[i].name.ends_with(".qw")) drawing.q[i] = 1.0;
  const std::vector<Placement> now = placements(at), drawn = placements(drawing);
  const auto bodies = static_cast<Eigen::Index>(now.size());
  State result{at.t, Vector(bodies * (planar() ? 3 : 7)), Vector(bodies * (planar() ? 3 : 6))};
  double *q = result.q.data(), *v = result.v.data();
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Eigen::Vector3d shift = now[i].position - drawn[i].position, &velocity = now[i].velocity;
    for (int k = 0; k < (planar() ? 2 : 3); ++k) *q++ = shift[k], *v++ = velocity[k];
    if (planar()) {
      *q++ = std::atan2(now[i].rotation(1, 0), now[i].rotation(0, 0));
      *v++ = now[i].angular_velocity[2];
      continue;
    }
    const Eigen::Quaterniond rotation(now[i].rotation);
    for (const double part : {rotation.w(), rotation.x(), rotation.y(), rotation.z()}) *q++ = part;
    const Eigen::Vector3d omega = now[i].own_axes.transpose() * now[i].angular_velocity;
    for (const double part : omega) *v++ = part;
  }
  return result;
}

}  // namespace maggi
