#pragma once
#include <memory>

#include "maggi/expert/system.hpp"
#include "model/numbers.hpp"

namespace maggi {

/// The system of a model: from its bodies and joints, or from its formulas. Error as validate().
std::unique_ptr<System> make_system(const Model& model);
/// The same of a model that has passed validate(), whose numbers are known.
std::unique_ptr<System> make_system(const Model& model, const Numbers& numbers);
/// The system of a model that differs in numbers only from that of which `before` was made: equations that do not
/// depend on what these numbers are, are taken over.
std::unique_ptr<System> with_numbers(const System& before, const Model& model, const Numbers& numbers);

}  // namespace maggi
