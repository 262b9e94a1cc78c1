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
    text += fmt::format(
        "\nHidden constraint, from {}: {}\n  {} = {{ {} = \"{}\" }}\n", list_names(h.from),
        motion ? "a motion with the speeds given needs" : "no control reaches them at once, so there must hold", c.name,
        level_name(c.level), c.formula.text);
    if (motion)
      text += fmt::format(
          "It is kept like the others. Where it does not hold, {} can be chosen, but not those given: that is\n"
          "the other branch, usually rest.\n",
          count(h.speeds_elsewhere, "speed"));
    else
      text += "It is kept like the others, and through it the controls are found.\n";
  }
  if (!hidden.unfinished.empty()) text += fmt::format("\nnote: {}\n", hidden.unfinished);
  return text;
}

}  // namespace maggi::text
