#pragma once
#include <memory>

#include "analysis/hidden_constraints.hpp"
#include "maggi/expert/system.hpp"

namespace maggi {

/// The system of a model with the constraints that it hides. Error if controls need some that could not be found.
std::unique_ptr<System> make_complete_system(const Model& model, HiddenConstraints& hidden);

}  // namespace maggi
