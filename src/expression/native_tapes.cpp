#include "expression/native_tapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "base/largest.hpp"

namespace maggi::expression {

namespace {

std::string name_of(std::size_t tape) { return fmt::format("maggi_tape_{}", tape); }

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

/// The largest difference of an output, relative to it; 0 if all bits are the same.
double difference(const Tape& tape, NativeCode::Function function, std::span<const double> parameters,
                  std::span<const double> inputs) {
  std::vector<double> on_tape(tape.slots(), 0.0);
  tape.prepare(parameters, on_tape);
  std::copy(inputs.begin(), inputs.end(), on_tape.begin());
  std::vector<double> native = on_tape;
  tape.run(on_tape);
  function(native.data());
  Largest relative;
  for (std::size_t i = 0; i < tape.outputs(); ++i) {
    const double a = on_tape[tape.output(i)], b = native[tape.output(i)];
    if (same(a, b)) continue;
    relative.note((a - b) / std::max(std::abs(a), std::abs(b)));
  }
  return relative.value();
}

}  // namespace

NativeTapes compile_tapes(std::span<const Tape* const> tapes, bool cached_only, std::span<const double> parameters,
                          std::span<const double> inputs) {
  std::string text(Tape::c_prelude());
  for (std::size_t i = 0; i < tapes.size(); ++i) text += tapes[i]->in_c(name_of(i));
  const NativeCode::Result made = cached_only ? NativeCode::from_cache(text) : NativeCode::compile(text);
  NativeTapes result{made.code, {}, made.cached, made.code != nullptr, made.why_not};
  if (!made.code) return result;

  const auto refuse = [&](std::string why) { return NativeTapes{nullptr, {}, made.cached, true, std::move(why)}; };
  for (std::size_t i = 0; i < tapes.size(); ++i) {
    result.functions.push_back(made.code->function(name_of(i)));
    if (!result.functions.back()) return refuse("a function is missing in it");
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<double> beside(-0.5, 0.5);
  std::vector<double> point(inputs.begin(), inputs.end());
  for (int trial = 0; trial < 3; ++trial) {
    for (std::size_t i = 0; i < tapes.size(); ++i)
      if (const double d = difference(*tapes[i], result.functions[i], parameters, point); d != 0.0)
        return refuse(fmt::format("the code differs from the tape by {:.1e} of a value", d));
    for (double& value : point) value += beside(random);
  }
  return result;
}

}  // namespace maggi::expression
