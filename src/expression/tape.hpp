#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maggi/expert/expression.hpp"

namespace maggi::expression {

/// Expressions as straight-line code: instructions sorted into long runs of one operation, so that the interpreter
/// branches once per run and not once per instruction. sin and cos of one argument are one instruction, and so is a·b +
/// c when the product is used nowhere else.
///
/// Memory is the caller's: `scratch` holds one value (or eight, lane by lane) per slot. A tape is immutable; threads
/// share it, each with its own scratch. Nothing is allocated after construction, and every result depends on its own
/// lane only: run and run_lanes agree to the last bit, on every machine with the same libm.
///
///     std::vector<double> scratch(tape.slots());
///     tape.prepare(parameters, scratch);                // once per set of parameters: constants, parameter-only parts
///     std::copy(q.begin(), q.end(), scratch.begin());   // input k is slot k
///     tape.run(scratch);
///     double first = scratch[tape.output(0)];
class Tape {
 public:
  static constexpr int lanes = 8;

  Tape() = default;
  /// Every variable that the outputs contain must be listed as an input or as a parameter (assert).
  Tape(const Graph& graph, std::span<const Id> inputs, std::span<const Id> parameters, std::span<const Id> outputs);

  std::size_t slots() const { return slots_; }
  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_.size(); }
  std::uint32_t output(std::size_t i) const { return outputs_[i]; }  ///< the slot of output i
  std::size_t instructions() const;                                  ///< of run(), without the parameter-only part
  std::size_t runs() const { return body_.size(); }                  ///< stretches of one operation they fall into

  void prepare(std::span<const double> parameters, std::span<double> scratch) const;
  void run(std::span<double> scratch) const;

  /// Eight states at once: slot s of lane l is scratch[8 s + l]; 8 slots() values, 64-byte aligned is fastest.
  /// Parameters may differ by lane too: parameter p of lane l is parameters[8 p + l].
  void prepare_lanes(std::span<const double> parameters, std::span<double> scratch) const;
  void run_lanes(std::span<double> scratch) const;

  /// run() as a function `void name(double* scratch)` in C that gives the same bits, apart from slots that hold no
  /// output; it needs c_prelude() before it, once in a file, and no contraction of products and sums.
  std::string in_c(std::string_view name) const;
  static std::string_view c_prelude();

 private:
  class Builder;
  class CWriter;
  enum class Code : std::uint8_t;
  struct Run {
    Code code;
    std::uint32_t operands;  // where they begin; they follow one another, instruction by instruction
    std::uint32_t count;     // instructions
    std::uint32_t result;    // slot of the first result; the others follow
  };
  static int operands_of(Code code);  // how many an instruction has
  void execute(std::span<const Run> runs, double* scratch) const;
  static void execute_lanes(std::span<const Run> runs, const std::uint32_t* operands, double* scratch);

  std::size_t slots_ = 0, inputs_ = 0;
  std::vector<std::pair<std::uint32_t, double>> constants_;  // slot, value
  std::vector<std::uint32_t> parameters_;                    // slots
  std::vector<Run> prelude_, body_;                          // parameter-only part; the rest
  std::vector<std::uint32_t> operands_;                      // slots
  std::vector<std::uint32_t> outputs_;
};

}  // namespace maggi::expression
