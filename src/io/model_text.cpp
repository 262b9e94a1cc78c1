#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "maggi/io/model_file.hpp"

namespace maggi {

namespace {

bool needs_escape(char c) { return c == '"' || c == '\\' || c == '\x7F' || static_cast<unsigned char>(c) < 0x20; }

/// A text in quotes, on one line.
std::string line_in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (needs_escape(c))
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + "\"";
}

/// A text in the quotes that fit it: one over several lines stays as it is where it can.
std::string in_quotes(std::string_view text) {
  const bool plain = std::ranges::none_of(text, [](char c) { return needs_escape(c) && c != '\n'; });
  if (!plain || text.find('\n') == std::string_view::npos) return line_in_quotes(text);
  return fmt::format("\"\"\"\n{}\"\"\"", text);
}

/// true if the text, read as a number, is written again in the same way: then it needs no quotes.
bool is_plain_number(const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (text == "-0") return false;  // TOML would read the integer 0
  return fault == std::errc() && stop == end && std::isfinite(value) && Formula(value).text == text;
}

std::string value_of(const Formula& formula) {
  return is_plain_number(formula.text) ? formula.text : in_quotes(formula.text);
}

std::string key_of(const std::string& name) {
  const bool bare = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? name : line_in_quotes(name);
}

/// Collects "key = value" pairs and writes them between braces.
class Braces {
 public:
  Braces& add(std::string_view key, const std::string& value) {
    text_ += fmt::format("{}{} = {}", text_.empty() ? "" : ", ", key, value);
    return *this;
  }
  Braces& add(std::string_view key, const std::optional<Formula>& formula) {
    return formula ? add(key, value_of(*formula)) : *this;
  }
  Braces& unit(const std::string& unit) { return unit.empty() ? *this : add("unit", in_quotes(unit)); }
  std::string text() const { return text_.empty() ? "{}" : fmt::format("{{ {} }}", text_); }

 private:
  std::string text_;
};

/// Lines "name = value" under a heading; nothing if there are none.
class Section {
 public:
  explicit Section(std::string_view name) : name_(name) {}
  void add(const std::string& key, const std::string& value) { lines_ += fmt::format("{} = {}\n", key_of(key), value); }
  void add(const std::string& key, const std::optional<Formula>& formula) {
    if (formula) add(key, value_of(*formula));
  }
  void add(const std::string& key, const std::optional<std::string>& text) {
    if (text) add(key, in_quotes(*text));
  }
  std::string text() const { return lines_.empty() ? "" : fmt::format("\n[{}]\n{}", name_, lines_); }

 private:
  std::string name_, lines_;
};

std::string list(const std::vector<Reference>& references) {
  std::vector<std::string> names;
  for (const Reference& reference : references) names.push_back(line_in_quotes(reference.name));
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string text_of(const Constraint& constraint) {
  Braces braces;
  braces.add(level_name(constraint.level), constraint.formula).unit(constraint.unit);
  if (!constraint.active) braces.add("active", std::string("false"));
  return braces.text();
}

std::string text_of(const Event& event) {
  Braces braces;
  braces.add("when", value_of(event.when));
  if (event.crossing != Crossing::any)
    braces.add("crossing", std::string(event.crossing == Crossing::rising ? "\"rising\"" : "\"falling\""));
  if (!event.switch_on.empty()) braces.add("switch_on", list(event.switch_on));
  if (!event.switch_off.empty()) braces.add("switch_off", list(event.switch_off));
  if (event.stop) braces.add("stop", std::string("true"));
  return braces.text();
}

std::string list(const std::vector<Formula>& formulas) {
  std::vector<std::string> values;
  for (const Formula& formula : formulas) values.push_back(value_of(formula));
  return fmt::format("[{}]", fmt::join(values, ", "));
}

/// A formula, and its unit where it has one.
std::string value_with_unit(std::string_view key, const Formula& formula, const std::string& unit) {
  return unit.empty() ? value_of(formula) : Braces().add(key, formula).unit(unit).text();
}

Section dynamics(const Model& model) {
  if (model.mass.empty() && model.force.empty()) {
    Section energy("energy");
    if (!model.kinetic.empty()) energy.add("kinetic", value_of(model.kinetic));
    if (!model.potential.empty()) energy.add("potential", value_of(model.potential));
    return energy;
  }
  std::vector<std::string> rows;
  for (const std::vector<Formula>& row : model.mass) rows.push_back(list(row));
  Section equations("equations");
  equations.add("mass", fmt::format("[{}]", fmt::join(rows, ", ")));
  equations.add("force", list(model.force));
  return equations;
}

Section simulation(const Simulation& given) {
  Section section("simulation");
  section.add("from", given.from);
  section.add("until", given.until);
  section.add("output", given.output);
  section.add("rtol", given.rtol);
  section.add("atol", given.atol);
  section.add("step", given.step);
  section.add("formulation", given.formulation);
  section.add("basis", given.basis);
  section.add("integrator", given.integrator);
  section.add("drift", given.drift);
  if (!given.stabilisation.empty()) section.add("stabilisation", list(given.stabilisation));
  section.add("unknowns", given.unknowns);
  section.add("continuity", given.continuity);
  return section;
}

}  // namespace

std::string write_model(const Model& model) {
  Section parameters("parameters"), coordinates("coordinates"), define("define"), local("local"),
      forces("generalised_force"), constraints("constraint"), events("event"), start_multipliers("start.lambda"),
      start_reactions("start.reaction"), reactions("reaction"), outputs("output");
  for (const Parameter& p : model.parameters) parameters.add(p.name, value_with_unit("value", p.value, p.unit));
  for (const Coordinate& c : model.coordinates)
    coordinates.add(c.name, Braces()
                                .add("start", c.start)
                                .add("speed", c.speed)
                                .add("acceleration", c.acceleration)
                                .add("guess", c.guess)
                                .add("speed_guess", c.speed_guess)
                                .add("weight", c.weight)
                                .add("speed_weight", c.speed_weight)
                                .unit(c.unit)
                                .text());
  for (const Definition& d : model.definitions) define.add(d.name, value_of(d.formula));
  for (const LocalPoint& point : model.points) {
    Braces coordinates_of;
    for (const LocalCoordinate& c : point.coordinates)
      coordinates_of.add(key_of(c.name), value_with_unit("formula", c.formula, c.unit));
    local.add(point.name, coordinates_of.text());
  }
  for (const GeneralisedForce& f : model.generalised_forces) forces.add(f.coordinate, value_of(f.formula));
  for (const Constraint& c : model.constraints) constraints.add(c.name, text_of(c));
  for (const Event& e : model.events) events.add(e.name, text_of(e));
  for (const StartForce& f : model.start_multipliers) start_multipliers.add(f.name, value_of(f.value));
  for (const StartForce& f : model.start_reactions) start_reactions.add(f.name, value_of(f.value));
  for (const ReactionForce& force : model.reactions) {
    Braces along;
    for (const GeneralisedForce& part : force.along) along.add(key_of(part.coordinate), value_of(part.formula));
    reactions.add(force.name, Braces().add("along", along.text()).unit(force.unit).text());
  }
  for (const Output& o : model.outputs) outputs.add(o.name, value_with_unit("formula", o.formula, o.unit));

  std::string text = model.title.empty() ? "" : fmt::format("title = {}\n", in_quotes(model.title));
  for (const Section& section : {parameters, coordinates, define, local, dynamics(model), forces, constraints, events,
                                 start_multipliers, start_reactions, reactions, outputs, simulation(model.simulation)})
    text += section.text();
  return text;
}

}  // namespace maggi
