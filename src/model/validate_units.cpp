#include "model/validate_units.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "expression/units.hpp"
#include "model/model_fields.hpp"
#include "model/refuse.hpp"

namespace maggi {

namespace {

using expression::find_unit;
using expression::Unit;

/// Torques and what belongs to them are written with and without the radian, N m/rad and N m. An angle is no number,
/// and a length is no pitch.
bool is_of_kind(const Unit& unit, const Unit& kind) {
  if (unit.same_kind(kind)) return true;
  Unit without = unit;
  without.powers.back() = kind.powers.back();
  return unit.powers.front() != 0 && without.same_kind(kind);
}

/// Is the unit of the kind of one of "N/m or N m/rad"?
bool is_one_of(const Unit& unit, std::string_view kinds) {
  constexpr std::string_view separator = " or ";
  while (!kinds.empty()) {
    const std::size_t end = std::min(kinds.find(separator), kinds.size());
    if (const auto kind = find_unit(kinds.substr(0, end)); kind && is_of_kind(unit, *kind)) return true;
    kinds.remove_prefix(std::min(end + separator.size(), kinds.size()));
  }
  return false;
}

/// The units of the parameters that have one.
using Labels = std::map<std::string, std::string, std::less<>>;

/// A quantity, and a parameter that stands alone, are of one of the kinds.
void check_kind(const Formula& formula, std::string_view kinds, const std::string& label, const Labels& labels) {
  if (kinds.empty()) return;
  std::string given;
  if (const auto quantity = expression::unit_of_quantity(formula.text)) {
    given = *quantity;
  } else {
    const auto parameter = labels.find(formula.text);
    if (parameter == labels.end()) return;
    given = parameter->second;
  }
  if (const auto unit = find_unit(given); unit && !is_one_of(*unit, kinds))
    refuse(formula.where, fmt::format("{} is given in \"{}\", but it is in {}", label, given, kinds),
           kinds == "1" ? "it is a number without a unit" : "write a unit of this kind");
}

/// The label is a unit; of the SI unless `any`.
void check_label(const std::string& label, const std::string& owner, const Where& where, bool any = false) {
  if (label.empty()) return;
  const auto unit = find_unit(label);
  if (!unit)
    refuse(where, fmt::format("the unit of \"{}\" is \"{}\", which is no unit", owner, label),
           expression::unit_help(label));
  if (!any && unit->factor != 1.0)
    refuse(
        where,
        fmt::format("the unit of \"{}\" is \"{}\", but its values are in {}", owner, label, expression::si_text(label)),
        fmt::format("write unit = \"{}\"; a number may have a unit of its own, \"30 {}\"", expression::si_text(label),
                    label));
}

const std::string& name_of_part(const GeneralisedForce& force) { return force.coordinate; }
template <class Part>
const std::string& name_of_part(const Part& part) {
  return part.name;
}

/// Follows the list of the keys of a part.
template <class Part>
class UnitRules {
 public:
  UnitRules(const Part& part, const std::string& label, const Labels& labels)
      : part_(part), label_(label), labels_(labels) {
    fields::for_each(fields::keys_of<Part>, [this](const auto& entry) { see(entry); });
    if constexpr (requires { part.unit; }) check_label(part.unit, label, part.where, std::is_same_v<Part, Output>);
  }

 private:
  template <class Get>
  void see(const fields::Member<Get>& member) const {
    const std::string key(member.key.name);
    check(std::invoke(member.get, part_), member.key.unit, label_.empty() ? key : label_ + "." + key);
  }
  template <class Get>
  void see(const fields::Items<Get>& items) const {
    check_items(std::invoke(items.get, part_), label_ + ".");
  }
  template <class Get>
  void see(const fields::Table<Get>& table) const {
    check_items(std::invoke(table.get, part_), "");
  }
  template <class... Entries>
  void see(const fields::Group<Entries...>& group) const {
    fields::for_each(group.entries, [this](const auto& entry) { see(entry); });
  }
  template <class... Get>
  void see(const fields::Mixed<Get...>& mixed) const {
    fields::for_each(mixed.gets, [this](const auto& get) { check_items(std::invoke(get, part_), ""); });
  }
  template <class Entry>
  void see(const Entry& /*no key of its own*/) const {}

  template <class Item>
  void check_items(const std::vector<Item>& items, const std::string& before) const {
    for (const Item& item : items) UnitRules<Item>(item, before + name_of_part(item), labels_);
  }
  void check_items(const SimulationSettings& settings, const std::string& /*before*/) const {
    UnitRules<SimulationSettings>(settings, "", labels_);
  }

  void check(const Formula& formula, std::string_view kinds, const std::string& label) const {
    check_kind(formula, kinds, label, labels_);
  }
  void check(const Triple& triple, std::string_view kinds, const std::string& label) const {
    check(triple.values, kinds, label);
  }
  void check(const Marker& marker, std::string_view kinds, const std::string& label) const {
    check(marker.at, kinds, label + "." + marker.name);
  }
  void check(const JointValue& value, std::string_view kinds, const std::string& label) const {
    check(value.value, kinds, value.component.empty() ? label : label + "." + value.component);
  }
  template <class Value>
  void check(const std::optional<Value>& value, std::string_view kinds, const std::string& label) const {
    if (value) check(*value, kinds, label);
  }
  template <class Value>
  void check(const std::vector<Value>& values, std::string_view kinds, const std::string& label) const {
    for (const Value& value : values) check(value, kinds, label);
  }
  template <class Value>
  void check(const Value& value, std::string_view /*kinds*/, const std::string& label) const {
    if constexpr (!std::is_null_pointer_v<std::remove_cv_t<decltype(fields::keys_of<Value>)>>)
      UnitRules<Value>(value, label, labels_);
  }

  const Part& part_;
  const std::string& label_;
  const Labels& labels_;
};

/// A value with a unit is of the kind that the label of its part says.
void check_by_label(const std::optional<Formula>& formula, const std::string& unit, std::string_view per,
                    const std::string& label) {
  if (formula && !unit.empty()) check_kind(*formula, unit + std::string(per), label, {});
}

/// What a coordinate of a joint is measured in, where that is known by its name or by the only one that there is.
std::string_view kind_of_coordinate(JointType type, const std::string& component) {
  if (component.empty()) {
    if (type == JointType::revolute || type == JointType::screw) return "rad";
    return type == JointType::prismatic ? "m" : "";
  }
  if (component.starts_with("angle") || component.starts_with("w") || component.starts_with("body.w")) return "rad";
  if (component == "distance" || component == "x" || component == "y" || component == "z") return "m";
  return component.starts_with("q") ? "1" : "";
}

void check_values(const std::vector<JointValue>& values, JointType type, const std::string& label, const char* per,
                  const Labels& labels) {
  for (const JointValue& value : values)
    if (const std::string kind(kind_of_coordinate(type, value.component)); !kind.empty())
      check_kind(value.value, kind + per, label, labels);
}

void check_coordinates(const Body& body, const Labels& labels) {
  check_values(body.start, JointType::free, body.name + ".start", "", labels);
  check_values(body.guess, JointType::free, body.name + ".guess", "", labels);
  check_values(body.speed, JointType::free, body.name + ".speed", "/s", labels);
}

void check_coordinates(const Joint& joint, const Labels& labels) {
  const auto check = [&](const std::vector<JointValue>& values, const char* key, const char* per) {
    check_values(values, joint.type, fmt::format("{}.{}", joint.name, key), per, labels);
  };
  check(joint.start, "start", "");
  check(joint.guess, "guess", "");
  check(joint.speed, "speed", "/s");
  check(joint.speed_guess, "speed_guess", "/s");
  check(joint.acceleration, "acceleration", "/s^2");
  for (const JointLimit& limit : joint.limits) {
    const std::string_view kind = kind_of_coordinate(joint.type, limit.component);
    const std::string label = joint.name + ".limits";
    check_kind(limit.lower, kind, label, labels);
    check_kind(limit.upper, kind, label, labels);
  }
}

}  // namespace

void validate_units(const Model& model) {
  Labels labels;
  for (const Parameter& p : model.parameters)
    if (!p.unit.empty()) labels.emplace(p.name, p.unit);
  const UnitRules<Model> rules(model, "", labels);
  for (const Parameter& p : model.parameters) check_by_label(p.value, p.unit, "", p.name);
  for (const Coordinate& c : model.coordinates) {
    check_by_label(c.start, c.unit, "", c.name + ".start");
    check_by_label(c.guess, c.unit, "", c.name + ".guess");
    check_by_label(c.speed, c.unit, "/s", c.name + ".speed");
    check_by_label(c.speed_guess, c.unit, "/s", c.name + ".speed_guess");
    check_by_label(c.acceleration, c.unit, "/s^2", c.name + ".acceleration");
  }
  for (const Body& body : model.mechanism.bodies) check_coordinates(body, labels);
  for (const Joint& joint : model.mechanism.joints) check_coordinates(joint, labels);
}

}  // namespace maggi
