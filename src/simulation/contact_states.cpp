#include "simulation/contact_states.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace maggi {

const char* state_of(const Contact& contact, const Mode& mode) {
  if (mode.rows[contact.rows[0]]) return "sticks";
  return Vector(mode.sense(contact.laws)).isZero(0.0) ? "rests" : "slides";
}

std::vector<std::string> contact_states(const System& system, const State& at, const Mode& mode) {
  const Shape& shape = system.shape();
  std::vector<std::string> states;
  if (shape.contacts.empty() && std::ranges::none_of(shape.rows, &Row::one_sided)) return states;
  const std::unique_ptr<Workspace> w = system.workspace();
  system.position(at, *w);
  for (int i = 0; i < shape.s_p; ++i) {
    const Row& row = shape.rows[i];
    if (!row.one_sided) continue;
    states.push_back(mode.rows[i] ? row.name + " presses"
                                  : fmt::format("{} open by {:.6g}{}{}", row.name, w->terms.f[i],
                                                row.unit.empty() ? "" : " ", row.unit));
  }
  const auto on = [&](int row) { return mode.rows[row]; };
  for (const Contact& contact : shape.contacts) {
    const bool pressed = contact.pressed.empty() || std::ranges::any_of(contact.pressed, on);
    states.push_back("friction " + contact.name + " " + (pressed ? state_of(contact, mode) : "not pressed"));
  }
  return states;
}

}  // namespace maggi
