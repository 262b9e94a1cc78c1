#include "maggi/expert/print.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "expression/words.hpp"
#include "maggi/error.hpp"

namespace maggi::expression {

namespace {
class Printer {
 public:
  explicit Printer(const Graph& graph) : graph_(graph) {}
  std::string operator()(Id expression);

 private:
  /// How tightly a piece of text binds, as in the grammar of parse.hpp.
  enum Level { comparison, sum, product, sign, power, atom };

  /// What is still to be written, last first: a text, or a node that must bind at least as tightly as `level`.
  struct Item {
    std::string_view text;
    Id id;
    Level level;
  };
  void push(std::string_view text) { open_.push_back({text, 0, atom}); }
  void push(Id id, Level level) { open_.push_back({"", id, level}); }
  void push_infix(Id a, Level left, std::string_view infix, Id b, Level right) {
    push(b, right);
    push(infix);
    push(a, left);
  }
  Level level_of(Id id) const;
  void write(Id id, Level level);
  void write_product(const Node& node);
  void write_call(const Node& node);

  bool is_number(Id id) const { return graph_[id].op == Op::constant; }
  bool is_product(Id id) const { return level_of(id) == product; }
  bool has_number(Id id) const { return is_number(id) || (graph_[id].op == Op::multiply && is_number(graph_[id].a)); }
  bool takes_factor(Id product) const;
  bool takes_sign(Id product) const;

  const Graph& graph_;
  std::vector<Item> open_;
  std::string text_;
};

std::string Printer::operator()(Id expression) {
  push(expression, comparison);
  while (!open_.empty()) {
    const Item item = open_.back();
    open_.pop_back();
    if (item.text.empty())
      write(item.id, item.level);
    else
      text_ += item.text;
    check_printed_size(text_.size());
  }
  return std::move(text_);
}

Printer::Level Printer::level_of(Id id) const {
  switch (graph_[id].op) {
    case Op::constant: return graph_[id].value < 0.0 ? sign : atom;
    case Op::add:
    case Op::subtract: return sum;
    case Op::multiply:
    case Op::divide: return product;
    case Op::negate: return sign;
    case Op::power: return power;
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::not_equal: return comparison;
    default: return atom;
  }
}

void Printer::write(Id id, Level level) {
  const Node& node = graph_[id];
  const bool signed_product = node.op == Op::negate && is_product(node.a) && takes_sign(node.a);
  if (level > (signed_product ? product : level_of(id))) {
    push(")");
    push(id, comparison);
    return push("(");
  }
  switch (node.op) {
    case Op::constant: text_ += write_number(node.value); return;
    case Op::variable: text_ += graph_.name(id); return;
    case Op::add:
      if (level_of(node.b) == sum && level_of(node.a) != sum) return push_infix(node.b, sum, " + ", node.a, product);
      return push_infix(node.a, sum, " + ", node.b, product);
    case Op::subtract: return push_infix(node.a, sum, " - ", node.b, product);
    case Op::multiply: return write_product(node);
    case Op::divide: return push_infix(node.a, product, "/", node.b, sign);
    case Op::power: return push_infix(node.a, atom, "^", node.b, sign);
    case Op::less: return push_infix(node.a, sum, " < ", node.b, sum);
    case Op::less_equal: return push_infix(node.a, sum, " <= ", node.b, sum);
    case Op::equal: return push_infix(node.a, sum, " == ", node.b, sum);
    case Op::not_equal: return push_infix(node.a, sum, " != ", node.b, sum);
    case Op::negate: push(node.a, signed_product ? product : sign); return push("-");
    default: return write_call(node);
  }
}

void Printer::write_product(const Node& node) {
  if (is_number(node.a)) {
    if (!is_product(node.b)) return push_infix(node.a, product, "*", node.b, sign);
    if (is_mergeable(graph_[node.a].value) && takes_factor(node.b))
      return push_infix(node.a, product, "*", node.b, product);
    return push_infix(node.b, product, "*", node.a, sign);
  }
  if (second_factor_first(graph_, node)) return push_infix(node.b, product, "*", node.a, sign);
  push_infix(node.a, product, "*", node.b, sign);
}

void Printer::write_call(const Node& node) {
  const Id operands[] = {node.a, node.b, node.c};
  push(")");
  for (int k = arity(node.op); k-- > 0;) {
    push(operands[k], comparison);
    if (k > 0) push(", ");
  }
  push("(");
  text_ += function_name(node.op);
}

/// May a number be written in front, 2*x/y for 2 (x/y)? Yes, if there is no other number that it would merge with.
bool Printer::takes_factor(Id id) const {
  for (;;) {
    const Node& node = graph_[id];
    if (!is_product(id)) return !has_number(id);
    const bool swapped = node.op == Op::multiply && second_factor_first(graph_, node);
    const Id first = swapped ? node.b : node.a, second = swapped ? node.a : node.b;
    if (has_number(second)) return false;
    id = first;
  }
}

/// May a minus be written in front, -x*y for −(x y)? Yes, if it does not merge with a number or a difference.
bool Printer::takes_sign(Id id) const {
  while (is_product(id)) {
    const Node& node = graph_[id];
    if (node.op == Op::multiply && is_number(node.a)) return false;
    id = node.op == Op::multiply && second_factor_first(graph_, node) ? node.b : node.a;
  }
  const Op op = graph_[id].op;
  return op != Op::constant && op != Op::subtract && op != Op::negate;
}
}  // namespace

std::string print(const Graph& graph, Id expression) { return Printer(graph)(expression); }

}  // namespace maggi::expression
