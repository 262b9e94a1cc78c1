#pragma once
#include <optional>

#include "maggi/model.hpp"
#include "model/numbers.hpp"

namespace maggi {

/// What numbers of a model from formulas may be. They are looked at when the model is derived, and again whenever the
/// derived equations are given other numbers.

/// Which part of the speed comes back from an impact on a one-sided constraint, 0 if it is not given. Error (model) if
/// it is not between 0 and 1.
double restitution(const Constraint& constraint, const Numbers& numbers);

/// Error (model) if the coefficient of sliding is negative, or larger than that of sticking; one that is no number is
/// not looked at.
void check_coefficients(const Friction& friction, const std::optional<double>& sliding,
                        const std::optional<double>& sticking);

}  // namespace maggi
