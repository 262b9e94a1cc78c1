#pragma once
#include <map>
#include <string>

#include "maggi/expert/expression.hpp"
#include "maggi/expert/parse.hpp"

namespace maggi::test {

/// The value of a formula as it is printed, for values of its names.
class FormulaValue {
 public:
  void set(const std::string& name, double value) { values_[name] = value; }

  /// Names are constants of a graph of its own: folding is the evaluation. NaN if something is left to evaluate.
  double operator()(const std::string& text) const {
    expression::Graph graph;
    expression::Scope scope;
    for (const auto& [name, value] : values_) scope.declare(name, graph.constant(value));
    const expression::Id id = expression::parse(text, graph, scope, {});
    return graph[id].op == expression::Op::constant ? graph[id].value : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  std::map<std::string, double> values_;
};

}  // namespace maggi::test
