#pragma once
#include <string>

#include "maggi/system/shape.hpp"

namespace maggi::integration {

/// The name of entry i of y = [q; v].
inline const std::string& entry_name(const Shape& shape, int i) {
  return i < shape.nq() ? shape.coordinates[i].name : shape.velocities[i - shape.nq()].name;
}

}  // namespace maggi::integration
