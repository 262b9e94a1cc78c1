#pragma once
#include "maggi/expert/system.hpp"
#include "maggi/model.hpp"

namespace maggi::test {

/// The model with markers in each mass centre and one metre ahead of it along each axis, which tell how a body moves,
/// and with outputs for the forces that are formulas.
Model with_probes(Model model);

/// Newton and Euler for every body of a mechanism `with_probes`, at a state and its acceleration: what joints, gravity,
/// springs, cylinders, bushings and applied forces do is m a and the rate of angular momentum, to `tolerance` of the
/// largest force (moment). Masses and inertias are taken from the model again, accelerations from differences of order
/// 8 of the positions of markers.
void expect_balance(const Model& model, const System& system, const State& state, const Acceleration& acceleration,
                    double tolerance);

}  // namespace maggi::test
