#include "basis/continuity.hpp"

#include <fmt/format.h>

#include "basis/aligned.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"

namespace maggi {

template <>
const ChoiceList<Continuity>& choice_list() {
  static const ChoiceList<Continuity> list("continuity", {{Continuity::frozen, "frozen"},
                                                          {Continuity::procrustes, "procrustes"},
                                                          {Continuity::procrustes_mass, "procrustes-mass"},
                                                          {Continuity::warm_start, "warm-start"}});
  return list;
}
template class Choice<Continuity>;

std::unique_ptr<Basis> make_smooth_basis(std::string_view name, std::optional<Continuity> continuity, int n,
                                         int max_rows) {
  auto basis = make_basis(name, n, max_rows);
  const bool by_itself = basis_facts(name).smooth;
  if (by_itself && continuity && continuity != Continuity::frozen)
    throw Error(Errc::model, {}, fmt::format("basis \"{}\" is smooth by itself and is not aligned", name),
                "leave the continuity out, or take a basis with orthonormal columns, as qr");
  if (!by_itself && continuity == Continuity::frozen)
    throw Error(Errc::model, {}, fmt::format("basis \"{}\" has no choices to freeze: its columns turn freely", name),
                "take continuity = procrustes, or basis = lu");
  if (by_itself) return basis;
  return std::make_unique<AlignedBasis>(std::move(basis), continuity.value_or(Continuity::procrustes), n);
}

}  // namespace maggi
