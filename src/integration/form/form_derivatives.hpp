#pragma once
#include "maggi/expert/linear.hpp"

namespace maggi::integration {

/// A form linearised at one y, exactly. The state (q, v) that belongs to y + dy is q + N(q) δ and v + dv.
struct FormDerivatives {
  Matrix rate;          ///< ∂ẏ/∂y
  Matrix displacement;  ///< n × size: δ = displacement dy
  Matrix velocity;      ///< n × size: dv = velocity dy
  Vector power;         ///< of all reactions, by y; only where it was asked for
};

}  // namespace maggi::integration
