#pragma once
#include <memory>

#include "system/mechanism/reference/mechanism_source.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

class FormulaMechanism;

/// `before`: one with other numbers, whose derived formulas are taken over where they are the same.
std::unique_ptr<MechanismSystem> make_mechanism(std::shared_ptr<const MechanismSource> source,
                                                const FormulaMechanism* before = nullptr);

/// In absolute coordinates: see MechanismSystem::absolute_twin().
std::unique_ptr<MechanismSystem> make_absolute(const MechanismSource& source);

}  // namespace maggi::mechanism
