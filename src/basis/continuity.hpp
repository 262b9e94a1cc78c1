#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "base/choice_list.hpp"
#include "maggi/expert/basis.hpp"
#include "maggi/run_options.hpp"

namespace maggi {

/// A basis that is a smooth function of the state between two choices, so that u can be integrated.
///
///     frozen            the basis is one by itself while its choices are kept (algebraic, lu, gram-schmidt ...)
///     procrustes        orthonormal columns turned to be as close as possible to a reference D₀
///     procrustes-mass   the same in the metric of M: DᵀM D = 1
///     warm-start        the reference projected on null(C) and orthonormalised in its order
///
/// Without a continuity: frozen where the basis allows it, else procrustes. Error (model) if frozen is asked of a basis
/// whose columns turn freely, or another kind of one that needs none.
std::unique_ptr<Basis> make_smooth_basis(std::string_view name, std::optional<Continuity> continuity, int n,
                                         int max_rows);

template <>
const ChoiceList<Continuity>& choice_list();

}  // namespace maggi
