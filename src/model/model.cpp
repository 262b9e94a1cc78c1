#include "maggi/model.hpp"

#include <fmt/format.h>

namespace maggi {

Formula::Formula(double number) : text(fmt::format("{}", number)) {}  // shortest text that reads back the same

std::string_view level_name(Level level) {
  switch (level) {
    case Level::position: return "position";
    case Level::velocity: return "velocity";
    case Level::acceleration: return "acceleration";
  }
  return "";
}

}  // namespace maggi
