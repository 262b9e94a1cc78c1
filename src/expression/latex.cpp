#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "expression/words.hpp"
#include "maggi/expert/print.hpp"

namespace maggi::expression {

namespace {
constexpr std::string_view greek[] = {
    "alpha", "beta",  "gamma", "delta", "epsilon", "zeta",   "eta",   "theta", "iota", "kappa", "lambda",
    "mu",    "nu",    "xi",    "rho",   "sigma",   "tau",    "phi",   "chi",   "psi",  "omega", "varphi",
    "Gamma", "Delta", "Theta", "Pi",    "Xi",      "Lambda", "Sigma", "Phi",   "Psi",  "Omega", "upsilon"};

bool is_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// One word: a letter, a Greek letter, a number, or upright text.
std::string latex_word(std::string_view word) {
  if (std::find(std::begin(greek), std::end(greek), word) != std::end(greek)) return fmt::format("\\{}", word);
  if (word.size() == 1 || is_digits(word)) return std::string(word);
  return fmt::format("\\mathrm{{{}}}", word);
}

/// crank.theta_1'' → \ddot{\theta}_{1,\mathrm{crank}},  q2 → q_{2}
std::string latex_name(std::string_view name) {
  const std::size_t end = std::min(name.find('\''), name.size()), primes = name.size() - end;
  name = name.substr(0, end);
  const std::size_t dot = name.rfind('.');
  std::string_view owner = dot == name.npos ? "" : name.substr(0, dot);
  if (dot != name.npos) name.remove_prefix(dot + 1);

  std::vector<std::string> subscripts;
  const auto add_words = [&subscripts](std::string_view words) {
    while (!words.empty()) {
      const std::size_t length = std::min(words.find_first_of("_."), words.size());
      if (length > 0) subscripts.push_back(latex_word(words.substr(0, length)));
      words.remove_prefix(std::min(length + 1, words.size()));
    }
  };
  std::size_t stem = std::max<std::size_t>(1, std::min(name.find('_', 1), name.size()));
  const std::size_t letters = name.substr(0, stem).find_last_not_of("0123456789") + 1;
  if (letters > 0 && letters < stem) stem = letters;  // q2: the digits are a subscript
  add_words(name.substr(stem));
  add_words(owner);

  std::string text = stem == 1 && name[0] == '_' ? "\\_" : latex_word(name.substr(0, stem));
  if (primes > 0 && primes <= 3)
    text = fmt::format("\\{}{{{}}}", primes == 1 ? "dot" : primes == 2 ? "ddot" : "dddot", text);
  else if (primes > 3)
    text = fmt::format("{}^{{({})}}", text, primes);
  if (!subscripts.empty()) text += fmt::format("_{{{}}}", fmt::join(subscripts, ","));
  return text;
}

/// 0.5 → \frac{1}{2},  1.5e-7 → 1.5 \cdot 10^{-7}
std::string latex_number(double value) {
  if (value == std::numbers::pi) return "\\pi";
  if (value < 0.0) return fmt::format("-{}", latex_number(-value));
  for (const int denominator : {2, 3, 4, 6, 8}) {
    const double numerator = value * denominator;
    if (value < 1.0 && numerator == std::floor(numerator) && numerator / denominator == value && numerator > 0.0)
      return fmt::format("\\frac{{{}}}{{{}}}", numerator, denominator);
  }
  const std::string text = fmt::format("{}", value);
  const std::size_t e = text.find('e');
  if (e == text.npos) return text;
  const std::string mantissa = text.substr(0, e);
  return fmt::format("{}10^{{{}}}", mantissa == "1" ? "" : mantissa + " \\cdot ", std::stoi(text.substr(e + 1)));
}

std::string_view latex_function(Op op) {
  switch (op) {
    case Op::asin: return "\\arcsin";
    case Op::acos: return "\\arccos";
    case Op::atan: return "\\arctan";
    case Op::atan2: return "\\operatorname{atan2}";
    case Op::sign: return "\\operatorname{sgn}";
    case Op::log: return "\\ln";
    case Op::sin: return "\\sin";
    case Op::cos: return "\\cos";
    case Op::tan: return "\\tan";
    case Op::sinh: return "\\sinh";
    case Op::cosh: return "\\cosh";
    case Op::tanh: return "\\tanh";
    case Op::exp: return "\\exp";
    case Op::min: return "\\min";
    case Op::max: return "\\max";
    default: return "";
  }
}

bool is_trigonometric(Op op) {
  return op == Op::sin || op == Op::cos || op == Op::tan || op == Op::sinh || op == Op::cosh || op == Op::tanh;
}

class LatexPrinter {
 public:
  explicit LatexPrinter(const Graph& graph) : graph_(graph) {}
  std::string operator()(Id expression);

 private:
  enum Level { comparison, sum, product, factor, atom };

  /// What is still to be written, last first: a text, or a node that must bind at least as tightly as `level`.
  struct Item {
    std::string text;
    Id id;
    Level level;
  };
  void push(std::string text) { open_.push_back({std::move(text), 0, atom}); }
  void push(Id id, Level level) { open_.push_back({"", id, level}); }
  template <class... Parts>
  void sequence(const Parts&... parts);  // written from left to right

  struct Operand {
    Id id;
    Level level;
  };
  void push_part(const Operand& operand) { push(operand.id, operand.level); }
  void push_part(std::string_view text) { push(std::string(text)); }

  static Level level_of_number(const std::string& text);
  Level level_of(Id id) const;
  void write(Id id, Level level);
  void write_product(const Node& node);
  void write_power(const Node& node);
  void write_call(const Node& node, const std::string& exponent);
  std::string times(Id right) const;

  const Graph& graph_;
  std::vector<Item> open_;
  std::string text_;
};

template <class... Parts>
void LatexPrinter::sequence(const Parts&... parts) {
  const std::size_t begin = open_.size();
  (push_part(parts), ...);
  std::reverse(open_.begin() + static_cast<std::ptrdiff_t>(begin), open_.end());
}

std::string LatexPrinter::operator()(Id expression) {
  push(expression, comparison);
  while (!open_.empty()) {
    const Item item = std::move(open_.back());
    open_.pop_back();
    if (item.text.empty())
      write(item.id, item.level);
    else
      text_ += item.text;
    check_printed_size(text_.size());
  }
  return std::move(text_);
}

LatexPrinter::Level LatexPrinter::level_of_number(const std::string& text) {
  if (text[0] == '-' || text.find("cdot") != text.npos) return product;
  return text.starts_with("\\frac") || text.find('^') != text.npos ? factor : atom;
}

LatexPrinter::Level LatexPrinter::level_of(Id id) const {
  const Node& node = graph_[id];
  switch (node.op) {
    case Op::constant: return level_of_number(latex_number(node.value));
    case Op::add:
    case Op::subtract: return sum;
    case Op::negate:
    case Op::multiply: return product;
    case Op::divide:
    case Op::power: return factor;
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::not_equal: return comparison;
    case Op::select: return sum;
    default: return atom;
  }
}

void LatexPrinter::write(Id id, Level level) {
  const Node& node = graph_[id];
  const Operand any_a{node.a, comparison}, any_b{node.b, comparison}, any_c{node.c, comparison};
  const Operand sum_a{node.a, sum}, sum_b{node.b, sum}, product_b{node.b, product};
  if (level > level_of(id)) return sequence("\\left(", Operand{id, comparison}, "\\right)");
  switch (node.op) {
    case Op::constant: text_ += latex_number(node.value); return;
    case Op::variable: text_ += latex_name(graph_.name(id)); return;
    case Op::add: return sequence(sum_a, " + ", product_b);
    case Op::subtract: return sequence(sum_a, " - ", product_b);
    case Op::negate: return sequence("-", Operand{node.a, product});
    case Op::multiply: return write_product(node);
    case Op::divide: return sequence("\\frac{", any_a, "}{", any_b, "}");
    case Op::power: return write_power(node);
    case Op::sqrt: return sequence("\\sqrt{", any_a, "}");
    case Op::abs: return sequence("\\left|", any_a, "\\right|");
    case Op::less: return sequence(sum_a, " < ", sum_b);
    case Op::less_equal: return sequence(sum_a, " \\le ", sum_b);
    case Op::equal: return sequence(sum_a, " = ", sum_b);
    case Op::not_equal: return sequence(sum_a, " \\ne ", sum_b);
    case Op::select:
      return sequence("\\begin{cases} ", any_b, " & \\text{if } ", any_a, " \\\\ ", any_c,
                      " & \\text{otherwise} \\end{cases}");
    default: return write_call(node, "");
  }
}

void LatexPrinter::write_product(const Node& node) {
  const bool swapped = graph_[node.a].op != Op::constant && second_factor_first(graph_, node);
  const Id first = swapped ? node.b : node.a, second = swapped ? node.a : node.b;
  sequence(Operand{first, product}, times(second), Operand{second, product});
}

/// sin(x)^2 as \sin^{2}(x)
void LatexPrinter::write_power(const Node& node) {
  const Node& base = graph_[node.a];
  if (graph_[node.b].op == Op::constant && graph_[node.b].value > 0.0 && is_trigonometric(base.op))
    return write_call(base, fmt::format("^{{{}}}", latex_number(graph_[node.b].value)));
  sequence(Operand{node.a, atom}, "^{", Operand{node.b, comparison}, "}");
}

void LatexPrinter::write_call(const Node& node, const std::string& exponent) {
  text_ += latex_function(node.op);
  text_ += exponent;
  const Op inner = graph_[node.a].op;
  const bool small = arity(node.op) == 1 && (inner == Op::variable || inner == Op::constant);
  push(small ? ")" : "\\right)");
  const Id operands[] = {node.a, node.b, node.c};
  for (int k = arity(node.op); k-- > 0;) {
    push(operands[k], comparison);
    if (k > 0) push(", ");
  }
  push(small ? "(" : "\\left(");
}

/// Factors stand side by side; a dot keeps numbers apart.
std::string LatexPrinter::times(Id right) const {
  const Node* first = &graph_[right];
  while (first->op == Op::multiply || first->op == Op::power) first = &graph_[first->a];
  return first->op == Op::constant ? " \\cdot " : " \\, ";
}
}  // namespace

std::string print_latex(const Graph& graph, Id expression) { return LatexPrinter(graph)(expression); }

}  // namespace maggi::expression
