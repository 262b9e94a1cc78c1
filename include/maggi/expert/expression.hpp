#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace maggi::expression {

/// A node of a Graph. Operands always have smaller ids than their results, so ids are in topological order.
using Id = std::uint32_t;

enum class Op : std::uint8_t {
  constant,
  variable,
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  sign,
  min,
  max,
  less,
  less_equal,
  equal,
  not_equal,  // 1 or 0;  a > b is less(b, a)
  select,     // select(c, a, b): a if c ≠ 0, else b; the other side never touches the result
};

struct Node {
  Op op;
  Id a = 0, b = 0, c = 0;  ///< operands, as many as the operation has
  double value = 0.0;      ///< of a constant
};

/// Formulas as one shared graph: equal sub-expressions are one node (hash-consing), constants are folded, and the
/// simple identities are applied while building:
///
///     0 x = 0      x − x = 0       −−x = x          a (b x) = (a b) x     x + x = 2 x       x x = x^2
///     1 x = x      x + 0 = x       x^0 = 1          x^1 = x               x / 2 = 0.5 x (only where 1/c is exact)
///     (−x) y = −(x y)              x + (−y) = x − y                       sin(−x) = −sin x, cos(−x) = cos x ...
///
/// x/x and 0/x are *not* folded: x may be 0. Nor does folding hide a fault: an operation on constants that is not
/// finite stays a node. Building a node again from its own operands gives the same node.
class Graph {
 public:
  /// More nodes than this is refused with an Error: a formula that large is a mistake (or an attack).
  static constexpr std::size_t max_nodes = 5'000'000;

  Id constant(double value);
  Id variable(std::string_view name);  ///< a new variable each time it is called; names need not be unique here
  Id unary(Op op, Id a);
  Id binary(Op op, Id a, Id b);
  Id select(Id condition, Id then, Id otherwise);

  Id add(Id a, Id b) { return binary(Op::add, a, b); }
  Id subtract(Id a, Id b) { return binary(Op::subtract, a, b); }
  Id multiply(Id a, Id b) { return binary(Op::multiply, a, b); }
  Id divide(Id a, Id b) { return binary(Op::divide, a, b); }
  Id negate(Id a) { return unary(Op::negate, a); }

  const Node& operator[](Id id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }
  const std::string& name(Id variable) const;  ///< of a variable
  bool is_constant(Id id, double value) const { return nodes_[id].op == Op::constant && nodes_[id].value == value; }
  bool is_zero(Id id) const { return is_constant(id, 0.0); }

  /// true if `id` contains any of the variables
  bool depends_on(Id id, const std::vector<Id>& variables) const;

 private:
  struct Term {
    double factor;
    Id rest;
  };  // factor · rest

  Id intern(const Node& node);
  void rehash();

  // the identities, by operation (simplify.cpp)
  Id fold(Op op, Id a, Id b, Id c);
  Id simplify_add(Id a, Id b);
  Id simplify_subtract(Id a, Id b);
  Id simplify_multiply(Id a, Id b);
  Id simplify_divide(Id a, Id b);
  Id simplify_power(Id a, Id b);
  Id simplify_negate(Id a);
  Id scale(double factor, Id rest);
  Id commuted(Op op, Id a, Id b);
  Term term(Id id) const;
  bool has_factor(Id id) const;
  bool is_negative(Id id) const;
  bool is_number(Id id) const { return nodes_[id].op == Op::constant; }

  std::vector<Node> nodes_;
  std::vector<Id> table_;  // open addressing over nodes_, size a power of two
  std::unordered_map<Id, std::string> names_;
};

/// Number of operands of an operation (0 to 3).
int arity(Op op);

/// The one definition of what each operation computes, used for folding and as the reference of every evaluator.
double apply(Op op, double a, double b = 0.0, double c = 0.0);

}  // namespace maggi::expression
