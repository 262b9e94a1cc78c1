// A tape as C, with the same operations in the same order: the same bits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/sincos.hpp"
#include "expression/tape_code.hpp"

namespace maggi::expression {

std::string_view Tape::c_prelude() {
  static const std::string text =
      "double pow(double, double), tan(double), asin(double), acos(double), atan(double), atan2(double, double),\n"
      "    sinh(double), cosh(double), tanh(double), exp(double), log(double), sin(double), cos(double);\n" +
      std::string(sincos_in_c) + R"(
#define SINCOS(N) \
  static __attribute__((noinline)) void sincos_##N(const double* restrict x, double* restrict sines, \
                                                   double* restrict cosines) { \
    int i, small = 1; \
    for (i = 0; i < N; ++i) sincos_small(x[i], &sines[i], &cosines[i]); \
    for (i = 0; i < N; ++i) small &= __builtin_fabs(x[i]) <= 1048576.0; \
    if (__builtin_expect(small, 1)) return; \
    for (i = 0; i < N; ++i) \
      if (!(__builtin_fabs(x[i]) <= 1048576.0)) sines[i] = sin(x[i]), cosines[i] = cos(x[i]); \
  }
SINCOS(1)
SINCOS(4)
SINCOS(8)
)";
  return text;
}

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// One instruction of a run.
template <class Code>
struct Statement {
  Code code;
  const std::uint32_t* operands;
  std::uint32_t result;  // slot; sincos writes the next one too
  std::uint32_t chunk = none;
};

}  // namespace

/// Writes the body of a tape. Sines are computed in batches as the tape has them; all else stands as late as possible,
/// just before what needs it, so that few values are alive at a time. Functions end after `longest` statements, because
/// compilers take more than linear time; values that cross from one to the next go through the slots.
class Tape::CWriter {
 public:
  CWriter(const Tape& tape, std::string_view name) : tape_(tape), name_(name) {}

  std::string text() {
    collect();
    for (const Run& run : tape_.body_)
      if (is_trigonometric(run.code)) place_batch(run);
    for (const std::uint32_t slot : tape_.outputs_) place(slot);
    find_shared();
    return write();
  }

 private:
  static constexpr std::size_t longest = 300;
  using Line = std::vector<std::uint32_t>;  // statements that stand together: one, or a batch of sines

  static bool is_trigonometric(Code code) { return code == Code::sin || code == Code::cos || code == Code::sincos; }
  static std::uint32_t operands_of(Code code) { return static_cast<std::uint32_t>(Tape::operands_of(code)); }
  static std::uint32_t results_of(Code code) { return code == Code::sincos ? 2 : 1; }

  void collect() {
    made_by_.assign(tape_.slots_, none);
    for (const Run& run : tape_.body_)
      for (std::uint32_t i = 0; i < run.count; ++i) {
        const std::uint32_t result = run.result + i * results_of(run.code);
        for (std::uint32_t k = 0; k < results_of(run.code); ++k)
          made_by_[result + k] = static_cast<std::uint32_t>(statements_.size());
        statements_.push_back({run.code, tape_.operands_.data() + run.operands + i * operands_of(run.code), result});
      }
    constant_.assign(tape_.slots_, none);
    for (std::uint32_t c = 0; c < tape_.constants_.size(); ++c) constant_[tape_.constants_[c].first] = c;
  }

  /// Everything that a slot needs, then the statement that makes it; without recursion, formulas may be deep.
  void place(std::uint32_t slot) {
    std::vector<std::uint32_t> open;
    if (made_by_[slot] != none) open.push_back(made_by_[slot]);
    while (!open.empty()) {
      const std::uint32_t id = open.back();
      if (statements_[id].chunk != none) {
        open.pop_back();
        continue;
      }
      const std::size_t before = open.size();
      for (std::uint32_t k = operands_of(statements_[id].code); k-- > 0;) {
        const std::uint32_t source = made_by_[statements_[id].operands[k]];
        if (source != none && statements_[source].chunk == none) open.push_back(source);
      }
      if (open.size() > before) continue;
      open.pop_back();
      add({id});
    }
  }

  /// Sines of a run, four or eight at a time; those left over are computed as four, with the last argument repeated.
  void place_batch(const Run& run) {
    const std::uint32_t first = made_by_[run.result];
    for (std::uint32_t i = 0; i < run.count;) {
      const std::uint32_t rest = run.count - i, size = std::min<std::uint32_t>(rest, rest > 4 ? 8 : rest > 1 ? 4 : 1);
      Line batch;
      for (std::uint32_t k = 0; k < size; ++k) {
        place(statements_[first + i + k].operands[0]);
        batch.push_back(first + i + k);
      }
      add(std::move(batch));
      i += size;
    }
  }

  void add(Line line) {
    if (chunks_.empty() || in_chunk_ + line.size() > longest) {
      chunks_.emplace_back();
      in_chunk_ = 0;
    }
    in_chunk_ += line.size();
    for (const std::uint32_t id : line) statements_[id].chunk = static_cast<std::uint32_t>(chunks_.size()) - 1;
    chunks_.back().push_back(std::move(line));
  }

  /// Slots that must be in memory: outputs, and what another function reads.
  void find_shared() {
    shared_.assign(tape_.slots_, false);
    for (const std::uint32_t slot : tape_.outputs_) shared_[slot] = true;
    for (const auto& statement : statements_)
      for (std::uint32_t k = 0; k < operands_of(statement.code); ++k) {
        const std::uint32_t slot = statement.operands[k], source = made_by_[slot];
        if (source != none && statements_[source].chunk != statement.chunk) shared_[slot] = true;
      }
  }

  std::string value(std::uint32_t slot, std::size_t chunk) const {
    if (constant_[slot] != none) return literal(tape_.constants_[constant_[slot]].second);
    const std::uint32_t source = made_by_[slot];
    if (source != none && statements_[source].chunk == chunk) return fmt::format("x{}", slot);
    return fmt::format("s[{}]", slot);
  }

  static std::string literal(double number) {
    if (number != number) return "__builtin_nan(\"\")";
    if (std::abs(number) == std::numeric_limits<double>::infinity())
      return number > 0 ? "__builtin_inf()" : "(-__builtin_inf())";
    return number < 0 || std::signbit(number) ? fmt::format("({:a})", number) : fmt::format("{:a}", number);
  }

  std::string write() const {
    std::string out;
    const auto to = std::back_inserter(out);
    for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
      fmt::format_to(to, "static void {}_{}(double* s) {{\n", name_, chunk);
      for (const Line& line : chunks_[chunk]) write_line(line, chunk, out);
      out += "}\n";
    }
    fmt::format_to(to, "void {}(double* s) {{\n", name_);
    if (chunks_.empty()) out += "  (void)s;\n";
    for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) fmt::format_to(to, "  {}_{}(s);\n", name_, chunk);
    out += "}\n";
    return out;
  }

  void write_line(const Line& line, std::size_t chunk, std::string& out) const {
    const auto& first = statements_[line.front()];
    const auto to = std::back_inserter(out);
    if (is_trigonometric(first.code)) {
      const std::size_t size = line.size() > 4 ? 8 : line.size() > 1 ? 4 : 1;
      const std::uint32_t tag = first.result;
      fmt::format_to(to, "  double a{0}[{1}], b{0}[{1}], c{0}[{1}];\n", tag, size);
      for (std::size_t k = 0; k < size; ++k)
        fmt::format_to(to, "  a{}[{}] = {};\n", tag, k,
                       value(statements_[line[std::min(k, line.size() - 1)]].operands[0], chunk));
      fmt::format_to(to, "  sincos_{1}(a{0}, b{0}, c{0});\n", tag, size);
      for (std::size_t k = 0; k < line.size(); ++k) {
        const auto& statement = statements_[line[k]];
        if (statement.code != Code::cos) define(statement.result, fmt::format("b{}[{}]", tag, k), out);
        if (statement.code == Code::cos) define(statement.result, fmt::format("c{}[{}]", tag, k), out);
        if (statement.code == Code::sincos) define(statement.result + 1, fmt::format("c{}[{}]", tag, k), out);
      }
      return;
    }
    define(first.result, formula(first, chunk), out);
  }

  void define(std::uint32_t slot, const std::string& what, std::string& out) const {
    fmt::format_to(std::back_inserter(out), "  const double x{} = {};\n", slot, what);
    if (shared_[slot]) fmt::format_to(std::back_inserter(out), "  s[{0}] = x{0};\n", slot);
  }

  std::string formula(const Statement<Code>& statement, std::size_t chunk) const {
    const auto operand = [&](std::uint32_t k) {
      return k < operands_of(statement.code) ? value(statement.operands[k], chunk) : "";
    };
    const std::string a = operand(0), b = operand(1), c = operand(2);
    switch (statement.code) {
      case Code::add: return a + " + " + b;
      case Code::subtract: return a + " - " + b;
      case Code::multiply: return a + " * " + b;
      case Code::divide: return a + " / " + b;
      case Code::negate: return "-" + a;
      case Code::multiply_add: return a + " * " + b + " + " + c;
      case Code::multiply_subtract: return a + " * " + b + " - " + c;
      case Code::subtract_multiply: return c + " - " + a + " * " + b;
      case Code::power: return "pow(" + a + ", " + b + ")";
      case Code::tan: return "tan(" + a + ")";
      case Code::asin: return "asin(" + a + ")";
      case Code::acos: return "acos(" + a + ")";
      case Code::atan: return "atan(" + a + ")";
      case Code::atan2: return "atan2(" + a + ", " + b + ")";
      case Code::sinh: return "sinh(" + a + ")";
      case Code::cosh: return "cosh(" + a + ")";
      case Code::tanh: return "tanh(" + a + ")";
      case Code::exp: return "exp(" + a + ")";
      case Code::log: return "log(" + a + ")";
      case Code::sqrt: return "__builtin_sqrt(" + a + ")";
      case Code::abs: return "__builtin_fabs(" + a + ")";
      case Code::sign: return fmt::format("{0} > 0.0 ? 1.0 : {0} < 0.0 ? -1.0 : {0}", a);
      case Code::min: return fmt::format("{0} < {1} || {0} != {0} ? {0} : {1}", a, b);
      case Code::max: return fmt::format("{0} > {1} || {0} != {0} ? {0} : {1}", a, b);
      case Code::less: return a + " < " + b + " ? 1.0 : 0.0";
      case Code::less_equal: return a + " <= " + b + " ? 1.0 : 0.0";
      case Code::equal: return a + " == " + b + " ? 1.0 : 0.0";
      case Code::not_equal: return a + " != " + b + " ? 1.0 : 0.0";
      case Code::select: return a + " != 0.0 ? " + b + " : " + c;
      case Code::sin:
      case Code::cos:
      case Code::sincos:
      case Code::leaf: break;
    }
    return "";
  }

  const Tape& tape_;
  std::string name_;
  std::vector<Statement<Code>> statements_;
  std::vector<std::uint32_t> made_by_;   // by slot: statement; none: an input, a parameter or a constant
  std::vector<std::uint32_t> constant_;  // by slot
  std::vector<bool> shared_;             // by slot
  std::vector<std::vector<Line>> chunks_;
  std::size_t in_chunk_ = 0;
};

std::string Tape::in_c(std::string_view name) const { return CWriter(*this, name).text(); }

}  // namespace maggi::expression
