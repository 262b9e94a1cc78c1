#include "io/toml/read_part.hpp"

namespace maggi::io {

namespace {

/// [lower, upper], or a table with these and what the stop is like.
JointLimit limit_of(const TomlValue& value, const std::string& component) {
  JointLimit limit;
  limit.component = component;
  limit.where = value.where();
  const std::string help = fmt::format("write {} = [-1.0, 1.0], or {{ lower = -1.0, restitution = 0.5 }}", value.key());
  if (value.is_list()) {
    const std::vector<TomlValue> ends = value.elements();
    if (ends.size() != 2) value.refuse("the lower and the upper end", help);
    limit.lower = ends[0].formula(), limit.upper = ends[1].formula();
    return limit;
  }
  if (!value.is_table()) value.refuse("the lower and the upper end", help);
  read_keys(value, limit);
  return limit;
}

}  // namespace

/// Of the only coordinate, or of each in a table: { angle_1 = [-1, 1] }. A table with a key of a limit is one limit,
/// and so is a table without lists and tables.
void read(const TomlValue& value, const Key& /*key*/, std::vector<JointLimit>& target) {
  const std::vector<TomlValue> entries = value.is_table() ? value.entries() : std::vector<TomlValue>{};
  bool one = std::ranges::none_of(entries, [](const TomlValue& e) { return e.is_list() || e.is_table(); });
  fields::for_each(fields::keys_of<JointLimit>, [&](const auto& member) {
    if constexpr (requires { member.key; })
      one = one || std::ranges::find(entries, member.key.name, &TomlValue::key) != entries.end();
  });
  if (one) return target.push_back(limit_of(value, ""));
  for (const TomlValue& each : entries) target.push_back(limit_of(each, each.key()));
}

void read(const TomlValue& value, const Key& /*key*/, std::optional<JointFriction>& target) {
  need_table(value, "write friction = { coefficient = 0.2, radius = 0.01 }");
  target.emplace().where = value.where();
  read_keys(value, *target);
}

void translate(const TomlValue& entry, const TomlValue& table, Constraint& constraint,
               std::vector<Friction>* frictions) {
  need_table(entry, "write friction = { coefficient = 0.3, stiction = 0.35 }");
  Friction friction;
  friction.name = constraint.name;
  friction.where = entry.where();
  friction.on = {{table.key(), entry.where()}};
  KeyFields<Friction> fields(entry, friction);
  fields.remove("on");
  read_fields(entry, fields.list());
  frictions->push_back(std::move(friction));
}

std::string example_of(const fields::Heading& heading, std::string_view name) {
  return fmt::format("{} = {}", name, fmt::format(fmt::runtime(heading.example), name));
}

}  // namespace maggi::io
