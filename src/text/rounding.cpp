#include "text/rounding.hpp"

#include <fmt/format.h>

#include "system/make_system.hpp"

namespace maggi::text {

std::string rounding_text(const System& system) {
  std::string text;
  for (const MechanismSystem::RoundedLoop& loop : rounded_data(system)) text += fmt::format("  {}.\n", loop.text);
  return text.empty() ? "" : "\nRounded data:\n" + text;
}

std::string lock_warnings(const System& system) {
  std::string text;
  for (const MechanismSystem::RoundedLoop& loop : rounded_data(system))
    if (!loop.moves()) text += fmt::format("warning: {}\n", loop.text);
  return text;
}

}  // namespace maggi::text
