#include "model/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace maggi {

namespace {
const std::string only_parameters = "a number may use parameters only";
}  // namespace

Numbers::Numbers(const Model& model) {
  scope_.forbid("t", "a number of the model cannot depend on the time t", only_parameters);
  forbid(model.coordinates);
  for (const Definition& definition : model.definitions)
    scope_.forbid(definition.name, fmt::format("\"{}\" is a definition", definition.name), only_parameters);
  for (const LocalPoint& point : model.points)
    for (const LocalCoordinate& coordinate : point.coordinates)
      scope_.forbid(point.name + "." + coordinate.name,
                    fmt::format("\"{}.{}\" is a local coordinate", point.name, coordinate.name), only_parameters);
  for (const Parameter& parameter : model.parameters)
    scope_.forbid(parameter.name, fmt::format("the parameter \"{}\" is given below", parameter.name),
                  "a parameter may use those above it: change the order");

  std::vector<std::pair<std::string, Where>> taken;
  for (const TableFile& file : model.tables) scope_.declare_table(file.name, file.table);
  for (const Parameter& parameter : model.parameters) {
    check_name(parameter.name, "parameter", parameter.where, taken);
    taken.emplace_back(parameter.name, parameter.where);
    values_.push_back((*this)(parameter.value, fmt::format("parameter \"{}\"", parameter.name)));
    scope_.declare(parameter.name, graph_.constant(values_.back()));
  }
}

Numbers::Numbers(const Numbers& of, const std::vector<Coordinate>& coordinates) : Numbers(of) { forbid(coordinates); }

void Numbers::forbid(const std::vector<Coordinate>& coordinates) {
  for (const Coordinate& coordinate : coordinates)
    for (const char* primes : {"", "'", "''"})
      scope_.forbid(coordinate.name + primes, fmt::format("\"{}\" is a coordinate", coordinate.name), only_parameters);
}

double Numbers::operator()(const Formula& formula, std::string_view what) const {
  if (formula.empty()) throw Error(Errc::model, formula.where, fmt::format("{} is empty", what), "write a number");
  expression::Graph graph = graph_;  // small: it holds the values of the parameters
  const expression::Node value = graph[expression::parse(formula.text, graph, scope_, formula.where)];
  // folding leaves an operation on constants as it is if the result is not finite
  if (value.op != expression::Op::constant || !std::isfinite(value.value))
    throw Error(Errc::model, formula.where, fmt::format("{} is not a finite number: {}", what, formula.text),
                "a division by zero, a root or logarithm of a negative number, or too large");
  return value.value;
}

bool Numbers::covers(const Formula& formula) const {
  return std::ranges::all_of(expression::mentions(formula.text), [&](const expression::Mention& mention) {
    return scope_.known(mention.name) || mention.name == "table" ||
           (expression::is_reserved(mention.name) && mention.name != "t") ||
           (expression::is_unit_constant(mention.name) && !scope_.has(mention.name));
  });
}

void check_name(const std::string& name, std::string_view kind, const Where& where,
                const std::vector<std::pair<std::string, Where>>& taken) {
  if (!expression::is_name(name))
    throw Error(Errc::model, where, fmt::format("\"{}\" cannot be the name of a {}", name, kind),
                "a name is a letter, followed by letters, digits and _");
  if (expression::is_reserved(name))
    throw Error(Errc::model, where,
                fmt::format("\"{}\" cannot be the name of a {}: formulas use it already", name, kind),
                fmt::format("choose another one, for example \"{}_1\"", name));
  const auto same = std::ranges::find(taken, name, &std::pair<std::string, Where>::first);
  if (same == taken.end()) return;
  const std::string place = same->second.text();
  throw Error(Errc::model, where,
              fmt::format("the name \"{}\" is already taken{}", name, place.empty() ? "" : " at " + place),
              "every name means one thing: choose another one");
}

}  // namespace maggi
