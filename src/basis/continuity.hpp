#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "maggi/expert/basis.hpp"

namespace maggi {

/// A basis that is a smooth function of the state between two choices, so that u can be integrated.
///
///     frozen            the basis is one by itself while its choices are kept (algebraic, lu, gram-schmidt ...)
///     procrustes        orthonormal columns turned to be as close as possible to a reference D₀
///     procrustes-mass   the same in the metric of M: DᵀM D = 1
///     warm-start        the reference projected on null(C) and orthonormalised in its order
///
/// "" takes frozen where the basis allows it, else procrustes. Error (model) if the name is unknown, if frozen is asked
/// of a basis whose columns turn freely, or another kind of one that needs none.
std::unique_ptr<Basis> make_smooth_basis(std::string_view name, std::string_view continuity, int n, int max_rows);
std::span<const std::string> continuity_names();

}  // namespace maggi
