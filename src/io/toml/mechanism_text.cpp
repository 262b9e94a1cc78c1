#include "io/toml/mechanism_file.hpp"
#include "io/toml/toml_text.hpp"

namespace maggi::io {

namespace {

/// Adds what was given.
class Given {
 public:
  template <class Target>
  static void add(Target& target, const std::string& key, const Formula& formula) {
    if (!formula.empty()) target.add(key, value_of(formula));
  }
  template <class Target>
  static void add(Target& target, const std::string& key, const std::vector<Formula>& formulas) {
    if (!formulas.empty()) target.add(key, list(formulas));
  }
  template <class Target>
  static void add(Target& target, const std::string& key, const Triple& triple) {
    if (triple.frame.name.empty()) {
      add(target, key, triple.values);
    } else if (triple.values.empty()) {
      target.add(key, in_quotes(triple.frame.name));
    } else {
      Braces in_frame;
      add(in_frame, key_of(triple.frame.name), triple.values);
      target.add(key, in_frame.text());
    }
  }
};

std::string names(const std::array<Reference, 2>& bodies) {
  return fmt::format("[{}, {}]", in_quotes(bodies[0].name), in_quotes(bodies[1].name));
}

void add_values(Braces& braces, const std::string& key, const std::vector<JointValue>& values) {
  if (values.empty()) return;
  if (values.front().component.empty()) {
    braces.add(key, value_of(values.front().value));
    return;
  }
  Braces inner;
  for (const JointValue& value : values) inner.add(key_of(value.component), value_of(value.value));
  braces.add(key, inner.text());
}

void add_limits(Braces& braces, const std::vector<JointLimit>& limits) {
  const auto text = [](const JointLimit& limit) {
    Braces inner;
    Given::add(inner, "lower", limit.lower);
    Given::add(inner, "upper", limit.upper);
    Given::add(inner, "stiffness", limit.stiffness);
    Given::add(inner, "damping", limit.damping);
    Given::add(inner, "restitution", limit.restitution);
    return inner.text();
  };
  if (limits.empty()) return;
  if (limits.front().component.empty()) {
    braces.add("limits", text(limits.front()));
    return;
  }
  Braces inner;
  for (const JointLimit& limit : limits) inner.add(key_of(limit.component), text(limit));
  braces.add("limits", inner.text());
}

std::string body_text(const Body& body) {
  Section section("body." + key_of(body.name));
  Given::add(section, "mass", body.mass);
  Given::add(section, "inertia", body.inertia);
  Given::add(section, "position", body.position);
  if (!body.shape.empty()) section.add("shape", in_quotes(body.shape));
  Given::add(section, "density", body.density);
  Given::add(section, "from", body.from);
  Given::add(section, "to", body.to);
  Given::add(section, "size", body.size);
  Given::add(section, "radius", body.radius);
  Given::add(section, "axis", body.axis);
  Given::add(section, "turned", body.turned);
  Braces markers;
  for (const Marker& marker : body.markers) Given::add(markers, key_of(marker.name), marker.at);
  if (!body.markers.empty()) section.add("markers", markers.text());
  return section.text();
}

std::string joint_text(const Joint& joint) {
  Braces braces;
  braces.add(joint_type_name(joint.type), names(joint.bodies));
  Given::add(braces, "at", joint.at);
  Given::add(braces, "to", joint.to);
  Given::add(braces, "axis", joint.axis);
  Given::add(braces, "second_axis", joint.second_axis);
  Given::add(braces, "pitch", joint.pitch);
  Given::add(braces, "length", joint.length);
  add_values(braces, "start", joint.start);
  add_values(braces, "guess", joint.guess);
  add_values(braces, "speed", joint.speed);
  Given::add(braces, "radius", joint.radius);
  Given::add(braces, "normal", joint.normal);
  if (joint.loop) braces.add("loop", std::string("true"));
  add_limits(braces, joint.limits);
  if (joint.friction) {
    Braces friction;
    Given::add(friction, "coefficient", joint.friction->coefficient);
    Given::add(friction, "stiction", joint.friction->stiction);
    Given::add(friction, "radius", joint.friction->radius);
    braces.add("friction", friction.text());
  }
  return braces.text();
}

}  // namespace

std::string mechanism_head(const Mechanism& mechanism) {
  if (!mechanism.given()) return "";
  std::string text = mechanism.dimension == 2 ? "dimension = 2\n" : "";
  if (mechanism.gravity.given()) text += fmt::format("gravity = {}\n", list(mechanism.gravity.values));
  if (!mechanism.data_tolerance.empty()) text += fmt::format("data_tolerance = {}\n", value_of(mechanism.data_tolerance));
  if (!mechanism.repair) text += "repair = false\n";
  if (mechanism.reaction_frame != ReactionFrame::world)
    text += fmt::format("reaction_frame = {}\n",
                        in_quotes(reaction_frame_names()[static_cast<std::size_t>(mechanism.reaction_frame)]));
  return text;
}

std::string mechanism_tables(const Mechanism& mechanism) {
  std::string text;
  for (const Body& body : mechanism.bodies) text += body_text(body);
  Section joints("joint"), forces("force");
  for (const Joint& joint : mechanism.joints) joints.add(joint.name, joint_text(joint));
  for (const Spring& spring : mechanism.springs) {
    Braces braces;
    braces.add("spring", names(spring.bodies));
    Given::add(braces, "from", spring.from);
    Given::add(braces, "to", spring.to);
    Given::add(braces, "stiffness", spring.stiffness);
    Given::add(braces, "damping", spring.damping);
    Given::add(braces, "force", spring.force);
    Given::add(braces, "length", spring.length);
    forces.add(spring.name, braces.text());
  }
  for (const JointForce& force : mechanism.joint_forces) {
    Braces braces;
    braces.add("joint", in_quotes(force.joint.name + (force.component.empty() ? "" : "." + force.component)));
    Given::add(braces, "stiffness", force.stiffness);
    Given::add(braces, "damping", force.damping);
    Given::add(braces, "force", force.force);
    Given::add(braces, "rest", force.rest);
    forces.add(force.name, braces.text());
  }
  for (const BodyForce& force : mechanism.body_forces) {
    Braces braces;
    braces.add("on", in_quotes(force.body.name));
    Given::add(braces, "at", force.at);
    Given::add(braces, "force", force.force);
    Given::add(braces, "torque", force.torque);
    if (force.turns_with_body) braces.add("frame", in_quotes("body"));
    forces.add(force.name, braces.text());
  }
  for (const Bushing& bushing : mechanism.bushings) {
    Braces braces;
    braces.add("bushing", names(bushing.bodies));
    Given::add(braces, "at", bushing.at);
    Given::add(braces, "axis", bushing.axis);
    Given::add(braces, "stiffness", bushing.stiffness);
    Given::add(braces, "damping", bushing.damping);
    Given::add(braces, "torsion_stiffness", bushing.torsion_stiffness);
    Given::add(braces, "torsion_damping", bushing.torsion_damping);
    forces.add(bushing.name, braces.text());
  }
  Section couplings("coupling"), drivers("driver");
  for (const Coupling& coupling : mechanism.couplings) {
    Braces sum, braces;
    for (const Coupling::Term& term : coupling.terms) sum.add(key_of(term.coordinate.name), value_of(term.factor));
    braces.add("sum", sum.text());
    couplings.add(coupling.name, braces.text());
  }
  for (const Driver& driver : mechanism.drivers) {
    Braces braces;
    if (!driver.coordinate.name.empty()) braces.add("joint", in_quotes(driver.coordinate.name));
    if (!driver.marker.name.empty()) braces.add("marker", in_quotes(driver.marker.name));
    if (!driver.distance[0].name.empty()) braces.add("distance", names(driver.distance));
    Given::add(braces, "from", driver.from);
    Given::add(braces, "to", driver.to);
    if (driver.follows.size() == 1)
      Given::add(braces, "follows", driver.follows.front());
    else
      Given::add(braces, "follows", driver.follows);
    drivers.add(driver.name, braces.text());
  }
  return text + joints.text() + forces.text() + couplings.text() + drivers.text();
}

}  // namespace maggi::io
