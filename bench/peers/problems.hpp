#pragma once
// The problems, the same for every engine: how far they are run, what is looked at in the end, and what it must be. The
// five of the IFToMM library of computational benchmark problems [IFToMMBenchmarks] are A01 "pendulum", A02 "tumbling",
// A03 "andrews", A04 "bricard" and A05 "governor".
#include <string>
#include <vector>

#include "andrews_hand.hpp"
#include "andrews_run.hpp"
#include "chain_hand.hpp"
#include "measure.hpp"
#include "parallel_cranks.hpp"

namespace bench {

struct Problem {
  std::string name, variant;  // variant: the same in another form, "formulas"; mostly ""
  int size;                   // loops, bodies; 0 if there is one only
};

/// What a run has to reach.
struct Goal {
  double until;                         // [s]
  std::vector<double> expected, scale;  // of what is observed in the end: error = max |observed − expected|/scale
  double demanded = 1e-6;               // error
  double drift = HUGE_VAL;              // [J] largest change of energy
  double output = 0;                    // [s] between looks at the energy; 0: in the end only

  double error(const std::vector<double>& observed) const {
    double largest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      largest = std::max(largest, std::abs(observed[i] - expected[i]) / scale[i]);
    return std::isfinite(largest) ? largest : HUGE_VAL;
  }
};

/// Observed are
///   pendulum   x, y of the mass
///   swing      the angle of the first crank, clockwise from upright; tumbling the same
///   andrews    the seven angles β, Θ, γ, Φ, δ, Ω, ε, relative errors
///   bricard    x, y, z of the third hinge
///   governor   the height of the slider, the angle of the arms below the horizontal
/// The numbers are those of tests/reference.
inline Goal goal(const Problem& problem) {
  const auto cranks = [&](parallel_cranks::Motion from, double demanded) {
    const double until = parallel_cranks::duration;
    return Goal{until, {parallel_cranks::after(problem.size, from, until).angle}, {1}, demanded};
  };
  if (problem.name == "pendulum") return {10, {-0.27508746257611686, -0.96141920509912506}, {1, 1}};
  if (problem.name == "swing") return cranks(parallel_cranks::swing, parallel_cranks::swing_error);
  if (problem.name == "tumbling") {
    Goal made = cranks(parallel_cranks::tumbling, parallel_cranks::tumbling_error);
    made.drift = parallel_cranks::tumbling_drift, made.output = 0.1;
    return made;
  }
  if (problem.name == "andrews") {
    Goal made{andrews::end, {andrews::q_end, andrews::q_end + 7}, {}, andrews::demanded};
    for (double each : made.expected) made.scale.push_back(std::abs(each));
    return made;
  }
  if (problem.name == "bricard")
    return {10, {0.99973098730383535, -0.99999996382581727, -2.6897651224930459e-4}, {1, 1, 1}};
  if (problem.name == "governor") return {10, {0.619622917061367, 0.390073701844643}, {1, 1}};
  throw NotOffered();
}

/// How far the acceleration of the first coordinate is off: cranks (clockwise) in motion, an open chain, the squeezer
/// and Bricard's mechanism at rest as drawn. The latter is a mechanism of one degree of freedom whose hinges turn by
/// ±1 together there: θ̈₁ = Q/T with Q = −g Σ m ∂y/∂θ₁ and T = Σ m |∂r/∂θ₁|² + ∂ω/∂θ₁ᵀ J ∂ω/∂θ₁ is 327/167.
inline double evaluation_error(const Problem& problem, double acceleration) {
  if (problem.name == "cranks")
    return std::abs(acceleration - parallel_cranks::acceleration(problem.size, parallel_cranks::in_motion.angle));
  if (problem.name == "chain") return open_chain::error(problem.size, acceleration);
  if (problem.name == "andrews") return std::abs(acceleration / andrews::start_beta_ddot - 1);
  if (problem.name == "bricard") return std::abs(acceleration - 327.0 / 167.0);
  throw NotOffered();
}

}  // namespace bench
