#include "maggi/expert/expression.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "maggi/error.hpp"

namespace maggi::expression {

namespace {
constexpr Id vacant = 0xffffffff;

std::size_t hash(const Node& node) {
  const auto mix = [](std::uint64_t h, std::uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15;
    return h ^ (h >> 29);
  };
  std::uint64_t h = mix(static_cast<std::uint64_t>(node.op) + 1, std::bit_cast<std::uint64_t>(node.value));
  h = mix(h, (static_cast<std::uint64_t>(node.a) << 32) | node.b);
  return static_cast<std::size_t>(mix(h, node.c));
}

bool same(const Node& x, const Node& y) {
  return x.op == y.op && x.a == y.a && x.b == y.b && x.c == y.c &&
         std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

void check_size(std::size_t size) {
  if (size < Graph::max_nodes) return;
  throw Error(Errc::model, {}, "the formulas need more than " + std::to_string(Graph::max_nodes) + " operations",
              "write them shorter");
}
}  // namespace

Id Graph::intern(const Node& node) {
  if (2 * (nodes_.size() + 1) > table_.size()) rehash();
  std::size_t i = hash(node) & (table_.size() - 1);
  for (; table_[i] != vacant; i = (i + 1) & (table_.size() - 1))
    if (same(nodes_[table_[i]], node)) return table_[i];
  check_size(nodes_.size());
  nodes_.push_back(node);
  return table_[i] = static_cast<Id>(nodes_.size() - 1);
}

void Graph::rehash() {
  table_.assign(std::bit_ceil(std::max<std::size_t>(64, 4 * nodes_.size())), vacant);
  for (Id id = 0; id < nodes_.size(); ++id) {
    if (nodes_[id].op == Op::variable) continue;  // two variables are never the same
    std::size_t i = hash(nodes_[id]) & (table_.size() - 1);
    while (table_[i] != vacant) i = (i + 1) & (table_.size() - 1);
    table_[i] = id;
  }
}

Id Graph::constant(double value) {
  return intern({.op = Op::constant, .value = value == 0.0 ? 0.0 : value});  // one zero only, without sign
}

Id Graph::variable(std::string_view name) {
  check_size(nodes_.size());
  nodes_.push_back({.op = Op::variable});
  const Id id = static_cast<Id>(nodes_.size() - 1);
  names_.emplace(id, name);
  return id;
}

const std::string& Graph::name(Id variable) const {
  assert(nodes_[variable].op == Op::variable);
  return names_.at(variable);
}

bool Graph::depends_on(Id id, const std::vector<Id>& variables) const {
  if (variables.empty()) return false;
  const Id first = *std::min_element(variables.begin(), variables.end());  // no smaller id can contain one
  std::vector<bool> seen(std::size_t{id} + 1);
  std::vector<Id> open{id};
  while (!open.empty()) {
    const Id next = open.back();
    open.pop_back();
    if (next < first || seen[next]) continue;
    seen[next] = true;
    const Node& node = nodes_[next];
    if (node.op == Op::variable && std::find(variables.begin(), variables.end(), next) != variables.end()) return true;
    const Id operands[] = {node.a, node.b, node.c};
    open.insert(open.end(), operands, operands + arity(node.op));
  }
  return false;
}

int arity(Op op) {
  switch (op) {
    case Op::constant:
    case Op::variable: return 0;
    case Op::negate:
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::exp:
    case Op::log:
    case Op::sqrt:
    case Op::abs:
    case Op::sign: return 1;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::atan2:
    case Op::min:
    case Op::max:
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::not_equal: return 2;
    case Op::select: return 3;
  }
  return 0;
}

double apply(Op op, double a, double b, double c) {
  switch (op) {
    case Op::constant:
    case Op::variable: return a;
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::negate: return -a;
    case Op::power: return std::pow(a, b);
    case Op::sin: return std::sin(a);
    case Op::cos: return std::cos(a);
    case Op::tan: return std::tan(a);
    case Op::asin: return std::asin(a);
    case Op::acos: return std::acos(a);
    case Op::atan: return std::atan(a);
    case Op::atan2: return std::atan2(a, b);
    case Op::sinh: return std::sinh(a);
    case Op::cosh: return std::cosh(a);
    case Op::tanh: return std::tanh(a);
    case Op::exp: return std::exp(a);
    case Op::log: return std::log(a);
    case Op::sqrt: return std::sqrt(a);
    case Op::abs: return std::abs(a);
    case Op::sign: return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a;  // NaN stays NaN
    case Op::min: return a < b || a != a ? a : b;              // NaN on either side comes through
    case Op::max: return a > b || a != a ? a : b;
    case Op::less: return a < b ? 1.0 : 0.0;
    case Op::less_equal: return a <= b ? 1.0 : 0.0;
    case Op::equal: return a == b ? 1.0 : 0.0;
    case Op::not_equal: return a != b ? 1.0 : 0.0;
    case Op::select: return a != 0.0 ? b : c;
  }
  return 0.0;
}

}  // namespace maggi::expression
