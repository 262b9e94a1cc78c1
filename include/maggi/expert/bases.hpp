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

/// Error (model) if the basis applies to no state of a system of this shape: "local" without local coordinates.
void check_basis(std::string_view name, const Shape& shape);

}  // namespace maggi
