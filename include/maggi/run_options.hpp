#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "maggi/integrator.hpp"

namespace maggi {

/// How a motion is kept on the constraints; docs/theory/integration.md, "Drift".
enum class Drift {
  projection,  ///< onto the constraints after every accepted step
  baumgarte,   ///< f̈ + 2α ḟ + β² f = 0 in the accelerations
  pi,          ///< the same by feedback of f and of its integral
  none,
};
extern template class Choice<Drift>;

/// The variables that are integrated.
enum class Unknowns {
  velocities,   ///< (q, v)
  tangent,      ///< (q, u), v = D u + d
  independent,  ///< independent coordinates and their velocities; the others follow from the constraints
};
extern template class Choice<Unknowns>;

/// How the basis D of Unknowns::tangent follows the motion; see docs/theory/integration.md.
enum class Continuity {
  frozen,           ///< its choices are kept
  procrustes,       ///< turned to be as close as possible to an earlier one
  procrustes_mass,  ///< the same in the metric of M
  warm_start,       ///< an earlier one, projected and orthonormalised
};
extern template class Choice<Continuity>;

/// Which reactions a motion contains where redundant constraints leave some of them undetermined.
enum class Reactions {
  unique_only,  ///< "unique": those that the equations determine; the others are absent
  min_norm,     ///< also the others, from the λ of least norm, and named so: "lambda.hinge (min-norm)"
};
extern template class Choice<Reactions>;

/// Channels that a motion contains if they are asked for; docs/results.md.
enum class Further {
  tangent,    ///< tangent velocities u, u̇, M_u, h_u, energies along them, cosines of the projective criterion
  reactions,  ///< what each constraint, force law and control contributes to the reactions
};
extern template class Choice<Further>;

/// Are formulas compiled to machine code?
enum class Compile {
  never,
  automatic,  ///< "auto": if the compiled code is in the cache, or if so many evaluations are expected that it pays
  always,
};
extern template class Choice<Compile>;

/// How a model is run: what is not given is taken from its [simulation], or else the default.
///
/// Integrator::rk4 or "rk4": names are those of the command line and of the model file; an unknown one is an Error with
/// the nearest name.
struct RunOptions {
  std::optional<double> until{};   ///< [s]
  std::optional<double> output{};  ///< [s] between stored states; 0: every accepted step
  std::optional<double> rtol{}, atol{};
  std::optional<double> step{};  ///< [s] of a fixed-step integrator; of others the first step
  std::optional<Choice<Integrator>> integrator{};
  std::optional<Choice<Drift>> drift{};
  std::optional<Choice<Unknowns>> unknowns{};
  std::optional<Choice<Continuity>> continuity{};  ///< only with Unknowns::tangent or Further::tangent

  std::optional<std::vector<Choice<Further>>> also{};  ///< channels besides the usual ones

  Choice<Reactions> reactions = Reactions::unique_only;
  Choice<Compile> compile = Compile::automatic;

  const std::atomic<bool>* interrupt = nullptr;  ///< set it, from any thread, to end the run after the current step
  std::function<void(double t)> progress{};      ///< called after accepted steps; cheap, may be empty
};

}  // namespace maggi
