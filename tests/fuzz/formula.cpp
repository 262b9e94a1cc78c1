// Any text as a formula: parsed or refused with an Error. What was parsed prints to something that parses to the same
// expression, can be differentiated, and evaluates to the same bits one state at a time and eight at once.
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "expression/tape.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/derivative.hpp"
#include "maggi/expert/expression.hpp"
#include "maggi/expert/parse.hpp"
#include "maggi/expert/print.hpp"

namespace {
namespace ex = maggi::expression;

void require(bool condition) {
  if (!condition) std::abort();
}

void check_printing(ex::Graph& graph, const ex::Scope& scope, ex::Id expression) {
  const std::string text = ex::print(graph, expression);
  ex::print_latex(graph, expression);
  if (text.size() > ex::max_length) return;
  try {
    require(ex::parse(text, graph, scope, {}) == expression);
  } catch (const maggi::Error& error) {  // the normal form may need more parentheses than the original
    require(error.cause().find("nested deeper") != std::string::npos);
  }
}

void check_evaluation(const ex::Graph& graph, const std::vector<ex::Id>& variables,
                      const std::vector<ex::Id>& outputs) {
  const ex::Tape tape(graph, variables, {}, outputs);
  constexpr std::size_t lanes = ex::Tape::lanes;
  std::vector<double> one(tape.slots()), eight(lanes * tape.slots());
  tape.prepare({}, one);
  tape.prepare_lanes({}, eight);
  for (std::size_t k = 0; k < variables.size(); ++k) {
    one[k] = 0.3 + static_cast<double>(k);
    for (std::size_t l = 0; l < lanes; ++l) eight[lanes * k + l] = one[k];
  }
  tape.run(one);
  tape.run_lanes(eight);
  for (std::size_t i = 0; i < tape.outputs(); ++i) {
    const double x = one[tape.output(i)], y = eight[lanes * tape.output(i) + i % lanes];
    require(std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (std::isnan(x) && std::isnan(y)));
  }
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ex::Graph graph;
  ex::Scope scope;
  std::vector<ex::Id> variables;
  for (const char* name : {"t", "x", "x'", "y", "y'", "m"}) {
    variables.push_back(graph.variable(name));
    scope.declare(name, variables.back());
  }
  ex::Id formula = 0;
  try {
    formula = size % 2 == 0 ? ex::parse_equation(text, graph, scope, {"f", 1, 1}) : ex::parse(text, graph, scope, {});
  } catch (const maggi::Error&) { return 0; }

  ex::Derivative D(graph, {{variables[1], variables[2]}, {variables[3], graph.constant(1.0)}});
  const ex::Id first = D(formula), second = D(first);
  check_evaluation(graph, variables, {formula, first, second});
  check_printing(graph, scope, formula);
  if (size < 200) check_printing(graph, scope, first);
  return 0;
}
