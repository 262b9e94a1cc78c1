#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "maggi/expert/basis.hpp"

namespace maggi {

/// "qr" ...; Error with the nearest name if there is no such basis.
std::unique_ptr<Basis> make_basis(std::string_view name, int n, int max_rows);
std::span<const std::string> basis_names();
/// Is D of the basis with this name a smooth function of the state while its choices are kept? Then it is used as it
/// is where D is integrated; the others are aligned with an earlier one.
bool is_smooth_basis(std::string_view name);

}  // namespace maggi
