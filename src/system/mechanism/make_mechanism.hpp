#pragma once
#include <memory>

#include "system/mechanism/functions/make_mechanism.hpp"

namespace maggi::mechanism {

/// See MakeMechanism.
std::unique_ptr<MechanismSystem> make_mechanism(std::shared_ptr<MechanismSource> source,
                                                const FormulaMechanism* before = nullptr);

/// In absolute coordinates: see MechanismSystem::absolute_twin().
std::unique_ptr<MechanismSystem> make_absolute(const MechanismSource& source);

}  // namespace maggi::mechanism
