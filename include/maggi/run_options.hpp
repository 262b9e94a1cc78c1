#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace maggi {

/// Which reactions a motion contains where redundant constraints leave some of them undetermined.
enum class Reactions {
  unique_only,  ///< those that the equations determine; the others are absent
  min_norm,     ///< also the others, from the λ of least norm, and named so: "lambda.hinge (min-norm)"
};

/// Are formulas compiled to machine code?
enum class Compile {
  never,
  automatic,  ///< if the compiled code is in the cache, or if so many evaluations are expected that it pays
  always,
};

/// How a model is run: what is not given is taken from its [simulation], or else the default.
///
/// Names are those of the command line and of the model file; an unknown one is an Error with the nearest name.
struct RunOptions {
  std::optional<double> until{};   ///< [s]
  std::optional<double> output{};  ///< [s] between stored states; 0: every accepted step
  std::optional<double> rtol{}, atol{};
  std::optional<double> step{};  ///< [s] of a fixed-step integrator; of others the first step
  std::optional<std::string> integrator{}, drift{}, unknowns{}, continuity{};

  Reactions reactions = Reactions::unique_only;
  Compile compile = Compile::automatic;

  const std::atomic<bool>* interrupt = nullptr;  ///< set it, from any thread, to end the run after the current step
  std::function<void(double t)> progress{};      ///< called after accepted steps; cheap, may be empty
};

}  // namespace maggi
