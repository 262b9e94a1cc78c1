#include "at_start.hpp"

#include <fmt/format.h>

#include "analysis/complete_system.hpp"
#include "base/names.hpp"
#include "dynamics/dynamics.hpp"
#include "output.hpp"
#include "start/initial_conditions.hpp"

namespace maggi::app {

AtStart::AtStart(const Model& model, std::string_view formulation, std::string_view basis) {
  system_ = make_complete_system(model, hidden_);
  dynamics_ = std::make_unique<Dynamics>(*system_, formulation, basis);
  start_ = find_initial_conditions(*dynamics_, system_->start());
}

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

}  // namespace maggi::app
