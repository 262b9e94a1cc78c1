#pragma once
#include "maggi/model.hpp"

namespace maggi {

/// Names, and what has to be given for each body, joint and force in the plane or in space. Bodies and markers are
/// looked up, and numbers evaluated, in the reference configuration of the mechanism.
void validate_mechanism(const Model& model);

}  // namespace maggi
