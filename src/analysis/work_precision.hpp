#pragma once
#include <optional>
#include <span>

#include "maggi/comparison.hpp"

namespace maggi {

/// The work to end with a relative error of `accuracy`: interpolated between the two runs around it, work and error
/// both in logarithms. If the loosest run is better already, what that one takes; nothing if no run comes so close.
std::optional<Work> work_to(double accuracy, std::span<const WorkPoint> points);

}  // namespace maggi
