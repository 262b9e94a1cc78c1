#pragma once
#include <string>

#include "maggi/ideality.hpp"

namespace maggi {

/// ideal, tolerance, states_given, residual; worst: {t, share, power, work, motion by name}; instants: {t, share,
/// power} as lists.
std::string ideality_json(const Ideality& found);

}  // namespace maggi
