#include "io/toml/spellings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "expression/units.hpp"
#include "model/field_keys.hpp"

namespace maggi::io {

namespace {

/// The formula that is zero at a time. Its place is such that messages point into the time as the user wrote it.
Formula at_time(const Formula& time) {
  const std::string before = "t - (";
  Where where = time.where;
  where.column -= static_cast<int>(before.size());
  return {before + time.text + ")", where};
}

Level guess_level(std::string_view formula) {
  if (formula.find("''") != std::string_view::npos) return Level::acceleration;
  return formula.find('\'') != std::string_view::npos ? Level::velocity : Level::position;
}

/// Two joints that roll on each other, by their teeth or by the radius of a pinion.
std::vector<Coupling::Term> rolling_pair(const TomlValue& entry, const Formula& first, const Formula& second) {
  std::array<Reference, 2> joints;
  read(entry, fields::reference(entry.key(), fields::Form::bodies, ""), joints);
  return {{joints[0], first}, {joints[1], second}};
}

bool couples(const TomlValue& entry) {
  return entry.key() == "gear" || entry.key() == "rack_and_pinion" || entry.key() == "sum";
}

}  // namespace

void translate(const TomlValue& entry, const TomlValue& /*table*/, Event& event, std::vector<Friction>*) {
  event.when = at_time(entry.formula());
}

void translate(const TomlValue& entry, const TomlValue& /*table*/, JointForce& force, std::vector<Friction>*) {
  force.force = entry.formula();
}

void translate(const TomlValue& entry, const TomlValue& table, Coupling& coupling, std::vector<Friction>*) {
  if (entry.key() == "gear") {
    const std::vector<TomlValue> teeth = table.find("teeth")->elements();
    coupling.terms = rolling_pair(entry, teeth[0].formula(), teeth[1].formula());
  } else if (entry.key() == "rack_and_pinion") {
    const Formula radius = table.find("radius")->formula();
    coupling.terms = rolling_pair(entry, 1.0, {"-(" + radius.text + ")", radius.where});
  }  // teeth and radius: read with the pair
}

void settle(Parameter& parameter) {
  const auto unit = expression::find_unit(parameter.unit);
  if (!unit || unit->factor == 1.0 || parameter.value.empty()) return;
  parameter.value = with_unit(std::move(parameter.value), parameter.unit);
  parameter.unit = expression::si_text(parameter.unit);
}

void check_words(const TomlValue& joint, const std::string& example, const Joint&) {
  static const std::map<std::string, std::string> called{
      {"hinge", "revolute"}, {"pin", "revolute"}, {"slider", "prismatic"}, {"ball", "spherical"},
      {"weld", "fixed"},     {"rigid", "fixed"},  {"rod", "distance"},     {"cardan", "universal"}};
  for (const TomlValue& entry : joint.entries()) {
    if (entry.key() == "type" || entry.key() == "kind")
      throw Error(Errc::model, entry.where(), fmt::format("{} has a {} as a text", joint.key(), entry.key()),
                  "the kind of a joint is a key, with its two bodies: write " + example);
    if (const auto meant = called.find(entry.key()); meant != called.end())
      throw Error(Errc::model, entry.where(), fmt::format("no kind of joint is named \"{}\"", entry.key()),
                  fmt::format("here it is called \"{}\"", meant->second));
  }
}

/// Gears by their teeth, a rack by the radius of its pinion, or any sum of coordinates with factors.
void check_words(const TomlValue& table, const std::string& example, const Coupling&) {
  const std::string help = "write " + example;
  std::string kind;
  for (const TomlValue& entry : table.entries()) {
    if (!couples(entry)) continue;
    if (!kind.empty()) table.fail(fmt::format("is coupled in two ways, {} and {}", kind, entry.key()), help);
    kind = entry.key();
  }
  if (kind.empty()) return;
  const std::optional<TomlValue> teeth = table.find("teeth"), radius = table.find("radius");
  const bool gear = kind == "gear", rack = kind == "rack_and_pinion";
  if (teeth && !gear) table.fail("has teeth, but no gear", help);
  if (gear && (!teeth || !teeth->is_list() || teeth->elements().size() != 2))
    table.fail("needs two numbers of teeth", help + "; a ring with inner teeth has a negative number");
  if (rack != radius.has_value()) table.fail(rack ? "has no radius" : "has a radius, but no pinion", help);
}

void need_table_of(const TomlValue& value, const std::string& example, const Coordinate&) {
  if (value.is_number() || value.is_text())
    value.refuse("a table", fmt::format("write {} = {{ start = {} }}", value.key(),
                                        value.is_text() ? fmt::format("\"{}\"", value.text()) : value.formula().text));
  need_table(value, fmt::format("write {}, or {} = {{}}", example, value.key()));
}

void need_table_of(const TomlValue& value, const std::string& example, const Constraint&) {
  if (value.is_text()) {
    const std::string formula = value.text();
    value.refuse("a table that names the level",
                 fmt::format("write {} = {{ {} = \"{}\" }}", value.key(), level_name(guess_level(formula)), formula));
  }
  need_table(value, "write " + example);
}

}  // namespace maggi::io
