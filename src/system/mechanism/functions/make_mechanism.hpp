#pragma once
#include <memory>

#include "system/mechanism/reference/mechanism_source.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

class FormulaMechanism;

/// Makes the mechanism of a source, whose rounded data it repairs first. `before`: one with other numbers, whose
/// derived formulas are taken over where they are the same. What is made keeps the function, to make others.
using MakeMechanism = std::unique_ptr<MechanismSystem> (*)(std::shared_ptr<MechanismSource> source,
                                                           const FormulaMechanism* before);

}  // namespace maggi::mechanism
