#pragma once
#include <functional>
#include <string>

#include "maggi/expert/expression.hpp"
#include "maggi/model.hpp"

namespace maggi {

/// What a formula may contain: coordinates and time; velocities too; multipliers and forces of laws too; accelerations;
/// all of it.
enum class Reach { position, velocity, law, acceleration, output };

/// Reads a formula of a model; `what` it is: "event \"lands\"", for messages.
using ParseFormula = std::function<expression::Id(const Formula&, Reach, const std::string& what)>;

}  // namespace maggi
