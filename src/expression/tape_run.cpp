// The interpreter: one branch per run, a tight loop inside.
#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/clones.hpp"
#include "base/sincos.hpp"
#include "expression/tape_code.hpp"

namespace maggi::expression {

namespace {
constexpr int lanes = Tape::lanes;

// ---- one state: the loops ----

struct Scalars {
  double* scratch;
  const std::uint32_t* operand;
  std::size_t count;
  double* result;

  template <class F>
  MAGGI_INLINE void unary(F f) const {
    for (std::size_t i = 0; i < count; ++i) result[i] = f(scratch[operand[i]]);
  }
  template <class F>
  MAGGI_INLINE void binary(F f) const {
    for (std::size_t i = 0; i < count; ++i) result[i] = f(scratch[operand[2 * i]], scratch[operand[2 * i + 1]]);
  }
  template <class F>
  MAGGI_INLINE void ternary(F f) const {
    for (std::size_t i = 0; i < count; ++i)
      result[i] = f(scratch[operand[3 * i]], scratch[operand[3 * i + 1]], scratch[operand[3 * i + 2]]);
  }
  /// store(i, sine, cosine)
  template <class Store>
  MAGGI_INLINE void trigonometric(Store store) const;
};

template <class Store>
void Scalars::trigonometric(Store store) const {
  alignas(64) double x[lanes], s[lanes], c[lanes];
  for (std::size_t i = 0; i < count; i += lanes) {
    const std::size_t n = std::min<std::size_t>(lanes, count - i);
    for (std::size_t k = 0; k < n; ++k) x[k] = scratch[operand[i + k]];
    sincos(static_cast<int>(n), x, s, c);
    for (std::size_t k = 0; k < n; ++k) store(i + k, s[k], c[k]);
  }
}

// ---- eight states: the same loops over lanes ----

struct Lanes {
  double* scratch;
  const std::uint32_t* operand;
  std::size_t count;
  double* result;

  MAGGI_INLINE const double* at(std::size_t i) const { return scratch + std::size_t{lanes} * operand[i]; }
  MAGGI_INLINE double* to(std::size_t i) const { return result + std::size_t{lanes} * i; }

  // a local copy between reading and writing tells the compiler that they do not overlap
  template <class F>
  MAGGI_INLINE void unary(F f) const {
    for (std::size_t i = 0; i < count; ++i) {
      const double* a = at(i);
      double t[lanes];
      for (int k = 0; k < lanes; ++k) t[k] = f(a[k]);
      double* r = to(i);
      for (int k = 0; k < lanes; ++k) r[k] = t[k];
    }
  }
  template <class F>
  MAGGI_INLINE void binary(F f) const {
    for (std::size_t i = 0; i < count; ++i) {
      const double *a = at(2 * i), *b = at(2 * i + 1);
      double t[lanes];
      for (int k = 0; k < lanes; ++k) t[k] = f(a[k], b[k]);
      double* r = to(i);
      for (int k = 0; k < lanes; ++k) r[k] = t[k];
    }
  }
  template <class F>
  MAGGI_INLINE void ternary(F f) const {
    for (std::size_t i = 0; i < count; ++i) {
      const double *a = at(3 * i), *b = at(3 * i + 1), *c = at(3 * i + 2);
      double t[lanes];
      for (int k = 0; k < lanes; ++k) t[k] = f(a[k], b[k], c[k]);
      double* r = to(i);
      for (int k = 0; k < lanes; ++k) r[k] = t[k];
    }
  }
  template <class Store>
  MAGGI_INLINE void trigonometric(Store store) const {
    for (std::size_t i = 0; i < count; ++i) {
      double s[lanes], c[lanes];
      sincos<lanes>(at(i), s, c);
      store(i, s, c);
    }
  }
};

MAGGI_INLINE void copy(const double* from, double* to) {
  for (int k = 0; k < lanes; ++k) to[k] = from[k];
}

/// What each code computes; the same as `apply`.
template <class Code, class Loops>
MAGGI_INLINE void compute(Code code, const Loops& loops) {
  switch (code) {
    case Code::add: return loops.binary([](double a, double b) { return a + b; });
    case Code::subtract: return loops.binary([](double a, double b) { return a - b; });
    case Code::multiply: return loops.binary([](double a, double b) { return a * b; });
    case Code::divide: return loops.binary([](double a, double b) { return a / b; });
    case Code::negate: return loops.unary([](double a) { return -a; });
    case Code::multiply_add: return loops.ternary([](double a, double b, double c) { return a * b + c; });
    case Code::multiply_subtract: return loops.ternary([](double a, double b, double c) { return a * b - c; });
    case Code::subtract_multiply: return loops.ternary([](double a, double b, double c) { return c - a * b; });
    case Code::power: return loops.binary([](double a, double b) { return std::pow(a, b); });
    case Code::tan: return loops.unary([](double a) { return std::tan(a); });
    case Code::asin: return loops.unary([](double a) { return std::asin(a); });
    case Code::acos: return loops.unary([](double a) { return std::acos(a); });
    case Code::atan: return loops.unary([](double a) { return std::atan(a); });
    case Code::atan2: return loops.binary([](double a, double b) { return std::atan2(a, b); });
    case Code::sinh: return loops.unary([](double a) { return std::sinh(a); });
    case Code::cosh: return loops.unary([](double a) { return std::cosh(a); });
    case Code::tanh: return loops.unary([](double a) { return std::tanh(a); });
    case Code::exp: return loops.unary([](double a) { return std::exp(a); });
    case Code::log: return loops.unary([](double a) { return std::log(a); });
    case Code::sqrt: return loops.unary([](double a) { return std::sqrt(a); });
    case Code::abs: return loops.unary([](double a) { return std::abs(a); });
    case Code::sign: return loops.unary([](double a) { return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a; });
    case Code::min: return loops.binary([](double a, double b) { return a < b || a != a ? a : b; });
    case Code::max: return loops.binary([](double a, double b) { return a > b || a != a ? a : b; });
    case Code::less: return loops.binary([](double a, double b) { return a < b ? 1.0 : 0.0; });
    case Code::less_equal: return loops.binary([](double a, double b) { return a <= b ? 1.0 : 0.0; });
    case Code::equal: return loops.binary([](double a, double b) { return a == b ? 1.0 : 0.0; });
    case Code::not_equal: return loops.binary([](double a, double b) { return a != b ? 1.0 : 0.0; });
    case Code::select: return loops.ternary([](double a, double b, double c) { return a != 0.0 ? b : c; });
    case Code::sin:
    case Code::cos:
    case Code::sincos:
    case Code::leaf: return;
  }
}
}  // namespace

void Tape::execute(std::span<const Run> runs, double* scratch) const {
  for (const Run& run : runs) {
    double* result = scratch + run.result;
    const Scalars loops{scratch, operands_.data() + run.operands, run.count, result};
    switch (run.code) {
      case Code::sin: loops.trigonometric([=](std::size_t i, double s, double) { result[i] = s; }); break;
      case Code::cos: loops.trigonometric([=](std::size_t i, double, double c) { result[i] = c; }); break;
      case Code::sincos:
        loops.trigonometric([=](std::size_t i, double s, double c) { result[2 * i] = s, result[2 * i + 1] = c; });
        break;
      default: compute(run.code, loops);
    }
  }
}

MAGGI_CLONES void Tape::execute_lanes(std::span<const Run> runs, const std::uint32_t* operands, double* scratch) {
  for (const Run& run : runs) {
    const Lanes loops{scratch, operands + run.operands, run.count, scratch + std::size_t{lanes} * run.result};
    const auto to = [&loops](std::size_t i) { return loops.to(i); };
    switch (run.code) {
      case Code::sin:
        loops.trigonometric([&](std::size_t i, const double* s, const double*) { copy(s, to(i)); });
        break;
      case Code::cos:
        loops.trigonometric([&](std::size_t i, const double*, const double* c) { copy(c, to(i)); });
        break;
      case Code::sincos:
        loops.trigonometric([&](std::size_t i, const double* s, const double* c) {
          copy(s, to(2 * i));
          copy(c, to(2 * i + 1));
        });
        break;
      default: compute(run.code, loops);
    }
  }
}

void Tape::prepare(std::span<const double> parameters, std::span<double> scratch) const {
  assert(parameters.size() == parameters_.size() && scratch.size() >= slots_);
  for (const auto& [slot, value] : constants_) scratch[slot] = value;
  for (std::size_t p = 0; p < parameters_.size(); ++p) scratch[parameters_[p]] = parameters[p];
  execute(prelude_, scratch.data());
}

void Tape::run(std::span<double> scratch) const {
  assert(scratch.size() >= slots_);
  execute(body_, scratch.data());
}

void Tape::prepare_lanes(std::span<const double> parameters, std::span<double> scratch) const {
  assert(parameters.size() == lanes * parameters_.size() && scratch.size() >= lanes * slots_);
  for (const auto& [slot, value] : constants_)
    for (std::size_t k = 0; k < lanes; ++k) scratch[lanes * slot + k] = value;
  for (std::size_t p = 0; p < parameters_.size(); ++p)
    for (std::size_t k = 0; k < lanes; ++k) scratch[lanes * parameters_[p] + k] = parameters[lanes * p + k];
  execute_lanes(prelude_, operands_.data(), scratch.data());
}

void Tape::run_lanes(std::span<double> scratch) const {
  assert(scratch.size() >= lanes * slots_);
  execute_lanes(body_, operands_.data(), scratch.data());
}

}  // namespace maggi::expression
