#include "at_start.hpp"

#include <fmt/format.h>

#include "maggi/base/names.hpp"
#include "output.hpp"

namespace maggi::app {

AtStart::AtStart(const ModelChoice& choice) {
  Model model = choice.read();
  if (!model.mechanism.given()) hidden_ = find_hidden_constraints(model);
  for (const HiddenConstraint& hidden : hidden_) model.constraints.push_back(hidden.constraint);
  system_ = make_system(model);
  dynamics_ = std::make_unique<Dynamics>(*system_);
  start_ = find_initial_conditions(*dynamics_, system_->start());
}

std::string hidden_text(const std::vector<HiddenConstraint>& hidden) {
  std::string text;
  for (const HiddenConstraint& h : hidden) {
    const Constraint& c = h.constraint;
    text += fmt::format(
        "\nHidden constraint, from {}: a motion with the speeds given needs\n"
        "  {} = {{ {} = \"{}\" }}\n"
        "It is part of what is shown here; add it to [constraint] for a run. Where it does not hold, {} can be chosen, "
        "but\n"
        "not those given: that is the other branch, usually rest.\n",
        list_names(h.from), c.name, level_name(c.level), c.formula.text, count(h.speeds_elsewhere, "speed"));
  }
  return text;
}

}  // namespace maggi::app
