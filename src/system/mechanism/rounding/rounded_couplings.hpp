#pragma once
#include <vector>

#include "model/numbers.hpp"
#include "system/mechanism/reference/drawing.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

/// Couplings whose factors are rounded, such as a ring of gears with a ratio of 0.3333333: the couplings that share
/// coordinates are rows of a constant matrix, and small singular values of it propose a lower rank. If the matrix has
/// this rank after changes of its factors that are rounding, the least of them are made.
///
///     A∘(1 + p), of all p with rank r the smallest:   U₂ᵀ (A∘p) V₂ = −U₂ᵀ A V₂, iterated
///
/// `mechanism` is a copy whose couplings are changed; what is found is added to `found`.
void repair_couplings(const Drawing& drawing, const Numbers& numbers, Mechanism& mechanism,
                      std::vector<MechanismSystem::RoundedLoop>& found);

}  // namespace maggi::mechanism
