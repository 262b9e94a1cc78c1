#include "expression/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "maggi/error.hpp"

namespace maggi::expression {

namespace {
constexpr Function functions[] = {
    {"sin", Op::sin, "sin(x)"},
    {"cos", Op::cos, "cos(x)"},
    {"tan", Op::tan, "tan(x)"},
    {"asin", Op::asin, "asin(x)"},
    {"acos", Op::acos, "acos(x)"},
    {"atan", Op::atan, "atan(x)"},
    {"atan2", Op::atan2, "atan2(y, x)"},
    {"sinh", Op::sinh, "sinh(x)"},
    {"cosh", Op::cosh, "cosh(x)"},
    {"tanh", Op::tanh, "tanh(x)"},
    {"exp", Op::exp, "exp(x)"},
    {"log", Op::log, "log(x), the natural logarithm"},
    {"sqrt", Op::sqrt, "sqrt(x)"},
    {"abs", Op::abs, "abs(x)"},
    {"sign", Op::sign, "sign(x)"},
    {"min", Op::min, "min(a, b)"},
    {"max", Op::max, "max(a, b)"},
    {"pow", Op::power, "pow(x, exponent)"},
    {"if", Op::select, "if(condition, then, otherwise)"},
};
}  // namespace

const Function* find_function(std::string_view name) {
  const auto* found = std::find_if(std::begin(functions), std::end(functions),
                                   [name](const Function& function) { return function.name == name; });
  return found == std::end(functions) ? nullptr : found;
}

std::string_view function_name(Op op) {
  for (const Function& function : functions)
    if (function.op == op) return function.name;
  return "";
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& function : functions) names.emplace_back(function.name);
  return names;
}

std::string write_number(double value) { return value == std::numbers::pi ? "pi" : fmt::format("{}", value); }

bool is_mergeable(double factor) { return std::abs(factor) > 1e-290 && std::abs(factor) < 1e290; }

bool second_factor_first(const Graph& graph, const Node& product) {
  const auto is_product = [&](Id id) { return graph[id].op == Op::multiply || graph[id].op == Op::divide; };
  const auto is_velocity = [&](Id id) {
    if (graph[id].op == Op::power) id = graph[id].a;
    return graph[id].op == Op::variable && graph.name(id).ends_with('\'');
  };
  if (is_product(product.a) || is_product(product.b)) return !is_product(product.a);
  return is_velocity(product.a) && !is_velocity(product.b);
}

void check_printed_size(std::size_t size) {
  constexpr std::size_t limit = 10'000'000;
  if (size > limit)
    throw Error(Errc::model, {}, fmt::format("the formula is longer than {} characters and is not printed", limit));
}

}  // namespace maggi::expression
