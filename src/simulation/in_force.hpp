#pragma once
#include <string>
#include <utility>
#include <vector>

#include "maggi/expert/shape.hpp"
#include "maggi/mode.hpp"

namespace maggi {

/// What of a system is in force in a mode, by index.
struct InForce {
  std::vector<int> rows;       ///< switched on
  std::vector<int> laws;       ///< those that hold, and those of contacts that stick
  std::vector<bool> sticking;  ///< all laws: is it the force of a contact that sticks?

  InForce(const Shape& shape, const Mode& mode);
};

/// The names of the rows and laws that are not in force, and why: {"floor", "open by 1 m"}. `f`: values of the position
/// rows.
std::vector<std::pair<std::string, std::string>> list_not_in_force(const Shape& shape, const Mode& mode,
                                                                   const Vector& f);

}  // namespace maggi
