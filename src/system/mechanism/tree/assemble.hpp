#pragma once
#include "system/mechanism/tree/assembly.hpp"

namespace maggi::mechanism {

template <class Space>
Assembly<Space> assemble(const Model& model, const Numbers& numbers, const Drawing& drawing, const Formulas& formulas);

}  // namespace maggi::mechanism
