#include "maggi/model.hpp"

#include <fmt/format.h>

namespace maggi {

Formula::Formula(double number) : text(fmt::format("{}", number)) {}  // shortest text that reads back the same

}  // namespace maggi
