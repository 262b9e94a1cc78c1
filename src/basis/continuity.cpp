#include "basis/continuity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/names.hpp"
#include "basis/aligned.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"

namespace maggi {

namespace {

/// Bases whose D is a smooth function of the state while their choices are kept.
constexpr std::array smooth{"algebraic", "lu", "gram-schmidt", "mass-gram-schmidt", "local"};

AlignedBasis::Kind kind_of(std::string_view continuity) {
  if (continuity == "procrustes-mass") return AlignedBasis::Kind::procrustes_mass;
  if (continuity == "warm-start") return AlignedBasis::Kind::warm_start;
  return AlignedBasis::Kind::procrustes;
}

}  // namespace

std::span<const std::string> continuity_names() {
  static const std::vector<std::string> names{"frozen", "procrustes", "procrustes-mass", "warm-start"};
  return names;
}

std::unique_ptr<Basis> make_smooth_basis(std::string_view name, std::string_view continuity, int n, int max_rows) {
  const auto names = continuity_names();
  if (!continuity.empty() && std::find(names.begin(), names.end(), continuity) == names.end())
    throw Error(Errc::model, {}, fmt::format("no continuity is named \"{}\"", continuity),
                suggest_name(std::string(continuity), names));
  auto basis = make_basis(name, n, max_rows);
  const bool by_itself = std::find(smooth.begin(), smooth.end(), name) != smooth.end();
  if (by_itself && !continuity.empty() && continuity != "frozen")
    throw Error(Errc::model, {}, fmt::format("basis \"{}\" is smooth by itself and is not aligned", name),
                "leave the continuity out, or take a basis with orthonormal columns, as qr");
  if (!by_itself && continuity == "frozen")
    throw Error(Errc::model, {}, fmt::format("basis \"{}\" has no choices to freeze: its columns turn freely", name),
                fmt::format("take continuity = procrustes, or basis = {}", smooth[1]));
  if (by_itself) return basis;
  return std::make_unique<AlignedBasis>(std::move(basis), kind_of(continuity), n);
}

}  // namespace maggi
