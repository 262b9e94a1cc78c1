// From graph to tape: lower, fuse, schedule. Running it is tape_run.cpp.
#include "expression/tape.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "expression/tape_code.hpp"

namespace maggi::expression {

class Tape::Builder {
 public:
  Builder(const Graph& graph, Tape& tape) : graph_(graph), tape_(tape) {}
  void build(std::span<const Id> inputs, std::span<const Id> parameters, std::span<const Id> outputs);

 private:
  /// What depends on inputs is computed in every run; the rest, once per set of parameters.
  enum class Stage : std::uint8_t { prelude, body };
  struct Value {
    Code code = Code::leaf;
    Stage stage = Stage::prelude;
    std::array<std::uint32_t, 3> operands{};  // values
    std::uint32_t slot = 0;
    std::uint32_t uses = 0;
    std::uint32_t made_by = 0;  // the value whose instruction writes this one
    bool fused = false;         // computed inside its user or partner
  };
  struct Dependencies {
    std::vector<std::uint32_t> waiting;     // by value: how many of its operands are still missing
    std::vector<std::uint32_t> first_user;  // users[first_user[v] ... first_user[v + 1]) wait for v
    std::vector<std::uint32_t> users;
  };
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  static Code code_of(Op op);

  std::vector<bool> needed(std::span<const Id> outputs) const;
  void lower(std::span<const Id> outputs);
  std::uint32_t lower_node(const Node& node);
  std::uint32_t lower_power(std::uint32_t base, double exponent);
  std::uint32_t integer_power(std::uint32_t base, int exponent);
  std::uint32_t leaf(Stage stage);
  std::uint32_t number(double value);
  std::uint32_t emit(Code code, std::uint32_t a, std::uint32_t b = none, std::uint32_t c = none);
  void fuse_sincos();
  void fuse_products();
  bool is_due(const Value& value, Stage stage) const;
  template <class Visit>
  void for_each_source(const Value& value, Visit visit) const;
  Dependencies dependencies(Stage stage) const;
  void schedule(Stage stage, std::vector<Run>& runs);
  void write(std::uint32_t v, Run& run);

  const Graph& graph_;
  Tape& tape_;
  std::vector<Value> values_;
  std::vector<std::uint32_t> value_of_;             // by node
  std::vector<std::uint32_t> outputs_;              // values
  std::map<std::uint64_t, std::uint32_t> numbers_;  // by bit pattern
  std::map<std::pair<std::uint32_t, int>, std::uint32_t> powers_;
};

Tape::Tape(const Graph& graph, std::span<const Id> inputs, std::span<const Id> parameters,
           std::span<const Id> outputs) {
  Builder(graph, *this).build(inputs, parameters, outputs);
}

std::size_t Tape::instructions() const {
  return std::accumulate(body_.begin(), body_.end(), std::size_t{0},
                         [](std::size_t sum, const Run& run) { return sum + run.count; });
}

void Tape::Builder::build(std::span<const Id> inputs, std::span<const Id> parameters, std::span<const Id> outputs) {
  value_of_.assign(graph_.size(), none);
  const auto place = [this](std::span<const Id> variables, Stage stage) {
    for (const Id variable : variables) {
      assert(graph_[variable].op == Op::variable);
      const std::uint32_t v = leaf(stage);
      if (value_of_[variable] == none) value_of_[variable] = v;
    }
  };
  place(inputs, Stage::body);
  place(parameters, Stage::prelude);
  tape_.inputs_ = inputs.size();
  tape_.parameters_.resize(parameters.size());
  std::iota(tape_.parameters_.begin(), tape_.parameters_.end(), static_cast<std::uint32_t>(inputs.size()));

  lower(outputs);
  fuse_sincos();
  fuse_products();
  schedule(Stage::prelude, tape_.prelude_);
  schedule(Stage::body, tape_.body_);
  for (const std::uint32_t v : outputs_) tape_.outputs_.push_back(values_[v].slot);
}

// ---- lowering: graph nodes to values ----

std::vector<bool> Tape::Builder::needed(std::span<const Id> outputs) const {
  std::vector<bool> result(graph_.size());
  for (const Id output : outputs) result[output] = true;
  for (Id id = static_cast<Id>(graph_.size()); id-- > 0;) {
    if (!result[id]) continue;
    const Node& node = graph_[id];
    const Id operands[] = {node.a, node.b, node.c};
    for (int k = 0; k < arity(node.op); ++k) {
      // the exponent of x^2 goes into the instructions
      const bool exponent = node.op == Op::power && k == 1 && graph_[node.b].op == Op::constant;
      if (!exponent) result[operands[k]] = true;
    }
  }
  return result;
}

void Tape::Builder::lower(std::span<const Id> outputs) {
  const std::vector<bool> wanted = needed(outputs);
  for (Id id = 0; id < graph_.size(); ++id)
    if (wanted[id] && value_of_[id] == none) value_of_[id] = lower_node(graph_[id]);
  for (const Id output : outputs) {
    outputs_.push_back(value_of_[output]);
    ++values_[value_of_[output]].uses;
  }
}

std::uint32_t Tape::Builder::lower_node(const Node& node) {
  if (node.op == Op::constant) return number(node.value);
  assert(node.op != Op::variable && "a variable is neither input nor parameter");
  if (node.op == Op::variable) return number(std::numeric_limits<double>::quiet_NaN());
  const std::uint32_t a = value_of_[node.a];
  if (node.op == Op::power && graph_[node.b].op == Op::constant) return lower_power(a, graph_[node.b].value);
  const int count = arity(node.op);
  return emit(code_of(node.op), a, count > 1 ? value_of_[node.b] : none, count > 2 ? value_of_[node.c] : none);
}

std::uint32_t Tape::Builder::lower_power(std::uint32_t base, double exponent) {
  constexpr double largest = 8.0;  // 4 ulp at x^8; beyond, pow is more accurate
  const double size = std::abs(exponent);
  if (size == std::floor(size) && size <= largest) {
    const std::uint32_t positive = integer_power(base, static_cast<int>(size));
    return exponent > 0.0 ? positive : emit(Code::divide, number(1.0), positive);
  }
  if (exponent == 0.5) return emit(Code::sqrt, base);
  if (exponent == -0.5) return emit(Code::divide, number(1.0), emit(Code::sqrt, base));
  if (exponent == 1.5) return emit(Code::multiply, base, emit(Code::sqrt, base));
  return emit(Code::power, base, number(exponent));
}

/// By squaring; x^2 and x^3 and x^4 of one x share what they have in common.
std::uint32_t Tape::Builder::integer_power(std::uint32_t base, int exponent) {
  if (exponent == 1) return base;
  if (const auto found = powers_.find({base, exponent}); found != powers_.end()) return found->second;
  const std::uint32_t half = integer_power(base, exponent / 2);
  const std::uint32_t rest = exponent % 2 == 0 ? half : integer_power(base, exponent - exponent / 2);
  return powers_[{base, exponent}] = emit(Code::multiply, half, rest);
}

std::uint32_t Tape::Builder::leaf(Stage stage) {
  const auto v = static_cast<std::uint32_t>(values_.size());
  values_.push_back({.stage = stage, .slot = static_cast<std::uint32_t>(tape_.slots_++), .made_by = v});
  return v;
}

std::uint32_t Tape::Builder::number(double value) {
  const auto [at, is_new] = numbers_.try_emplace(std::bit_cast<std::uint64_t>(value), none);
  if (is_new) {
    at->second = leaf(Stage::prelude);
    tape_.constants_.emplace_back(values_[at->second].slot, value);
  }
  return at->second;
}

std::uint32_t Tape::Builder::emit(Code code, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  Value value{.code = code, .operands = {a, b, c}, .made_by = static_cast<std::uint32_t>(values_.size())};
  for (int k = 0; k < operands_of(code); ++k) {
    Value& operand = values_[value.operands[static_cast<std::size_t>(k)]];
    ++operand.uses;
    value.stage = std::max(value.stage, operand.stage);
  }
  values_.push_back(value);
  return value.made_by;
}

// ---- fusion ----

void Tape::Builder::fuse_sincos() {
  std::map<std::uint32_t, std::uint32_t> sines;  // by argument
  for (std::uint32_t v = 0; v < values_.size(); ++v)
    if (values_[v].code == Code::sin) sines[values_[v].operands[0]] = v;
  for (Value& cosine : values_) {
    if (cosine.code != Code::cos) continue;
    const auto sine = sines.find(cosine.operands[0]);
    if (sine == sines.end()) continue;
    values_[sine->second].code = Code::sincos;
    values_[sine->second].operands[1] = cosine.made_by;  // where the second result goes
    cosine.made_by = sine->second;
    cosine.fused = true;
  }
}

/// a b + c in one instruction, if the product is used nowhere else and is due at the same time.
void Tape::Builder::fuse_products() {
  const auto fusible = [this](std::uint32_t v, Stage stage) {
    const Value& value = values_[v];
    return value.code == Code::multiply && value.uses == 1 && value.stage == stage;
  };
  for (Value& value : values_) {
    if (value.code != Code::add && value.code != Code::subtract) continue;
    const auto [a, b, unused] = value.operands;
    const bool left = fusible(a, value.stage);
    if (!left && !fusible(b, value.stage)) continue;
    Value& product = values_[left ? a : b];
    product.fused = true;
    value.code = value.code == Code::add ? Code::multiply_add
                 : left                  ? Code::multiply_subtract
                                         : Code::subtract_multiply;
    value.operands = {product.operands[0], product.operands[1], left ? b : a};
  }
}

// ---- scheduling ----

/// Is it an instruction of this stage?
bool Tape::Builder::is_due(const Value& value, Stage stage) const {
  return value.stage == stage && value.code != Code::leaf && !value.fused;
}

/// Calls visit(source) for every operand that an instruction of the same stage computes.
template <class Visit>
void Tape::Builder::for_each_source(const Value& value, Visit visit) const {
  for (int k = 0; k < operands_of(value.code); ++k) {
    const std::uint32_t source = values_[value.operands[static_cast<std::size_t>(k)]].made_by;
    if (is_due(values_[source], value.stage)) visit(source);
  }
}

Tape::Builder::Dependencies Tape::Builder::dependencies(Stage stage) const {
  Dependencies result{std::vector<std::uint32_t>(values_.size()), std::vector<std::uint32_t>(values_.size() + 1), {}};
  for (const Value& value : values_)
    if (is_due(value, stage)) for_each_source(value, [&](std::uint32_t source) { ++result.first_user[source + 1]; });
  std::partial_sum(result.first_user.begin(), result.first_user.end(), result.first_user.begin());
  result.users.resize(result.first_user.back());
  std::vector<std::uint32_t> next = result.first_user;
  for (std::uint32_t v = 0; v < values_.size(); ++v) {
    if (!is_due(values_[v], stage)) continue;
    for_each_source(values_[v], [&](std::uint32_t source) {
      result.users[next[source]++] = v;
      ++result.waiting[v];
    });
  }
  return result;
}

/// Repeatedly takes the operation with the most instructions ready and writes all of them, including those that become
/// ready meanwhile: long runs, few branches.
void Tape::Builder::schedule(Stage stage, std::vector<Run>& runs) {
  auto [waiting, first_user, users] = dependencies(stage);
  std::array<std::vector<std::uint32_t>, static_cast<std::size_t>(Code::leaf)> ready;
  const auto get_ready = [&](std::uint32_t v) { ready[static_cast<std::size_t>(values_[v].code)].push_back(v); };
  for (std::uint32_t v = 0; v < values_.size(); ++v)
    if (is_due(values_[v], stage) && waiting[v] == 0) get_ready(v);

  for (;;) {
    const auto most =
        std::max_element(ready.begin(), ready.end(), [](const auto& x, const auto& y) { return x.size() < y.size(); });
    if (most->empty()) return;
    const auto code = static_cast<Code>(most - ready.begin());
    Run run{code, static_cast<std::uint32_t>(tape_.operands_.size()), 0, static_cast<std::uint32_t>(tape_.slots_)};
    // sines are computed eight at a time, so none of a run may depend on another
    const bool independent = code == Code::sin || code == Code::cos || code == Code::sincos;
    std::size_t end = most->size();
    for (std::size_t i = 0; i < end; ++i) {
      const std::uint32_t v = (*most)[i];
      write(v, run);
      for (std::uint32_t u = first_user[v]; u < first_user[v + 1]; ++u)
        if (--waiting[users[u]] == 0) get_ready(users[u]);
      if (!independent) end = most->size();
    }
    most->erase(most->begin(), most->begin() + static_cast<std::ptrdiff_t>(end));
    runs.push_back(run);
  }
}

void Tape::Builder::write(std::uint32_t v, Run& run) {
  Value& value = values_[v];
  value.slot = static_cast<std::uint32_t>(tape_.slots_++);
  if (value.code == Code::sincos) values_[value.operands[1]].slot = static_cast<std::uint32_t>(tape_.slots_++);
  for (int k = 0; k < operands_of(value.code); ++k)
    tape_.operands_.push_back(values_[value.operands[static_cast<std::size_t>(k)]].slot);
  ++run.count;
}

int Tape::operands_of(Code code) {
  switch (code) {
    case Code::leaf: return 0;
    case Code::negate:
    case Code::sin:
    case Code::cos:
    case Code::sincos:
    case Code::tan:
    case Code::asin:
    case Code::acos:
    case Code::atan:
    case Code::sinh:
    case Code::cosh:
    case Code::tanh:
    case Code::exp:
    case Code::log:
    case Code::sqrt:
    case Code::abs:
    case Code::sign: return 1;
    case Code::multiply_add:
    case Code::multiply_subtract:
    case Code::subtract_multiply:
    case Code::select: return 3;
    default: return 2;
  }
}

Tape::Code Tape::Builder::code_of(Op op) {
  switch (op) {
    case Op::constant:
    case Op::variable: return Code::leaf;
    case Op::add: return Code::add;
    case Op::subtract: return Code::subtract;
    case Op::multiply: return Code::multiply;
    case Op::divide: return Code::divide;
    case Op::negate: return Code::negate;
    case Op::power: return Code::power;
    case Op::sin: return Code::sin;
    case Op::cos: return Code::cos;
    case Op::tan: return Code::tan;
    case Op::asin: return Code::asin;
    case Op::acos: return Code::acos;
    case Op::atan: return Code::atan;
    case Op::atan2: return Code::atan2;
    case Op::sinh: return Code::sinh;
    case Op::cosh: return Code::cosh;
    case Op::tanh: return Code::tanh;
    case Op::exp: return Code::exp;
    case Op::log: return Code::log;
    case Op::sqrt: return Code::sqrt;
    case Op::abs: return Code::abs;
    case Op::sign: return Code::sign;
    case Op::min: return Code::min;
    case Op::max: return Code::max;
    case Op::less: return Code::less;
    case Op::less_equal: return Code::less_equal;
    case Op::equal: return Code::equal;
    case Op::not_equal: return Code::not_equal;
    case Op::select: return Code::select;
  }
  return Code::leaf;
}

}  // namespace maggi::expression
