#pragma once
#include "maggi/system/system.hpp"

namespace maggi {

/// Gives every term the size that the shape asks for, filled with zeros.
void size_terms(const Shape& shape, Terms& terms);

}  // namespace maggi
