#include "system/formulas/number_rules.hpp"

#include <fmt/format.h>

#include "maggi/error.hpp"

namespace maggi {

double restitution(const Constraint& constraint, const Numbers& numbers) {
  if (constraint.restitution.empty()) return 0.0;
  const double result = numbers(constraint.restitution, fmt::format("the restitution of \"{}\"", constraint.name));
  if (!(result >= 0.0 && result <= 1.0))
    throw Error(Errc::model, constraint.restitution.where,
                fmt::format("the restitution of \"{}\" is {:.6g}", constraint.name, result),
                "0: nothing comes back from an impact, 1: all of the speed");
  return result;
}

void check_coefficients(const Friction& friction, const std::optional<double>& sliding,
                        const std::optional<double>& sticking) {
  const std::string what = fmt::format("friction \"{}\"", friction.name);
  if (sliding && !(*sliding >= 0.0))
    throw Error(Errc::model, friction.coefficient.where, fmt::format("the coefficient of {} is {:.6g}", what, *sliding),
                "it is not negative: friction acts against the motion");
  if (sliding && sticking && *sticking < *sliding)
    throw Error(
        Errc::model, friction.stiction->where,
        fmt::format("the stiction of {} is {:.6g}, less than its coefficient {:.6g}", what, *sticking, *sliding),
        "what sticks can bear at least what slides: make stiction the larger one, or leave it out");
}

}  // namespace maggi
