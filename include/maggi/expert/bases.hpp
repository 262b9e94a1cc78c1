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

/// What there is to know about a basis before it is computed.
struct BasisFacts {
  const char* name;
  bool smooth = false;  ///< D is a smooth function of the state while its choices are kept; others are aligned
  bool local_coordinates = false;  ///< it is computed from J of the local coordinates, besides C
  bool of_mass_matrix = false;     ///< its columns are orthonormal in the metric of M, which must be regular
};
/// Error with the nearest name if there is no such basis.
const BasisFacts& basis_facts(std::string_view name);
/// Error (model) if the basis of this name, if there is one, applies to no state of a system of this shape: "local"
/// without local coordinates.
void check_basis(std::string_view name, const Shape& shape);

}  // namespace maggi
