#include "io/toml/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "io/file/text_file.hpp"
#include "io/toml/mechanism_file.hpp"
#include "io/toml/table_file.hpp"
#include "io/toml/toml_value.hpp"

namespace maggi {

namespace {

using io::Field;
using io::read_fields;
using io::TomlValue;

void need_table(const TomlValue& value, std::string help) {
  if (!value.is_table()) value.refuse("a table", std::move(help));
}

/// A reader that stores a formula, a text.
auto into(Formula& target) {
  return [&target](const TomlValue& value) { target = value.formula(); };
}
auto into(std::optional<Formula>& target) {
  return [&target](const TomlValue& value) { target = value.formula(); };
}
auto into(std::string& target) {
  return [&target](const TomlValue& value) { target = value.text(); };
}
auto into(bool& target) {
  return [&target](const TomlValue& value) { target = value.boolean(); };
}
/// The name of another part of the model, or a list of them.
auto into(std::vector<Reference>& target) {
  return [&target](const TomlValue& value) {
    for (const TomlValue& name : value.is_list() ? value.elements() : std::vector{value})
      target.push_back({name.text(), name.value_where()});
  };
}
/// One of several names; which there are is checked later.
auto into(std::optional<std::string>& target) {
  return [&target](const TomlValue& value) { target = value.text(); };
}

Parameter read_parameter(const TomlValue& value) {
  Parameter parameter{value.key(), {}, "", value.where()};
  if (!value.is_table()) {
    parameter.value = value.formula();
    return parameter;
  }
  read_fields(value, {{"value", into(parameter.value)}, {"unit", into(parameter.unit)}});
  return parameter;
}

Coordinate read_coordinate(const TomlValue& value) {
  if (value.is_number() || value.is_text())
    value.refuse("a table", fmt::format("write {} = {{ start = {} }}", value.key(),
                                        value.is_text() ? fmt::format("\"{}\"", value.text()) : value.formula().text));
  need_table(value, fmt::format("write {} = {{ start = 0.0 }}, or {} = {{}}", value.key(), value.key()));
  Coordinate coordinate;
  coordinate.name = value.key();
  coordinate.where = value.where();
  read_fields(value, {{"start", into(coordinate.start)},
                      {"speed", into(coordinate.speed)},
                      {"acceleration", into(coordinate.acceleration)},
                      {"guess", into(coordinate.guess)},
                      {"speed_guess", into(coordinate.speed_guess)},
                      {"weight", into(coordinate.weight)},
                      {"speed_weight", into(coordinate.speed_weight)},
                      {"unit", into(coordinate.unit)}});
  return coordinate;
}

Level guess_level(std::string_view formula) {
  if (formula.find("''") != std::string_view::npos) return Level::acceleration;
  return formula.find('\'') != std::string_view::npos ? Level::velocity : Level::position;
}

/// One formula, or a list of them.
std::vector<Formula> read_formulas(const TomlValue& value) {
  if (!value.is_list()) return {value.formula()};
  std::vector<Formula> formulas;
  for (const TomlValue& element : value.elements()) formulas.push_back(element.formula());
  return formulas;
}

/// In [friction], or inside the constraint that it is on.
Friction read_friction(const TomlValue& value, const std::string& name, bool inside) {
  Friction friction;
  friction.name = name;
  friction.where = value.where();
  need_table(value, inside ? "write friction = { coefficient = 0.3, stiction = 0.35 }"
                           : fmt::format("write {} = {{ on = \"guide\", coefficient = 0.3 }}", name));
  std::vector<Field> fields{{"coefficient", into(friction.coefficient)},
                            {"stiction", into(friction.stiction)},
                            {"along", [&](const TomlValue& along) { friction.along = read_formulas(along); }},
                            {"normal", into(friction.normal)}};
  if (inside)
    friction.on = {{name, value.where()}};
  else
    fields.insert(fields.begin(), {"on", into(friction.on)});
  read_fields(value, fields);
  return friction;
}

Constraint read_constraint(const TomlValue& value, std::vector<Friction>& frictions) {
  if (value.is_text()) {
    const std::string formula = value.text();
    value.refuse("a table that names the level",
                 fmt::format("write {} = {{ {} = \"{}\" }}", value.key(), level_name(guess_level(formula)), formula));
  }
  need_table(value, fmt::format("write {} = {{ position = \"...\" }}", value.key()));
  Constraint constraint;
  constraint.name = value.key();
  constraint.where = value.where();
  const auto at = [&](Level level) {
    return [&constraint, level](const TomlValue& entry) {
      if (!constraint.formula.empty())
        throw Error(Errc::model, entry.where(),
                    fmt::format("{} is given at two levels, {} and {}", constraint.name, level_name(constraint.level),
                                level_name(level)),
                    "keep one of them; maggi differentiates it by itself");
      constraint.level = level;
      constraint.formula = entry.formula();
    };
  };
  read_fields(value, {{"position", at(Level::position)},
                      {"velocity", at(Level::velocity)},
                      {"acceleration", at(Level::acceleration)},
                      {"servo", into(constraint.servo)},
                      {"hidden", into(constraint.hidden)},
                      {"unit", into(constraint.unit)},
                      {"active", into(constraint.active)},
                      {"one_sided", into(constraint.one_sided)},
                      {"restitution", into(constraint.restitution)},
                      {"friction", [&](const TomlValue& entry) {
                         frictions.push_back(read_friction(entry, constraint.name, true));
                       }}});
  return constraint;
}

/// The formula that is zero at a time. Its place is such that messages point into the time as the user wrote it.
Formula at_time(const Formula& time) {
  const std::string before = "t - (";
  Where where = time.where;
  where.column -= static_cast<int>(before.size());
  return {before + time.text + ")", where};
}

Crossing read_crossing(const TomlValue& value) {
  static const std::vector<std::string> names{"any", "rising", "falling"};
  const std::string text = value.text();
  const auto found = std::ranges::find(names, text);
  if (found == names.end())
    throw Error(Errc::model, value.value_where(), fmt::format("no crossing is named \"{}\"", text),
                suggest_name(text, names));
  return static_cast<Crossing>(found - names.begin());
}

Event read_event(const TomlValue& value) {
  const std::string example = fmt::format("write {} = {{ when = \"...\", switch_on = [\"...\"] }}", value.key());
  need_table(value, example);
  Event event;
  event.name = value.key();
  event.where = value.where();
  std::optional<Formula> when, at;
  read_fields(value, {{"when", into(when)},
                      {"at", into(at)},
                      {"crossing", [&](const TomlValue& entry) { event.crossing = read_crossing(entry); }},
                      {"switch_on", into(event.switch_on)},
                      {"switch_off", into(event.switch_off)},
                      {"stop", into(event.stop)}});
  if (when && at) value.fail("has both when and at", "keep one of them: at = 2.0 is when = \"t - 2.0\"");
  if (when) event.when = *when;
  if (at) event.when = at_time(*at);
  return event;
}

Output read_output(const TomlValue& value) {
  Output output{value.key(), {}, "", value.where()};
  if (!value.is_table()) {
    output.formula = value.formula();
    return output;
  }
  read_fields(value, {{"formula", into(output.formula)}, {"unit", into(output.unit)}});
  return output;
}

LocalPoint read_point(const TomlValue& value) {
  need_table(value, fmt::format("write {} = {{ x = \"...\", y = \"...\" }}", value.key()));
  LocalPoint point{value.key(), {}, value.where()};
  for (const TomlValue& entry : value.entries()) {
    const Output coordinate = read_output(entry);
    point.coordinates.push_back({coordinate.name, coordinate.formula, coordinate.unit, coordinate.where});
  }
  return point;
}

/// A reader of what a unit of a force does to each coordinate.
auto directions_into(std::vector<GeneralisedForce>& along, const std::string& example) {
  return [&along, example](const TomlValue& value) {
    need_table(value, example);
    for (const TomlValue& entry : value.entries()) along.push_back({entry.key(), entry.formula(), entry.where()});
  };
}

/// A force by what a unit of it does to the coordinates.
template <class Force>
Force read_force_along(const TomlValue& value) {
  const std::string example =
      fmt::format("write {} = {{ along = {{ x = 1, y = \"...\" }}, unit = \"N\" }}", value.key());
  need_table(value, example);
  Force force{value.key(), {}, "", value.where()};
  read_fields(value, {{"along", directions_into(force.along, example)}, {"unit", into(force.unit)}});
  return force;
}

Law read_law(const TomlValue& value) {
  const std::string example =
      fmt::format("write {} = {{ along = {{ x = 1 }}, law = \"force.{} = ...\" }}", value.key(), value.key());
  need_table(value, example);
  Law law;
  law.name = value.key();
  law.where = value.where();
  read_fields(value,
              {{"along", directions_into(law.along, example)}, {"law", into(law.formula)}, {"unit", into(law.unit)}});
  return law;
}

std::vector<Formula> read_row(const TomlValue& value) {
  if (!value.is_list()) value.refuse("a list of formulas", "write [\"m\", 0]");
  std::vector<Formula> row;
  for (const TomlValue& element : value.elements()) row.push_back(element.formula());
  return row;
}

/// What is drawn: a point, or a line, a spring or a circle by the names of points.
class SketchReader {
 public:
  explicit SketchReader(Sketch& drawing) : drawing_(drawing) {}

  void operator()(const TomlValue& item) {
    const std::string example = fmt::format(
        "write {} = {{ point = [\"x\", \"y\"] }}, {{ line = [\"A\", \"B\"] }}, {{ spring = [\"A\", \"B\"] }} or {{ "
        "circle = "
        "\"A\", radius = 0.1 }}",
        item.key());
    need_table(item, example);
    std::string kind;
    for (const TomlValue& entry : item.entries())
      if (const std::string& key = entry.key(); key == "point" || key == "line" || key == "spring" || key == "circle") {
        if (!kind.empty()) item.fail(fmt::format("is both a {} and a {}", kind, key), "give each its own name");
        kind = key;
      }
    if (kind.empty()) nothing(item, example);
    if (kind == "point")
      point(item);
    else if (kind == "circle")
      circle(item);
    else
      line(item, example);
  }

 private:
  /// A key that is misspelt is named as such.
  [[noreturn]] static void nothing(const TomlValue& item, const std::string& example) {
    const auto ignore = [](const TomlValue&) {};
    read_fields(item, {{"point", ignore}, {"line", ignore}, {"spring", ignore}, {"circle", ignore}});
    item.fail("draws nothing", example);
  }
  static Reference reference(const TomlValue& value) { return {value.text(), value.value_where()}; }

  void point(const TomlValue& item) {
    Sketch::Point& point = drawing_.points.emplace_back();
    point.name = item.key();
    point.where = item.where();
    read_fields(item, {{"point", [&](const TomlValue& value) { point.at = read_row(value); }},
                       {"trace", [&](const TomlValue& value) { point.trace = value.boolean(); }}});
  }
  void line(const TomlValue& item, const std::string& example) {
    Sketch::Line& line = drawing_.lines.emplace_back();
    line.name = item.key();
    line.where = item.where();
    const auto points = [&](bool spring) {
      return [&line, &example, spring](const TomlValue& value) {
        if (!value.is_list()) value.refuse("a list of names of points", example);
        for (const TomlValue& name : value.elements()) line.through.push_back(reference(name));
        line.spring = spring;
      };
    };
    read_fields(item, {{"line", points(false)}, {"spring", points(true)}});
  }
  void circle(const TomlValue& item) {
    Sketch::Circle& circle = drawing_.circles.emplace_back();
    circle.name = item.key();
    circle.where = item.where();
    read_fields(item, {{"circle", [&](const TomlValue& value) { circle.about = reference(value); }},
                       {"radius", into(circle.radius)},
                       {"axis", [&](const TomlValue& value) { circle.axis = read_row(value); }}});
  }

  Sketch& drawing_;
};

/// Reads the tables of a file in its order, and keeps where they begin.
class ModelReader {
 public:
  ModelReader(Model& model, const TomlValue& file) : model_(model) {
    std::vector<Field> fields{
        {"title", into(model_.title)},
        {"parameters", each_into(model_.parameters, read_parameter, "m = 1.0")},
        {"coordinates", [this](const TomlValue& table) { coordinates(table); }},
        {"define", each_into(model_.definitions, read_definition, "s = \"sin(x)\"")},
        {"local", each_into(model_.points, read_point, "A = { x = \"...\", y = \"...\" }")},
        {"energy", [this](const TomlValue& table) { energy(table); }},
        {"equations", [this](const TomlValue& table) { equations(table); }},
        {"generalised_force", each_into(model_.generalised_forces, read_force, "x = \"-d*x'\"")},
        {"constraint", [this](const TomlValue& table) { constraints(table); }},
        {"law", each_into(model_.laws, read_law, "drag = { along = { x = 1 }, law = \"...\" }")},
        {"friction",
         each_into(model_.frictions, read_friction_of_table, "floor = { on = \"guide\", coefficient = 0.3 }")},
        {"control", each_into(model_.controls, read_force_along<Control>, "F = { along = { x = 1 }, unit = \"N\" }")},
        {"event", each_into(model_.events, read_event, "catch = { when = \"...\", switch_on = [\"...\"] }")},
        {"start", [this](const TomlValue& table) { start(table); }},
        {"reaction",
         each_into(model_.reactions, read_force_along<ReactionForce>, "N = { along = { y = 1 }, unit = \"N\" }")},
        {"output", each_into(model_.outputs, read_output, "height = \"...\"")},
        {"drawing", [this](const TomlValue& table) { drawing(table); }},
        {"simulation", [this](const TomlValue& table) { simulation(table); }}};
    for (Field& field : io::mechanism_fields(model_.mechanism)) fields.push_back(std::move(field));
    read_fields(file, fields);
    for (const TomlValue& entry : file.entries()) model_.places.emplace(entry.key(), entry.where());
  }

 private:
  static Definition read_definition(const TomlValue& value) { return {value.key(), value.formula(), value.where()}; }
  static GeneralisedForce read_force(const TomlValue& value) { return {value.key(), value.formula(), value.where()}; }

  static Friction read_friction_of_table(const TomlValue& value) { return read_friction(value, value.key(), false); }

  void constraints(const TomlValue& table) {
    const auto read = [this](const TomlValue& value) { return read_constraint(value, model_.frictions); };
    each_into(model_.constraints, read, "guide = { position = \"...\" }")(table);
  }

  template <class Item, class Read>
  static std::function<void(const TomlValue&)> each_into(std::vector<Item>& items, Read read, std::string example) {
    return [&items, read, example](const TomlValue& table) {
      need_table(table, fmt::format("write [{}] and below it one line for each, as {}", table.key(), example));
      for (const TomlValue& entry : table.entries()) items.push_back(read(entry));
    };
  }

  void coordinates(const TomlValue& table) {
    each_into(model_.coordinates, read_coordinate, coordinate_example)(table);
    if (model_.coordinates.empty())
      table.fail("is empty",
                 fmt::format("write [coordinates] and below it one line for each, as {}", coordinate_example));
  }

  void energy(const TomlValue& table) {
    need_table(table, "write [energy] and below it kinetic = \"...\" and potential = \"...\"");
    read_fields(table, {{"kinetic", into(model_.kinetic)}, {"potential", into(model_.potential)}});
  }

  void equations(const TomlValue& table) {
    need_table(table, "write [equations] and below it mass = [[...]] and force = [...]");
    read_fields(table, {{"mass", [this](const TomlValue& value) { mass(value); }},
                        {"force", [this](const TomlValue& value) { force(value); }}});
  }

  void mass(const TomlValue& value) {
    model_.places.emplace("equations.mass", value.value_where());
    if (!value.is_list()) value.refuse("a list of rows", "write mass = [[\"m\", 0], [0, \"m\"]]");
    for (const TomlValue& row : value.elements()) {
      model_.mass.push_back(read_row(row));
      model_.places.emplace(fmt::format("equations.mass[{}]", model_.mass.size()), row.where());
    }
  }

  void force(const TomlValue& value) {
    model_.places.emplace("equations.force", value.value_where());
    model_.force = read_row(value);
  }

  void start(const TomlValue& table) {
    need_table(table, "write [start] and below it lambda.guide = 5.0 or reaction.x = 2.0");
    const auto forces_into = [](std::vector<StartForce>& forces, std::string example) {
      return [&forces, example](const TomlValue& group) {
        need_table(group, "write " + example);
        for (const TomlValue& entry : group.entries()) forces.push_back({entry.key(), entry.formula(), entry.where()});
      };
    };
    read_fields(table, {{"lambda", forces_into(model_.start_multipliers, "lambda.guide = 5.0")},
                        {"reaction", forces_into(model_.start_reactions, "reaction.x = 2.0")}});
  }

  void drawing(const TomlValue& table) {
    need_table(table, "write [drawing] and below it one line for each, as mass = { point = [\"x\", \"y\"] }");
    SketchReader read(model_.drawing);
    for (const TomlValue& item : table.entries()) read(item);
  }

  void simulation(const TomlValue& table) {
    SimulationSettings& simulation = model_.simulation;
    simulation.where = table.where();
    need_table(table, "write [simulation] and below it until = 10.0");
    read_fields(table, {{"from", into(simulation.from)},
                        {"until", into(simulation.until)},
                        {"output", into(simulation.output)},
                        {"rtol", into(simulation.rtol)},
                        {"atol", into(simulation.atol)},
                        {"step", into(simulation.step)},
                        {"formulation", into(simulation.formulation)},
                        {"basis", into(simulation.basis)},
                        {"integrator", into(simulation.integrator)},
                        {"drift", into(simulation.drift)},
                        {"stabilisation", [&](const TomlValue& value) { simulation.stabilisation = read_row(value); }},
                        {"unknowns", into(simulation.unknowns)},
                        {"continuity", into(simulation.continuity)}});
    for (const TomlValue& entry : table.entries())
      model_.places.emplace("simulation." + entry.key(), entry.value_where());
  }

  static constexpr const char* coordinate_example = "x = { start = 0.0 }";

  Model& model_;
};

}  // namespace

Model parse_model(std::string_view toml_text, std::string file_name) {
  const io::SourceText source(file_name, toml_text);
  const toml::table root = io::parse_toml(source);
  Model model;
  model.file = std::move(file_name);
  model.tables = io::read_tables(toml_text, model.file);
  ModelReader(model, TomlValue(source, root));
  return model;
}

Model read_model(const std::filesystem::path& path) { return parse_model(io::read_text_file(path), path.string()); }

}  // namespace maggi
