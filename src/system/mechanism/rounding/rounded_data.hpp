#pragma once
#include <vector>

#include "model/numbers.hpp"
#include "system/mechanism/reference/drawing.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

/// Decides for every block of loops whether its joints move within the tolerance of the data, and changes the geometry
/// of those that do by the least amount with which they move exactly; see docs/theory/rounded-data.md. What is read
/// from the drawing afterwards is the geometry of an exactly mobile mechanism. Blocks without small singular values are
/// not touched.
std::vector<MechanismSystem::RoundedLoop> repair_rounded_data(const Mechanism& mechanism, const Numbers& numbers,
                                                              Drawing& drawing);

}  // namespace maggi::mechanism
