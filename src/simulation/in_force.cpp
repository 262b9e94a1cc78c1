#include "simulation/in_force.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace maggi {

namespace {

bool sticks(const Contact& contact, const Mode& mode) { return mode.rows[contact.rows[0]]; }
bool slides(const Contact& contact, const Mode& mode) { return !mode.sense(contact.laws).isZero(0.0); }

const char* no_friction_acts = "nothing presses, or others hold it at rest";

/// Why a row is off.
std::string reason(const Shape& shape, const Mode& mode, int row, const Vector& f) {
  constexpr double closed = 1e-9;  // beyond what a run leaves of a gap that is closed
  const Row& r = shape.rows[row];
  if (!r.of_model()) {
    const auto contact = std::ranges::find(shape.contacts, r.owner, &Contact::name);
    return slides(*contact, mode) ? "slides" : no_friction_acts;
  }
  if (!r.one_sided) return "switched off";
  if (!(f[row] > closed)) return "does not press";
  return fmt::format("open by {:.6g}{}{}", f[row], r.unit.empty() ? "" : " ", r.unit);
}

}  // namespace

InForce::InForce(const Shape& shape, const Mode& mode) : sticking(shape.laws.size(), false) {
  for (int i = 0; i < shape.m(); ++i)
    if (mode.rows[i]) rows.push_back(i);
  std::vector<bool> idle(shape.laws.size(), false);
  for (const Contact& contact : shape.contacts)
    for (const int law : contact.laws) {
      sticking[law] = sticks(contact, mode);
      idle[law] = !sticking[law] && !slides(contact, mode);
    }
  for (std::size_t i = 0; i < idle.size(); ++i)
    if (!idle[i]) laws.push_back(static_cast<int>(i));
}

std::vector<std::pair<std::string, std::string>> list_not_in_force(const Shape& shape, const Mode& mode,
                                                                   const Vector& f) {
  std::vector<std::pair<std::string, std::string>> result;
  for (int i = 0; i < shape.m(); ++i)
    if (!mode.rows[i]) result.emplace_back(shape.rows[i].name, reason(shape, mode, i, f));
  for (const Contact& contact : shape.contacts)
    if (!sticks(contact, mode) && !slides(contact, mode))
      for (const int law : contact.laws) result.emplace_back(shape.laws[law].name, no_friction_acts);
  return result;
}

}  // namespace maggi
