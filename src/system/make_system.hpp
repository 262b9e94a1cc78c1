#pragma once
#include <memory>

#include "maggi/expert/system.hpp"

namespace maggi {

/// The system of a model: from its bodies and joints, or from its formulas.
std::unique_ptr<System> make_system(const Model& model);

}  // namespace maggi
