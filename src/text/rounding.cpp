#include "text/rounding.hpp"

#include <fmt/format.h>

#include "system/seam/mechanism_system.hpp"

namespace maggi::text {

namespace {

const std::vector<MechanismSystem::RoundedLoop>& loops_of(const System& system) {
  static const std::vector<MechanismSystem::RoundedLoop> none;
  const auto* mechanism = dynamic_cast<const MechanismSystem*>(&system);
  return mechanism ? mechanism->rounded_loops() : none;
}

}  // namespace

std::string rounding_text(const System& system) {
  std::string text;
  for (const MechanismSystem::RoundedLoop& loop : loops_of(system)) text += fmt::format("  {}.\n", loop.text);
  return text.empty() ? "" : "\nRounded data:\n" + text;
}

std::string lock_warnings(const System& system) {
  std::string text;
  for (const MechanismSystem::RoundedLoop& loop : loops_of(system))
    if (!loop.moves()) text += fmt::format("warning: {}\n", loop.text);
  return text;
}

}  // namespace maggi::text
