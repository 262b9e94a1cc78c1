#include "io/mechanism_file.hpp"

#include <fmt/format.h>

#include "maggi/base/names.hpp"

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
                      {"position", into(body.position)},
                      {"shape",
                       [&](const TomlValue& shape) {
                         body.shape = shape.text();
                         body.shape_where = shape.value_where();
                       }},
                      {"density", into(body.density)},
                      {"from", into(body.from)},
                      {"to", into(body.to)},
                      {"size", into(body.size)},
                      {"radius", into(body.radius)},
                      {"axis", into(body.axis)},
                      {"turned", into(body.turned)},
                      {"markers", [&](const TomlValue& markers) {
                         need_table(markers, "markers = { tip = [1.0, 0.0, 0.0] }");
                         for (const TomlValue& entry : markers.entries()) {
                           Marker marker{entry.key(), {}, entry.where()};
                           into(marker.at)(entry);
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

Joint read_joint(const TomlValue& value) {
  const std::string example =
      fmt::format("{} = {{ revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }}", value.key());
  need_table(value, example);
  Joint joint;
  joint.name = value.key();
  joint.where = value.where();
  bool typed = false;
  std::vector<Field> fields{
      {"at", into(joint.at)},       {"to", into(joint.to)},
      {"axis", into(joint.axis)},   {"second_axis", into(joint.second_axis)},
      {"pitch", into(joint.pitch)}, {"length", into(joint.length)},
      {"start", into(joint.start)}, {"guess", into(joint.guess)},
      {"speed", into(joint.speed)}, {"loop", [&](const TomlValue& loop) { joint.loop = loop.boolean(); }}};
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
  read_fields(value, fields);
  if (!typed) value.fail("does not say what kind of joint it is", "write " + example);
  if (!joint.start.empty() && !joint.guess.empty() && joint.start.front().component == joint.guess.front().component)
    value.fail("has both start and guess", "the first is kept as it is, the second is where the search begins");
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
                                 {"from", into(spring.from)},
                                 {"to", into(spring.to)},
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

void read_force(const TomlValue& value, Mechanism& mechanism) {
  const std::string example = fmt::format(
      "{0} = {{ spring = [\"ground\", \"arm\"], from = [...], to = [...], stiffness = ... }}, or {0} = {{ joint = "
      "\"hinge\", torque = ... }}",
      value.key());
  need_table(value, example);
  for (const TomlValue& entry : value.entries()) {
    if (entry.key() == "spring") return mechanism.springs.push_back(read_spring(value));
    if (entry.key() == "joint") return mechanism.joint_forces.push_back(read_joint_force(value));
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
          {"gravity", into(mechanism.gravity)},
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
          {"force", [&](const TomlValue& table) {
             need_table(table, "[force] and below it one line for each");
             for (const TomlValue& entry : table.entries()) read_force(entry, mechanism);
           }}};
}

}  // namespace maggi::io
