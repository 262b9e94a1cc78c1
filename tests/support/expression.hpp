#pragma once
#include <fmt/format.h>

#include <map>
#include <vector>

#include "expression/tape.hpp"
#include "maggi/expert/expression.hpp"
#include "maggi/expert/parse.hpp"

namespace maggi::support {

/// A graph with variables x0, x1, ... in scope.
struct World {
  expression::Graph graph;
  expression::Scope scope;
  std::vector<expression::Id> variables;

  explicit World(int count) {
    for (int k = 0; k < count; ++k) declare(fmt::format("x{}", k));
  }
  explicit World(std::initializer_list<const char*> names) {
    for (const char* name : names) declare(name);
  }
  void declare(const std::string& name) {
    variables.push_back(graph.variable(name));
    scope.declare(name, variables.back());
  }
  expression::Id operator()(std::string_view text) { return expression::parse(text, graph, scope, {"formula", 1, 1}); }
};

/// Node by node with `apply`: the reference.
inline double walk(const World& world, expression::Id id, const std::vector<double>& values) {
  std::vector<double> v(std::size_t{id} + 1);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (world.variables[k] <= id) v[world.variables[k]] = values[k];
  for (expression::Id i = 0; i <= id; ++i) {
    const expression::Node& node = world.graph[i];
    if (node.op == expression::Op::constant) v[i] = node.value;
    if (arity(node.op) > 0) v[i] = apply(node.op, v[node.a], v[node.b], v[node.c]);
  }
  return v[id];
}

/// By a tape, all variables being inputs.
inline std::vector<double> run(const World& world, const std::vector<expression::Id>& outputs,
                               const std::vector<double>& values) {
  const expression::Tape tape(world.graph, world.variables, {}, outputs);
  std::vector<double> scratch(tape.slots()), results;
  tape.prepare({}, scratch);
  std::copy(values.begin(), values.end(), scratch.begin());
  tape.run(scratch);
  for (std::size_t i = 0; i < tape.outputs(); ++i) results.push_back(scratch[tape.output(i)]);
  return results;
}

}  // namespace maggi::support
