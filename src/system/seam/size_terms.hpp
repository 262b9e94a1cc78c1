#pragma once
#include "maggi/expert/system.hpp"

namespace maggi {

/// Gives every term the size that the shape asks for, filled with zeros.
void size_terms(const Shape& shape, Terms& terms);

/// J and J̇ are filled where they have their size. Where they cost something of their own, they are left out until
/// somebody asks for them.
void leave_out_J(Terms& terms);
void ask_for_J(const Shape& shape, Terms& terms);

}  // namespace maggi
