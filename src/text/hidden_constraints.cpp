#include "text/hidden_constraints.hpp"

#include <fmt/format.h>

#include "base/names.hpp"
#include "text/words.hpp"

namespace maggi::text {

std::string hidden_text(const HiddenConstraints& hidden) {
  std::string text;
  for (const HiddenConstraint& h : hidden.found) {
    const Constraint& c = h.constraint;
    const bool motion = h.cause == HiddenConstraint::Cause::motion;
    const std::string from = list_names(h.from);
    text += fmt::format("\nHidden constraint: {}\n  {} = {{ {} = \"{}\" }}\n",
                        motion ? fmt::format("a motion with the given velocities needs, because of {}:", from)
                               : fmt::format("the controls do not act directly on {}; therefore the following "
                                             "condition must also hold:",
                                             from),
                        c.name, level_name(c.level), c.formula.text);
    if (motion)
      text += fmt::format(
          "It is enforced like the others. Where it does not hold, {} can be chosen, but not those given: that is\n"
          "the other branch, usually rest.\n",
          count(h.speeds_elsewhere, "speed"));
    else
      text += "It is enforced like the others, and the controls follow from it.\n";
  }
  if (!hidden.unfinished.empty()) text += fmt::format("\nnote: {}\n", hidden.unfinished);
  return text;
}

}  // namespace maggi::text
