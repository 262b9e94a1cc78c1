#include "dynamics/contact_check.hpp"

#include <fmt/format.h>

namespace maggi {

namespace {
constexpr double rounding_of_forces = 1e-9;  // where nothing acts
}

ContactCheck::ContactCheck(Dynamics& dynamics) : dynamics_(dynamics), rows_(dynamics.system()), contacts_(dynamics) {}

std::string ContactCheck::find_violation(const State& at, const Acceleration& a) {
  std::string found;
  if (!rows_.rows().empty()) found = find_pulling(at, a);
  if (found.empty() && !dynamics_.shape().contacts.empty()) found = find_driving(at, a);
  return found.empty() ? found : fmt::format("at t = {:.9g} s {}", at.t, found);
}

std::string ContactCheck::find_pulling(const State& at, const Acceleration& a) {
  constexpr double violated = 1e3;  // resolutions of the gap: 1e-7 of the coordinates
  constexpr double pulling = 1e-6;  // of all forces
  rows_.look(at, dynamics_.workspace());
  const double force = dynamics_.workspace().terms.h.norm() + a.reaction.norm();
  for (const int i : rows_.rows()) {
    const Row& row = dynamics_.shape().rows[i];
    const bool presses = dynamics_.mode().rows[i];
    if (!presses && rows_.gap(i) < -violated * rows_.resolution(i))
      return fmt::format("\"{}\" is violated by {:.3g}{}{}: the motion has passed it within one step", row.name,
                         -rows_.gap(i), row.unit.empty() ? "" : " ", row.unit);
    if (presses && a.lambda[i] * rows_.length(i) < -pulling * force - rounding_of_forces)
      return fmt::format("\"{}\" pulls with {:.3g}, but it can only press", row.name, -a.lambda[i]);
  }
  return "";
}

std::string ContactCheck::find_driving(const State& at, const Acceleration& a) {
  // contacts break loose 1e-6 beyond their limit, and events are not told from zero by a change of the state by 1e-10
  constexpr double beyond = 1e-5, not_told = 1e-6;
  constexpr double part = 1e-12;  // of all forces: what a contact bears that bears nothing is left by the others
  const double force = a.reaction.norm();
  for (int c = 0; c < static_cast<int>(dynamics_.shape().contacts.size()); ++c) {
    const std::string& name = dynamics_.shape().contacts[c].name;
    double rounding = 0.0;
    const double power = contacts_.power(c, at, a, rounding);
    if (!(power <= rounding + part * force * at.v.norm()))
      return fmt::format("the friction of \"{}\" drives the motion with {:.3g} W", name, power);
    if (!contacts_.sticks(c, dynamics_.mode())) continue;
    const double reserve = contacts_.reserve(c, at, a), bears = dynamics_.workspace().terms.hold[c];
    if (!(reserve >= -beyond * bears - not_told * force - rounding_of_forces))
      return fmt::format("\"{}\" sticks with {:.6g}, but bears {:.6g}", name, bears - reserve, bears);
  }
  return "";
}

}  // namespace maggi
