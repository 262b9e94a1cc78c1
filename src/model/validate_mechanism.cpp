#include "model/validate_mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/names.hpp"
#include "model/check_blank.hpp"
#include "model/joint_entries.hpp"
#include "model/mechanism_fields.hpp"
#include "model/numbers.hpp"
#include "model/refuse.hpp"

namespace maggi {

namespace {

using mechanism::JointEntry;

std::string of(std::string_view what, const std::string& name) { return fmt::format("{} of \"{}\"", what, name); }

/// Every name means one thing. What claims it first keeps it: formulas before bodies, as they may be used by them.
class NameRegister {
 public:
  explicit NameRegister(const Model& model) {
    const Mechanism& m = model.mechanism;
    for (const Parameter& parameter : model.parameters) taken_.emplace(parameter.name, parameter.where);
    claim(model.definitions, "definition");
    claim(model.constraints, "constraint");
    claim(m.bodies, "body");
    claim(m.joints, "joint");
    fields::for_each_force(m, [this](const auto& force) { claim(force.name, "force", force.where); });
    claim(m.couplings, "coupling");
    claim(m.drivers, "driver");
  }

 private:
  template <class Part>
  void claim(const std::vector<Part>& parts, std::string_view kind) {
    for (const Part& part : parts) claim(part.name, kind, part.where);
  }
  void claim(const std::string& name, std::string_view kind, const Where& where) {
    if (name == "ground")
      refuse(where, fmt::format("\"ground\" is reserved for the fixed frame and cannot name a {}", kind),
             "choose another name");
    std::vector<std::pair<std::string, Where>> same;  // found here: a large model has many names
    if (const auto found = taken_.find(name); found != taken_.end()) same.push_back(*found);
    check_name(name, kind, where, same);
    taken_.emplace(name, where);
  }

  std::unordered_map<std::string, Where> taken_;
};

class MechanismRules {
 public:
  explicit MechanismRules(const Mechanism& mechanism) : mechanism_(mechanism), planar_(mechanism.dimension == 2) {}

  void check() const {
    check_components(mechanism_.gravity, "gravity", planar_ ? 2 : 3);
    for (const Body& body : mechanism_.bodies) check(body);
    for (const Joint& joint : mechanism_.joints) check(joint);
    fields::for_each_force(mechanism_, [this](const auto& force) { check(force); });
    for (const Driver& driver : mechanism_.drivers) check(driver);
  }

 private:
  void check_numbers(const Triple& given, const std::string& what) const {
    const std::size_t size = planar_ ? 2 : 3;
    if (given.values.size() != size)
      refuse(
          given.where, fmt::format("{} has {} numbers, expected {}", what, given.values.size(), size),
          planar_ ? "the model is planar: write [x, y]" : "write [x, y, z]; a model in the plane says dimension = 2");
    check_not_blank(given.values, what, given.where);
  }
  static void check_not_blank(const std::vector<Formula>& values, const std::string& what, const Where& where) {
    for (const Formula& value : values) {
      if (value.empty()) refuse(where, what + " has an empty component", "write a number or a formula");
      maggi::check_not_blank(value, what);
    }
  }
  /// A point in the world or in the frame of a body has numbers; a marker has a name.
  void check_point(const Triple& given, const std::string& what) const {
    if (!given.values.empty()) check_numbers(given, what);
  }
  void need(const Triple& given, std::string_view key, const std::string& owner, const Where& where) const {
    if (given.given()) return;
    refuse(where, fmt::format("\"{}\" has no {}", owner, key),
           fmt::format("add {} = {}", key, planar_ ? "[x, y]" : "[x, y, z]"));
  }
  void need_point(const Triple& given, std::string_view key, const std::string& owner, const Where& where) const {
    need(given, key, owner, where);
    check_point(given, of(key, owner));
  }
  void need_direction(const Triple& given, std::string_view key, const std::string& owner, const Where& where) const {
    need(given, key, owner, where);
    if (given.values.empty())
      refuse(given.where, fmt::format("the {} of \"{}\" is a marker, not a direction", key, owner),
             "write it as a list, [0, 0, 1]");
    check_numbers(given, of(key, owner));
  }
  /// Components along axes that need no frame of a body.
  void check_components(const Triple& given, const std::string& what, std::size_t size) const {
    if (!given.given()) return;
    if (!given.frame.name.empty())
      refuse(given.where, what + " cannot be given in the frame of a body", "write a list of numbers");
    if (given.values.size() != size)
      refuse(
          given.where, fmt::format("{} has {} numbers, expected {}", what, given.values.size(), size),
          planar_ ? "the model is planar: write [x, y]" : "write [x, y, z]; a model in the plane says dimension = 2");
    check_not_blank(given.values, what, given.where);
  }

  void check(const Body& body) const {
    check_place(body);
    if (body.shape.empty())
      check_inertia(body);
    else
      check_shape(body);
    check_turn(body);
    for (const Marker& marker : body.markers) {
      check_name(marker.name, "marker", marker.where, {});
      if (!marker.at.given())
        refuse(marker.where, fmt::format("the marker {} has no place", of("\"" + marker.name + "\"", body.name)),
               fmt::format("write {} = {}", marker.name, planar_ ? "[x, y]" : "[x, y, z]"));
      check_point(marker.at, of(marker.name, body.name));
    }
  }

  void check_place(const Body& body) const {
    const bool ends = body.from.given() || body.to.given();
    if (ends && body.position.given())
      refuse(body.position.where, fmt::format("\"{}\" has a position, and from and to", body.name),
             "its mass centre lies between from and to: keep one of them");
    if (!ends) return need_point(body.position, "position", body.name, body.where);
    need_point(body.from, "from", body.name, body.where);
    need_point(body.to, "to", body.name, body.where);
  }

  void check_inertia(const Body& body) const {
    if (body.mass.empty()) refuse(body.where, fmt::format("\"{}\" has no mass", body.name), "add mass = ... in kg");
    if (body.inertia.empty())
      refuse(body.where, fmt::format("\"{}\" has no inertia", body.name),
             "write inertia = ..., or shape = \"point\" for a point mass");
    const std::size_t size = body.inertia.size();
    if (planar_ ? size != 1 : size != 3 && size != 6)
      refuse(body.inertia.front().where, fmt::format("the inertia of \"{}\" has {} numbers", body.name, size),
             planar_ ? "in the plane it is one, about the mass centre"
                     : "write [xx, yy, zz] or [xx, yy, zz, xy, xz, yz], about the mass centre");
    const std::pair<const char*, bool> of_shapes[]{
        {"density", !body.density.empty()}, {"size", !body.size.empty()}, {"radius", !body.radius.empty()}};
    for (const auto& [key, is_given] : of_shapes)
      if (is_given)
        refuse(body.where, fmt::format("\"{}\" has a {}, but no shape", body.name, key),
               "add shape = \"...\" instead of the inertia, or remove it");
  }

  void check_shape(const Body& body) const {
    if (!body.inertia.empty())
      refuse(body.shape_where, fmt::format("\"{}\" has both a shape and an inertia", body.name),
             "the inertia follows from the shape: remove one of them");
    const std::vector<std::string> names = planar_
                                               ? std::vector<std::string>{"point", "rod", "box", "disc"}
                                               : std::vector<std::string>{"point", "rod", "box", "cylinder", "sphere"};
    if (std::ranges::find(names, body.shape) == names.end())
      refuse(body.shape_where, fmt::format("no shape is named \"{}\"{}", body.shape, planar_ ? " in the plane" : ""),
             suggest_name(body.shape, names));
    const bool stretched = body.shape == "rod" || body.shape == "cylinder", box = body.shape == "box";
    const bool round = body.shape == "cylinder" || body.shape == "sphere" || body.shape == "disc";
    check_no_other("size", !body.size.empty(), box, body);
    check_no_other("radius", !body.radius.empty(), round, body);
    check_no_other("from and to", body.from.given(), stretched, body);
    const std::size_t edges = planar_ ? 2 : 3;
    if (box && body.size.size() != edges)
      refuse(body.size.front().where,
             fmt::format("the size of \"{}\" has {} numbers, expected {}", body.name, body.size.size(), edges),
             "one edge for each axis");
    check_mass_of_shape(body, box || round);
  }

  static void check_mass_of_shape(const Body& body, bool has_volume) {
    if (body.density.empty()) {
      if (body.mass.empty())
        refuse(body.where, fmt::format("\"{}\" has no mass", body.name),
               has_volume ? "add mass = ... or density = ..." : "add mass = ... in kg");
      return;
    }
    if (!body.mass.empty())
      refuse(body.density.where, fmt::format("\"{}\" has both a mass and a density", body.name), "keep one of them");
    if (!has_volume)
      refuse(body.density.where, fmt::format("\"{}\" has a density but no volume: a {}", body.name, body.shape),
             "give its mass");
  }

  static void check_no_other(std::string_view key, bool is_given, bool needed, const Body& body) {
    if (is_given == needed) return;
    refuse(body.shape_where,
           fmt::format("\"{}\" is a {} and has {}{}", body.name, body.shape, needed ? "no " : "", key),
           needed ? fmt::format("add {} = ...", key) : fmt::format("remove {}, or choose another shape", key));
  }

  void check_turn(const Body& body) const {
    if (body.turned.empty() && body.axis.given())
      refuse(body.axis.where, fmt::format("\"{}\" has an axis but is not turned about it", body.name),
             "add turned = ..., an angle in rad");
    if (body.turned.empty()) return;
    if (!planar_) return need_direction(body.axis, "axis", body.name, body.where);
    if (body.axis.given())
      refuse(body.axis.where, fmt::format("\"{}\" has an axis in a planar model", body.name), "remove axis");
  }

  void check(const Joint& joint) const {
    const JointEntry& entry = mechanism::entry_of(joint.type);
    if (!entry.kind(planar_))
      refuse(joint.where, fmt::format("joint \"{}\" is {}, which a planar model cannot have", joint.name, entry.name()),
             fmt::format("in the plane there are {} joints", list_names(planar_joints(), false)));
    need_point(joint.at, "at", joint.name, joint.where);
    check_axes(joint, entry);
    const JointEntry::Keys& keys = entry.keys;
    need(joint, keys.radius, "radius", joint.radius, "m");
    need(joint, keys.pitch, "pitch", joint.pitch, "m per radian");
    if (joint.normal.given() && keys.radius) need_direction(joint.normal, "normal", joint.name, joint.where);
    if (keys.to) need_point(joint.to, "to", joint.name, joint.where);
    has_no(joint, keys.radius, "radius", !joint.radius.empty(), joint.radius.where);
    has_no(joint, keys.radius, "normal", joint.normal.given(), joint.normal.where);
    has_no(joint, keys.to, "to", joint.to.given(), joint.to.where);
    has_no(joint, keys.to, "length", !joint.length.empty(), joint.length.where);
    has_no(joint, keys.pitch, "pitch", !joint.pitch.empty(), joint.pitch.where);
  }

  static std::vector<std::string> planar_joints() {
    std::vector<std::string> names;
    for (const JointEntry& entry : mechanism::joint_entries())
      if (entry.planar) names.emplace_back(entry.name());
    return names;
  }

  void check_axes(const Joint& joint, const JointEntry& entry) const {
    if (!entry.may_have_axis(planar_) && joint.axis.given())
      refuse(
          joint.axis.where,
          fmt::format("joint \"{}\" is {} and has no axis{}", joint.name, entry.name(), planar_ ? " in the plane" : ""),
          "remove it");
    has_no(joint, entry.keys.second_axis, "second axis", joint.second_axis.given(), joint.second_axis.where);
    if (entry.needs_axis(planar_) || joint.axis.given()) need_direction(joint.axis, "axis", joint.name, joint.where);
    if (entry.keys.second_axis) need_direction(joint.second_axis, "second_axis", joint.name, joint.where);
  }

  static void need(const Joint& joint, bool needed, std::string_view key, const Formula& value, std::string_view unit) {
    if (needed && value.empty())
      refuse(joint.where, fmt::format("{} joint \"{}\" needs a {}", joint_type_name(joint.type), joint.name, key),
             fmt::format("add {} = ... in {}", key, unit));
  }

  static void has_no(const Joint& joint, bool may, std::string_view key, bool is_given, const Where& where) {
    if (is_given && !may)
      refuse(where, fmt::format("joint \"{}\" is {} and has no {}", joint.name, joint_type_name(joint.type), key),
             "remove it");
  }

  void check(const Spring& spring) const {
    need_point(spring.from, "from", spring.name, spring.where);
    need_point(spring.to, "to", spring.name, spring.where);
  }

  void check(const JointForce& /*has numbers only*/) const {}

  void check(const BodyForce& force) const {
    if (force.body.name == "ground")
      refuse(force.body.where, fmt::format("force \"{}\" acts on the ground, which it cannot move", force.name));
    check_point(force.at, of("at", force.name));
    const auto check_size = [&](const Triple& given, const char* key, std::size_t size) {
      if (given.given() && given.values.size() != size)
        refuse(
            given.where,
            fmt::format("the {} of \"{}\" has {} components, expected {}", key, force.name, given.values.size(), size),
            planar_ ? "the model is planar" : "write one for each axis");
      check_components(given, of(fmt::format("the {}", key), force.name), size);
    };
    check_size(force.force, "force", planar_ ? 2 : 3);
    check_size(force.torque, "torque", planar_ ? 1 : 3);
    if (!force.force.given() && !force.torque.given())
      refuse(force.where, fmt::format("force \"{}\" has neither a force nor a torque", force.name),
             "add force = [...]");
  }

  void check(const Bushing& bushing) const {
    need_point(bushing.at, "at", bushing.name, bushing.where);
    if (bushing.axis.given()) need_direction(bushing.axis, "axis", bushing.name, bushing.where);
    check_components(bushing.stiffness, of("the stiffness", bushing.name), planar_ ? 2 : 3);
    check_components(bushing.damping, of("the damping", bushing.name), planar_ ? 2 : 3);
    const auto check_torsion = [&](const Triple& given, const std::string& what) {
      if (planar_ && given.given() && given.values.size() != 1)
        refuse(given.where, what + " is one number in the plane");
      check_components(given, what, planar_ ? 1 : 3);
    };
    check_torsion(bushing.torsion_stiffness, of("the torsional stiffness", bushing.name));
    check_torsion(bushing.torsion_damping, of("the torsional damping", bushing.name));
  }

  void check(const Driver& driver) const {
    const bool marker = !driver.marker.name.empty();
    const std::size_t expected = marker ? (planar_ ? 2 : 3) : 1;
    if (driver.follows.size() != expected)
      refuse(
          driver.where,
          fmt::format("driver \"{}\" follows {} formulas, expected {}", driver.name, driver.follows.size(), expected),
          marker ? "one for each axis" : "write follows = \"...\", a formula in t");
    if (driver.distance[0].name.empty()) return;
    need_point(driver.from, "from", driver.name, driver.where);
    need_point(driver.to, "to", driver.name, driver.where);
  }

  const Mechanism& mechanism_;
  const bool planar_;
};

}  // namespace

void validate_mechanism(const Model& model) {
  const NameRegister names(model);
  MechanismRules(model.mechanism).check();
}

}  // namespace maggi
