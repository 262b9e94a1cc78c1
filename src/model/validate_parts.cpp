#include "model/validate_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/check_blank.hpp"
#include "model/refuse.hpp"

namespace maggi {

namespace {

/// A formula that has to be there.
void need_formula(const Formula& formula, const std::string& label, const Where& where) {
  if (formula.empty()) refuse(where, label + " is empty", "write a formula or remove the line");
  check_not_blank(formula, label);
}

void check(const JointLimit& limit, const std::string& joint) {
  const std::string key = limit.component.empty() ? "limits" : limit.component;
  const std::string label = joint + ".limits" + (limit.component.empty() ? "" : "." + limit.component);
  check_blank(limit, label);
  if (limit.lower.empty() && limit.upper.empty())
    refuse(limit.where, label + " has neither a lower nor an upper end",
           fmt::format("write {} = [-1.0, 1.0], or {{ lower = -1.0, restitution = 0.5 }}", key));
  if (!limit.stiffness.empty() && !limit.restitution.empty())
    refuse(limit.where, label + " has a stiffness and a restitution",
           "the first is of an elastic stop, the second of a rigid one");
  if (limit.stiffness.empty() && !limit.damping.empty())
    refuse(limit.where, label + " has a damping but no stiffness", "a rigid stop has a restitution");
}

/// One value for the only coordinate, or one for each that is named.
template <class Value>
void check_components(const std::vector<Value>& values, const std::string& label) {
  std::set<std::string> seen;
  for (const Value& value : values) {
    if (value.component.empty() && values.size() > 1)
      refuse(value.where, label + " has a value without a coordinate beside others", "name the coordinate of each");
    if (!seen.insert(value.component).second)
      refuse(value.where, fmt::format("{}.{} is given twice", label, value.component), "keep one of them");
  }
}

void check_values(const std::vector<JointValue>& values, const std::string& label) {
  check_components(values, label);
  for (const JointValue& value : values)
    need_formula(value.value, value.component.empty() ? label : label + "." + value.component, value.where);
}

using Values = std::vector<JointValue>;

/// Of one coordinate not both.
void check_not_both(const Where& where, const std::string& name, const Values& kept, const char* first,
                    const Values& others, const char* second, const char* help) {
  for (const JointValue& other : others)
    if (std::ranges::find(kept, other.component, &JointValue::component) != kept.end())
      refuse(where, fmt::format("{} has both {} and {}", name, first, second), help);
}
constexpr const char* guess_help = "the first is kept as it is, the second is where the search begins";
constexpr const char* weight_help = "a value that is given never changes: write it as a guess, or remove its weight";

void check_start(const Where& where, const std::string& name, const Values& start, const Values& guess,
                 const Values& speed) {
  check_values(start, name + ".start");
  check_values(guess, name + ".guess");
  check_values(speed, name + ".speed");
  check_not_both(where, name, start, "start", guess, "guess", guess_help);
}

void check(const Joint& joint) {
  check_blank(joint, joint.name);
  check_start(joint.where, joint.name, joint.start, joint.guess, joint.speed);
  check_values(joint.speed_guess, joint.name + ".speed_guess");
  check_values(joint.acceleration, joint.name + ".acceleration");
  check_values(joint.weight, joint.name + ".weight");
  check_values(joint.speed_weight, joint.name + ".speed_weight");
  check_not_both(joint.where, joint.name, joint.speed, "speed", joint.speed_guess, "speed_guess", guess_help);
  check_not_both(joint.where, joint.name, joint.start, "start", joint.weight, "weight", weight_help);
  check_not_both(joint.where, joint.name, joint.speed, "speed", joint.speed_weight, "speed_weight", weight_help);
  check_components(joint.limits, joint.name + ".limits");
  for (const JointLimit& limit : joint.limits) check(limit, joint.name);
  if (!joint.friction) return;
  const JointFriction& friction = *joint.friction;
  const std::string label = joint.name + ".friction";
  if (friction.coefficient.empty())
    refuse(friction.where, label + " has no coefficient", "write friction = { coefficient = 0.2, radius = 0.01 }");
  check_blank(friction, label);
}

void check(const Body& body) {
  check_blank(body, body.name);
  check_start(body.where, body.name, body.start, body.guess, body.speed);
  std::set<std::string> seen;
  for (const Marker& marker : body.markers)
    if (!seen.insert(marker.name).second)
      refuse(marker.where, fmt::format("\"{}\" has two markers \"{}\"", body.name, marker.name),
             "every name means one thing: choose another one");
}

void check(const Coupling& coupling) {
  if (coupling.terms.empty())
    refuse(coupling.where, coupling.name + " couples nothing",
           fmt::format("write {0} = {{ gear = [\"sun\", \"planet\"], teeth = [20, 40] }}, {0} = {{ rack_and_pinion = "
                       "[\"rack\", \"pinion\"], radius = 0.05 }} or {0} = {{ sum = {{ \"a.angle\" = 1, \"b.angle\" = "
                       "-2 }} }}",
                       coupling.name));
  std::set<std::string> seen;
  for (const Coupling::Term& term : coupling.terms) {
    if (!seen.insert(term.coordinate.name).second)
      refuse(term.coordinate.where, fmt::format("coupling \"{}\" has {} twice", coupling.name, term.coordinate.name),
             "add them up");
    need_formula(term.factor, coupling.name + "." + term.coordinate.name, coupling.where);
  }
}

void check(const Driver& driver) {
  const std::string example = fmt::format(
      "write {0} = {{ joint = \"crank\", follows = \"2*pi*t\" }}, {0} = {{ marker = \"arm.tip\", follows = "
      "[\"...\", \"...\"] }} or {0} = {{ distance = [\"ground\", \"arm\"], from = [...], to = [...], "
      "follows = \"...\" }}",
      driver.name);
  const bool distance = !driver.distance[0].name.empty() || !driver.distance[1].name.empty();
  const int kinds = !driver.coordinate.name.empty() + !driver.marker.name.empty() + distance;
  if (kinds != 1) refuse(driver.where, driver.name + (kinds == 0 ? " drives nothing" : " drives two things"), example);
  if (driver.follows.empty()) refuse(driver.where, driver.name + " follows nothing", example);
  if (!distance && (driver.from.given() || driver.to.given()))
    refuse(driver.where, driver.name + " has from and to, but drives no distance", example);
  check_blank(driver, driver.name);
}

}  // namespace

void validate_parts(const Mechanism& mechanism) {
  for (const Body& body : mechanism.bodies) check(body);
  for (const Joint& joint : mechanism.joints) check(joint);
  fields::for_each_force(mechanism, [](const auto& force) { check_blank(force, force.name); });
  for (const Coupling& coupling : mechanism.couplings) check(coupling);
  for (const Driver& driver : mechanism.drivers) check(driver);
}

}  // namespace maggi
