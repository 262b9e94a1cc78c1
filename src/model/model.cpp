#include "maggi/model.hpp"

#include <fmt/format.h>

#include "model/formula_fields.hpp"

namespace maggi {

Formula::Formula(double number) : text(fmt::format("{}", number)) {}  // shortest text that reads back the same

std::string_view level_name(Level level) { return fields::level_kinds[static_cast<std::size_t>(level)].name; }

}  // namespace maggi
