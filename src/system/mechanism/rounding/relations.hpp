#pragma once
#include <string>
#include <vector>

#include "system/mechanism/reference/drawing.hpp"

namespace maggi::mechanism {

/// What nearly holds between the axes and lengths of some joints, largest deviation first: "the axes of b and c differ
/// from parallel by 3.1e-08 rad". Deviations above `least` and up to `most` count, of lengths as parts of `size`.
std::vector<std::string> near_relations(const Drawing& drawing, const std::vector<int>& joints, double size,
                                        double least, double most);

}  // namespace maggi::mechanism
