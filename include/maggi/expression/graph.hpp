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
/// simple identities are applied while building (0 x, 1 x, x − x, −−x, x/x of equal nodes is *not* folded: x may be 0).
/// Folding never hides a fault: an operation on constants that is not finite stays a node.
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

  /// true if `id` contains any of the marked variables; `marked[v]` for variable ids v.
  bool depends_on(Id id, const std::vector<Id>& variables) const;

 private:
  Id intern(const Node& node);

  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  struct Equal {
    bool operator()(const Node& x, const Node& y) const;
  };
  std::vector<Node> nodes_;
  std::unordered_map<Node, Id, Hash, Equal> ids_;
  std::unordered_map<Id, std::string> names_;
};

/// Number of operands of an operation (0 to 3).
int arity(Op op);

/// The one definition of what each operation computes, used for folding and as the reference of every evaluator.
double apply(Op op, double a, double b = 0.0, double c = 0.0);

}  // namespace maggi::expression
