#pragma once
#include <span>

#include "maggi/expert/expression.hpp"

namespace maggi::expression {

/// Multiplies out products of sums that contain sines and cosines, applies sin² = 1 − cos², collects equal terms and
/// factors what is left: kinetic energies written by the velocities of points become what one would derive by hand.
///
///     (a cos x v)² + (a sin x v)²  →  a² v²
///
/// Sums without sines and cosines are kept as they are, so that no difference of nearly equal numbers is opened up.
/// Products of `parameters` become one coefficient per term. Returns the expression unchanged if it would grow beyond
/// `most_terms`.
Id expand_trigonometric(Graph& graph, Id expression, std::span<const Id> parameters, std::size_t most_terms = 2000);

}  // namespace maggi::expression
