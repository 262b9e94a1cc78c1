#include "system/mechanism/functions/function_finder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"

namespace maggi::mechanism {

namespace {

int axis_of(const std::string& part) { return part == "x" ? 0 : part == "y" ? 1 : part == "z" ? 2 : -1; }
/// Of "wx": 0.
int rate_about(const std::string& part) { return part.starts_with('w') ? axis_of(part.substr(1)) : -1; }

}  // namespace

template <class Real>
bool FunctionFinderOver<Real>::is_taken(const std::string& name) const {
  return std::ranges::find(functions_, name, &OutputFunction::name) != functions_.end();
}
template <class Real>
void FunctionFinderOver<Real>::take(OutputFunction function) {
  if (!is_taken(function.name)) functions_.push_back(std::move(function));
}

template <class Real>
void FunctionFinderOver<Real>::find_whole_point(const std::string& name) {
  const auto found = std::ranges::find(functions_, name, &OutputFunction::name);
  if (found == functions_.end()) return;
  const OutputFunction one = *found;
  const bool of_marker = one.a == 0 && one.joint.empty() && one.row.holds == Holds::along && !one.rate_only &&
                         one.kind == OutputFunctionKind::row && name.find('.') < name.rfind('.');
  if (!of_marker) return;
  for (int axis = 0; axis < (drawing_.planar ? 2 : 3); ++axis)
    take_place(one.b, one.at_b, name.substr(0, name.size() - 1) + "xyz"[axis], axis);
}

template <class Real>
void FunctionFinderOver<Real>::take_any() {
  const std::string axis = drawing_.planar ? ".angle" : ".wz";
  find(drawing_.bodies.back().name() + axis, {});
}

template <class Real>
void FunctionFinderOver<Real>::find(const std::string& name, const Where& where) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos || is_taken(name)) return;
  const std::string owner = name.substr(0, dot), part = name.substr(dot + 1);
  for (const DrawnJoint& joint : drawing_.joints)
    if (joint.given->name == owner) return find_of_joint(joint, part, where);
  for (std::size_t b = 0; b < drawing_.bodies.size(); ++b)
    if (drawing_.bodies[b].name() == owner) return find_of_body(static_cast<int>(b), part, where);
  for (const DrawnSpring& spring : drawing_.springs)
    if (spring.given->name == owner) return find_of_spring(spring, part, where);
  if (owner == "lambda" || owner == "force" || owner == "control") return;
  if (owner == "energy" || owner == "power")
    fail(where, fmt::format("\"{}\" is no quantity of the mechanism", name),
         "energies and powers are channels of the result; formulas use joints, bodies and springs");
  std::vector<std::string> owners;
  for (const DrawnJoint& joint : drawing_.joints) owners.push_back(joint.given->name);
  for (const DrawnBodyOver<Real>& body : drawing_.bodies) owners.push_back(body.name());
  for (const DrawnSpring& spring : drawing_.springs) owners.push_back(spring.given->name);
  fail(where, fmt::format("no joint, body or spring is named \"{}\"", owner), suggest_name(owner, owners));
}

template <class Real>
const JointKind& FunctionFinderOver<Real>::kind(const DrawnJoint& joint) const {
  return drawing_.planar ? joint_kind<Planar>(joint.given->type) : joint_kind<Spatial>(joint.given->type);
}

template <class Real>
void FunctionFinderOver<Real>::find_of_joint(const DrawnJoint& joint, const std::string& part, const Where& where) {
  const Joint& given = *joint.given;
  std::vector<std::string> parts;
  if (entry_of(given.type).keys.to) {
    if (part == "length") return take_distance(given.name + ".length", joint.a, joint.b, joint.at, joint.to);
    parts.emplace_back("length");
  }
  for (const JointFreedom& freedom : kind(joint).freedoms) {
    if (freedom.freedom == Freedom::ball) {
      for (const char* rate : {"wx", "wy", "wz"}) {
        if (part == rate) return take_coordinate(joint, part, "rad", true, where);
        parts.emplace_back(rate);
      }
      continue;
    }
    if (part == freedom.component) return take_coordinate(joint, part, unit_of(freedom.freedom), false, where);
    parts.push_back(freedom.component);
  }
  if (parts.empty())
    fail(where, fmt::format("joint \"{}\" has no coordinates", given.name), "use the markers of its bodies");
  fail(where, fmt::format("joint \"{}\" has no coordinate \"{}\"", given.name, part), suggest_name(part, parts));
}

template <class Real>
void FunctionFinderOver<Real>::take_coordinate(const DrawnJoint& joint, const std::string& part,
                                               const std::string& unit, bool rate_only, const Where& where) {
  OutputFunction function;
  function.where = where;
  function.name = joint.given->name + "." + part;
  function.unit = unit;
  function.rate_only = rate_only;
  function.kind = OutputFunctionKind::coordinate;
  with_coordinates_.insert(joint.given->name);
  take(function);
}

template <class Real>
OutputFunctionOver<Real> FunctionFinderOver<Real>::between(const std::string& name, const DrawnJoint& joint) const {
  OutputFunction function;
  function.name = name;
  function.a = joint.a, function.b = joint.b;
  function.at_a = joint.at, function.at_b = joint.to;
  function.frame_a = function.frame_b = joint.frame;
  function.joint = joint.given->name;
  return function;
}

template <class Real>
void FunctionFinderOver<Real>::take_distance(const std::string& name, int a, int b, const Vector3& from,
                                             const Vector3& to) {
  OutputFunction function;
  function.name = name;
  function.unit = "m";
  function.a = a, function.b = b;
  function.at_a = from, function.at_b = to;
  function.row = {Holds::distance, 0, ""};
  take(function);
}

template <class Real>
void FunctionFinderOver<Real>::find_of_spring(const DrawnSpring& spring, const std::string& part, const Where& where) {
  if (part != "length")
    fail(where, fmt::format("spring \"{}\" has no \"{}\"", spring.given->name, part),
         fmt::format("its length is {}.length", spring.given->name));
  take_distance(spring.given->name + ".length", spring.a, spring.b, spring.from, spring.to);
}

template <class Real>
void FunctionFinderOver<Real>::find_of_body(int b, const std::string& part, const Where& where) {
  const DrawnBodyOver<Real>& body = drawing_.bodies[b];
  const std::size_t dot = part.find('.');
  const std::string marker = part.substr(0, dot);
  std::vector<std::string> parts{"centre.x"};
  if (dot != std::string::npos) {
    const int axis = axis_of(part.substr(dot + 1));
    if (axis >= 0 && axis < (drawing_.planar ? 2 : 3)) {
      for (std::size_t k = 0; k < body.markers.size(); ++k)
        if (body.given->markers[k].name == marker)
          return take_place(b, body.markers[k], body.name() + "." + part, axis);
      if (marker == "centre" && b > 0) return take_place(b, body.position, body.name() + "." + part, axis);
    }
  } else if (drawing_.planar && part == "angle" && b > 0) {
    OutputFunction angle;
    angle.name = body.name() + ".angle";
    angle.unit = "rad";
    angle.kind = OutputFunctionKind::angle;
    angle.b = b;
    return take(angle);
  }
  if (const int axis = rate_about(part.substr(dot + 1)); !drawing_.planar && axis >= 0 && b > 0) {
    if (dot == std::string::npos) return take_spin(b, body.name() + "." + part, {Holds::turning, axis, ""});
    if (marker == "body") return take_spin(b, body.name() + "." + part, {Holds::carried_about, axis, ""});
  }
  if (drawing_.planar) parts.emplace_back("angle");
  if (!drawing_.planar) parts.insert(parts.end(), {"wx", "body.wx"});
  if (body.given)
    for (const Marker& each : body.given->markers) parts.push_back(each.name + ".x");
  fail(where, fmt::format("body \"{}\" has no \"{}\"", body.name(), part), suggest_name(part, parts));
}

/// Angular velocity of a body along an axis of the world, or along one of its own.
template <class Real>
void FunctionFinderOver<Real>::take_spin(int b, const std::string& name, const JointRow& row) {
  OutputFunction spin;
  spin.name = name;
  spin.unit = "rad";
  spin.rate_only = true;
  spin.b = b;
  spin.row = row;
  spin.frame_b = drawing_.bodies[b].turned;
  take(spin);
}

template <class Real>
void FunctionFinderOver<Real>::take_place(int b, const Vector3& at, const std::string& name, int axis) {
  OutputFunction place;
  place.name = name;
  place.unit = "m";
  place.b = b;
  place.at_a = -drawing_.origin;
  place.at_b = at;
  place.row = {Holds::along, axis, ""};
  take(place);
}

template <class Real>
std::string FunctionFinderOver<Real>::coordinate_name(const Reference& reference, const std::string& component) {
  const std::size_t dot = reference.name.find('.');
  const std::string owner = reference.name.substr(0, dot);
  const std::string part = dot == std::string::npos ? component : reference.name.substr(dot + 1);
  std::vector<std::string> names;
  for (const DrawnJoint& joint : drawing_.joints) {
    names.push_back(joint.given->name);
    if (joint.given->name != owner) continue;
    std::vector<std::string> parts;
    for (const JointFreedom& freedom : kind(joint).freedoms)
      if (freedom.freedom != Freedom::ball) parts.push_back(freedom.component);
    if (entry_of(joint.given->type).keys.to)
      fail(reference.where, fmt::format("\"{}\" keeps a distance and has no coordinate", owner),
           "a driver with distance = [...] lets it follow a formula");
    if (part.empty() && parts.size() != 1)
      fail(reference.where, fmt::format("\"{}\" has {} coordinates", owner, parts.size()),
           parts.empty() ? "" : fmt::format("say which: {}", list_names(parts, false)));
    const std::string name = owner + "." + (part.empty() ? parts.front() : part);
    find(name, reference.where);
    return name;
  }
  fail(reference.where, fmt::format("no joint is named \"{}\"", owner), suggest_name(owner, names));
}

template <class Real>
std::string FunctionFinderOver<Real>::unit_of_function(const std::string& name) const {
  const auto found = std::ranges::find(functions_, name, &OutputFunction::name);
  return found == functions_.end() ? "" : found->unit;
}

template class FunctionFinderOver<double>;
template class FunctionFinderOver<Dual>;

}  // namespace maggi::mechanism
