#include "io/toml/mechanism_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/names.hpp"

namespace maggi::io {

namespace {

void need_table(const TomlValue& value, const std::string& example) {
  if (!value.is_table()) value.refuse("a table", "write " + example);
}

std::vector<Formula> numbers(const TomlValue& value) {
  if (!value.is_list()) value.refuse("a list of numbers", fmt::format("write {} = [1.0, 0.0, 0.0]", value.key()));
  std::vector<Formula> result;
  for (const TomlValue& element : value.elements()) result.push_back(element.formula());
  if (result.empty()) value.refuse("a list of numbers", "it is empty");
  return result;
}

auto into(Formula& target) {
  return [&target](const TomlValue& value) { target = value.formula(); };
}
auto into(Triple& target) {
  return [&target](const TomlValue& value) { target = {numbers(value), value.value_where()}; };
}
/// A point or a direction: in the world [1, 0, 0], in the frame of a body { arm = [1, 0, 0] }, a marker "arm.tip".
auto place_into(Triple& target) {
  return [&target](const TomlValue& value) {
    if (value.is_text()) {
      target = {{}, value.value_where(), {value.text(), value.value_where()}};
    } else if (value.is_table()) {
      const std::vector<TomlValue> entries = value.entries();
      if (entries.size() != 1 || !entries.front().is_list())
        value.refuse("a list of numbers, or one in the frame of a body",
                     fmt::format("write {0} = [1.0, 0.0, 0.0], or {0} = {{ arm = [1.0, 0.0, 0.0] }}", value.key()));
      target = {numbers(entries.front()), value.value_where(), {entries.front().key(), entries.front().where()}};
    } else {
      into(target)(value);
    }
  };
}
/// A number, or a list of them.
auto into(std::vector<Formula>& target) {
  return [&target](const TomlValue& value) {
    target = value.is_list() ? numbers(value) : std::vector<Formula>{value.formula()};
  };
}
auto into(std::array<Reference, 2>& target) {
  return [&target](const TomlValue& value) {
    const std::string help = fmt::format("write {} = [\"ground\", \"arm\"]", value.key());
    if (!value.is_list()) value.refuse("the names of two bodies", help);
    const std::vector<TomlValue> names = value.elements();
    if (names.size() != 2)
      throw Error(Errc::model, value.value_where(),
                  fmt::format("{} names {} bodies, expected 2", value.label(), names.size()), help);
    for (int i = 0; i < 2; ++i) target[i] = {names[i].text(), names[i].value_where()};
  };
}

Body read_body(const TomlValue& value) {
  need_table(value, fmt::format("[body.{}] and below it mass, inertia and position", value.key()));
  Body body;
  body.name = value.key();
  body.where = value.where();
  read_fields(value, {{"mass", into(body.mass)},
                      {"inertia", into(body.inertia)},
                      {"position", place_into(body.position)},
                      {"shape",
                       [&](const TomlValue& shape) {
                         body.shape = shape.text();
                         body.shape_where = shape.value_where();
                       }},
                      {"density", into(body.density)},
                      {"from", place_into(body.from)},
                      {"to", place_into(body.to)},
                      {"size", into(body.size)},
                      {"radius", into(body.radius)},
                      {"axis", place_into(body.axis)},
                      {"turned", into(body.turned)},
                      {"markers", [&](const TomlValue& markers) {
                         need_table(markers, "markers = { tip = [1.0, 0.0, 0.0] }");
                         for (const TomlValue& entry : markers.entries()) {
                           Marker marker{entry.key(), {}, entry.where()};
                           place_into(marker.at)(entry);
                           body.markers.push_back(std::move(marker));
                         }
                       }}});
  return body;
}

/// A number for the only coordinate, or a table with one for each: { angle_1 = 0.2 }.
auto into(std::vector<JointValue>& target) {
  return [&target](const TomlValue& value) {
    if (!value.is_table()) {
      target.push_back({"", value.formula(), value.where()});
      return;
    }
    for (const TomlValue& entry : value.entries()) target.push_back({entry.key(), entry.formula(), entry.where()});
  };
}

/// [lower, upper], or a table with these and what the stop is like.
JointLimit read_limit(const TomlValue& value, const std::string& component) {
  JointLimit limit;
  limit.component = component;
  limit.where = value.where();
  const std::string help = fmt::format("write {} = [-1.0, 1.0], or {{ lower = -1.0, restitution = 0.5 }}", value.key());
  if (value.is_list()) {
    const std::vector<Formula> ends = numbers(value);
    if (ends.size() != 2) value.refuse("the lower and the upper end", help);
    limit.lower = ends[0], limit.upper = ends[1];
    return limit;
  }
  if (!value.is_table()) value.refuse("the lower and the upper end", help);
  read_fields(value, {{"lower", into(limit.lower)},
                      {"upper", into(limit.upper)},
                      {"stiffness", into(limit.stiffness)},
                      {"damping", into(limit.damping)},
                      {"restitution", into(limit.restitution)}});
  return limit;
}

/// Of the only coordinate, or of each in a table: { angle_1 = [-1, 1] }.
auto into(std::vector<JointLimit>& target) {
  return [&target](const TomlValue& value) {
    const std::vector<TomlValue> entries = value.is_table() ? value.entries() : std::vector<TomlValue>{};
    if (std::ranges::none_of(entries, [](const TomlValue& e) { return e.is_list() || e.is_table(); }))
      return target.push_back(read_limit(value, ""));
    for (const TomlValue& each : entries) target.push_back(read_limit(each, each.key()));
  };
}

JointFriction read_friction(const TomlValue& value) {
  const std::string example = "write friction = { coefficient = 0.2, radius = 0.01 }";
  need_table(value, example);
  JointFriction friction;
  friction.where = value.where();
  read_fields(value, {{"coefficient", into(friction.coefficient)},
                      {"stiction", into(friction.stiction)},
                      {"radius", into(friction.radius)}});
  return friction;
}

/// An unknown key that names two bodies is meant as a kind of joint; "type" would say it in another way.
void check_kind(const TomlValue& joint, const std::vector<Field>& fields, const std::string& example) {
  const std::map<std::string, std::string> called{
      {"hinge", "revolute"}, {"pin", "revolute"}, {"slider", "prismatic"}, {"ball", "spherical"},
      {"weld", "fixed"},     {"rigid", "fixed"},  {"rod", "distance"},     {"cardan", "universal"}};
  for (const TomlValue& entry : joint.entries()) {
    if (std::ranges::find(fields, entry.key(), &Field::key) != fields.end()) continue;
    if (entry.key() == "type" || entry.key() == "kind")
      throw Error(Errc::model, entry.where(), fmt::format("{} has a {} as a text", joint.key(), entry.key()),
                  "the kind of a joint is a key, with its two bodies: write " + example);
    if (const auto meant = called.find(entry.key()); meant != called.end())
      throw Error(Errc::model, entry.where(), fmt::format("no kind of joint is named \"{}\"", entry.key()),
                  fmt::format("here it is called \"{}\"", meant->second));
  }
}

Joint read_joint(const TomlValue& value) {
  const std::string example =
      fmt::format("{} = {{ revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }}", value.key());
  need_table(value, example);
  Joint joint;
  joint.name = value.key();
  joint.where = value.where();
  bool typed = false;
  std::vector<Field> fields{{"at", place_into(joint.at)},
                            {"to", place_into(joint.to)},
                            {"axis", place_into(joint.axis)},
                            {"second_axis", place_into(joint.second_axis)},
                            {"pitch", into(joint.pitch)},
                            {"length", into(joint.length)},
                            {"start", into(joint.start)},
                            {"guess", into(joint.guess)},
                            {"speed", into(joint.speed)},
                            {"loop", [&](const TomlValue& loop) { joint.loop = loop.boolean(); }},
                            {"radius", into(joint.radius)},
                            {"normal", place_into(joint.normal)},
                            {"limits", into(joint.limits)},
                            {"friction", [&](const TomlValue& friction) { joint.friction = read_friction(friction); }}};
  for (int i = 0; i < joint_types; ++i) {
    const JointType type = static_cast<JointType>(i);
    fields.push_back(
        {std::string(joint_type_name(type)), [&, type](const TomlValue& bodies) {
           if (typed)
             throw Error(Errc::model, bodies.where(),
                         fmt::format("{} is {} and {}", joint.name, joint_type_name(joint.type), joint_type_name(type)),
                         "a joint is of one kind: remove one of them");
           typed = true;
           joint.type = type;
           into(joint.bodies)(bodies);
         }});
  }
  check_kind(value, fields, example);
  read_fields(value, fields);
  if (!typed) value.fail("does not say what kind of joint it is", "write " + example);
  return joint;
}

/// What stands in both kinds of force.
std::vector<Field> force_fields(Formula& stiffness, Formula& damping, Formula& force, bool& twice) {
  const auto once = [&](const TomlValue& value) {
    twice = !force.empty();
    force = value.formula();
  };
  return {{"stiffness", into(stiffness)}, {"damping", into(damping)}, {"force", once}, {"torque", once}};
}

Spring read_spring(const TomlValue& value) {
  Spring spring;
  spring.name = value.key();
  spring.where = value.where();
  bool twice = false;
  std::vector<Field> fields = force_fields(spring.stiffness, spring.damping, spring.force, twice);
  fields.pop_back();  // no torque
  fields.insert(fields.begin(), {{"spring", into(spring.bodies)},
                                 {"from", place_into(spring.from)},
                                 {"to", place_into(spring.to)},
                                 {"length", into(spring.length)}});
  read_fields(value, fields);
  return spring;
}

JointForce read_joint_force(const TomlValue& value) {
  JointForce force;
  force.name = value.key();
  force.where = value.where();
  bool twice = false;
  std::vector<Field> fields = force_fields(force.stiffness, force.damping, force.force, twice);
  fields.insert(fields.begin(), {{"joint",
                                  [&](const TomlValue& joint) {
                                    const std::string name = joint.text();
                                    const std::size_t dot = name.find('.');
                                    force.joint = {name.substr(0, dot), joint.value_where()};
                                    if (dot != std::string::npos) force.component = name.substr(dot + 1);
                                  }},
                                 {"rest", into(force.rest)}});
  read_fields(value, fields);
  if (twice) value.fail("has both a force and a torque", "they mean the same here: remove one of them");
  return force;
}

/// A reference by its name.
auto into(Reference& target) {
  return [&target](const TomlValue& value) { target = {value.text(), value.value_where()}; };
}

/// Components along the axes; about the only axis of the plane one number will do.
auto components_into(Triple& target) {
  return [&target](const TomlValue& value) {
    if (value.is_list()) return into(target)(value);
    target = {{value.formula()}, value.value_where()};
  };
}

BodyForce read_body_force(const TomlValue& value) {
  BodyForce force;
  force.name = value.key();
  force.where = value.where();
  read_fields(value, {{"on", into(force.body)},
                      {"at", place_into(force.at)},
                      {"force", components_into(force.force)},
                      {"torque", components_into(force.torque)},
                      {"frame", [&](const TomlValue& frame) {
                         const std::string text = frame.text();
                         if (text != "world" && text != "body")
                           throw Error(Errc::model, frame.value_where(), fmt::format("no frame is named \"{}\"", text),
                                       "\"world\": the direction stays, \"body\": it turns with the body");
                         force.turns_with_body = text == "body";
                       }}});
  return force;
}

Bushing read_bushing(const TomlValue& value) {
  Bushing bushing;
  bushing.name = value.key();
  bushing.where = value.where();
  read_fields(value, {{"bushing", into(bushing.bodies)},
                      {"at", place_into(bushing.at)},
                      {"axis", place_into(bushing.axis)},
                      {"stiffness", into(bushing.stiffness)},
                      {"damping", into(bushing.damping)},
                      {"torsion_stiffness", components_into(bushing.torsion_stiffness)},
                      {"torsion_damping", components_into(bushing.torsion_damping)}});
  return bushing;
}

/// Gears by their teeth, a rack by the radius of its pinion, or any sum of coordinates with factors.
Coupling read_coupling(const TomlValue& value) {
  const std::string example = fmt::format(
      "write {0} = {{ gear = [\"sun\", \"planet\"], teeth = [20, 40] }}, {0} = {{ rack_and_pinion = [\"rack\", "
      "\"pinion\"], radius = 0.05 }} or {0} = {{ sum = {{ \"a.angle\" = 1, \"b.angle\" = -2 }} }}",
      value.key());
  need_table(value, example);
  Coupling coupling;
  coupling.name = value.key();
  coupling.where = value.where();
  std::string kind;
  std::vector<Formula> teeth;
  Formula radius;
  const auto begin = [&](const TomlValue& entry) {
    if (!kind.empty()) value.fail(fmt::format("is coupled in two ways, {} and {}", kind, entry.key()), example);
    kind = entry.key();
  };
  const auto pair = [&](const TomlValue& names) {
    begin(names);
    std::array<Reference, 2> joints;
    into(joints)(names);
    for (const Reference& joint : joints) coupling.terms.push_back({joint, {}});
  };
  read_fields(value, {{"gear", pair},
                      {"rack_and_pinion", pair},
                      {"teeth", into(teeth)},
                      {"radius", into(radius)},
                      {"sum", [&](const TomlValue& sum) {
                         begin(sum);
                         need_table(sum, example);
                         for (const TomlValue& term : sum.entries())
                           coupling.terms.push_back({{term.key(), term.where()}, term.formula()});
                       }}});
  if (kind.empty()) return coupling;
  if ((kind == "gear") != (teeth.size() == 2))
    value.fail(kind == "gear" ? "has not two numbers of teeth" : "has teeth, but no gear",
               example + "; a ring with inner teeth has a negative number");
  if ((kind == "rack_and_pinion") != !radius.empty())
    value.fail(kind == "rack_and_pinion" ? "has no radius" : "has a radius, but no pinion", example);
  for (std::size_t i = 0; i < teeth.size(); ++i) coupling.terms[i].factor = teeth[i];
  if (kind == "rack_and_pinion") {
    coupling.terms[0].factor = 1.0;
    coupling.terms[1].factor = {"-(" + radius.text + ")", radius.where};
  }
  return coupling;
}

Driver read_driver(const TomlValue& value) {
  need_table(value, fmt::format("{} = {{ joint = \"crank\", follows = \"2*pi*t\" }}", value.key()));
  Driver driver;
  driver.name = value.key();
  driver.where = value.where();
  read_fields(value, {{"joint", into(driver.coordinate)},
                      {"marker", into(driver.marker)},
                      {"distance", into(driver.distance)},
                      {"from", place_into(driver.from)},
                      {"to", place_into(driver.to)},
                      {"follows", into(driver.follows)}});
  return driver;
}

void read_force(const TomlValue& value, Mechanism& mechanism) {
  const std::string example = fmt::format(
      "{0} = {{ spring = [\"ground\", \"arm\"], from = [...], to = [...], stiffness = ... }}, {0} = {{ joint = "
      "\"hinge\", torque = ... }}, {0} = {{ on = \"arm\", at = [...], force = [...] }} or {0} = {{ bushing = "
      "[\"ground\", \"arm\"], at = [...], stiffness = [...] }}",
      value.key());
  need_table(value, example);
  for (const TomlValue& entry : value.entries()) {
    if (entry.key() == "spring") return mechanism.springs.push_back(read_spring(value));
    if (entry.key() == "joint") return mechanism.joint_forces.push_back(read_joint_force(value));
    if (entry.key() == "on") return mechanism.body_forces.push_back(read_body_force(value));
    if (entry.key() == "bushing") return mechanism.bushings.push_back(read_bushing(value));
  }
  value.fail("does not say what kind of force it is", "write " + example);
}

}  // namespace

std::vector<Field> mechanism_fields(Mechanism& mechanism) {
  return {{"dimension",
           [&](const TomlValue& value) {
             const std::string text = value.formula().text;
             if (text != "2" && text != "3")
               throw Error(Errc::model, value.value_where(), fmt::format("the dimension is {}", text),
                           "2 for mechanisms in the plane x, y; 3 otherwise");
             mechanism.dimension = text == "2" ? 2 : 3;
           }},
          {"gravity",
           [&](const TomlValue& value) {
             if (!value.is_list()) value.refuse("a list of numbers", "write [0, 0, -9.81]; in the plane [0, -9.81]");
             into(mechanism.gravity)(value);
           }},
          {"reaction_frame",
           [&](const TomlValue& value) {
             const std::string text = value.text();
             const std::vector<std::string> names = reaction_frame_names();
             const auto found = std::ranges::find(names, text);
             if (found == names.end())
               throw Error(Errc::model, value.value_where(), fmt::format("no reaction frame is named \"{}\"", text),
                           suggest_name(text, names));
             mechanism.reaction_frame = static_cast<ReactionFrame>(found - names.begin());
           }},
          {"data_tolerance", into(mechanism.data_tolerance)},
          {"repair", [&](const TomlValue& value) { mechanism.repair = value.boolean(); }},
          {"body",
           [&](const TomlValue& table) {
             need_table(table, "[body.arm] and below it mass, inertia and position");
             for (const TomlValue& entry : table.entries()) mechanism.bodies.push_back(read_body(entry));
           }},
          {"joint",
           [&](const TomlValue& table) {
             need_table(table, "[joint] and below it one line for each");
             for (const TomlValue& entry : table.entries()) mechanism.joints.push_back(read_joint(entry));
           }},
          {"force",
           [&](const TomlValue& table) {
             need_table(table, "[force] and below it one line for each");
             for (const TomlValue& entry : table.entries()) read_force(entry, mechanism);
           }},
          {"coupling",
           [&](const TomlValue& table) {
             need_table(table, "[coupling] and below it one line for each");
             for (const TomlValue& entry : table.entries()) mechanism.couplings.push_back(read_coupling(entry));
           }},
          {"driver", [&](const TomlValue& table) {
             need_table(table, "[driver] and below it one line for each");
             for (const TomlValue& entry : table.entries()) mechanism.drivers.push_back(read_driver(entry));
           }}};
}

}  // namespace maggi::io
