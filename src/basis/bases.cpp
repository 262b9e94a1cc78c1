#include "maggi/expert/bases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/names.hpp"
#include "basis/algebraic.hpp"
#include "basis/gram_schmidt.hpp"
#include "basis/huang.hpp"
#include "basis/local.hpp"
#include "basis/lu.hpp"
#include "basis/putd.hpp"
#include "basis/qr.hpp"
#include "basis/qtz.hpp"
#include "basis/schur.hpp"
#include "basis/svd.hpp"
#include "basis/zero_eigenvalue.hpp"
#include "maggi/error.hpp"

namespace maggi {

namespace {

template <class Kind>
std::unique_ptr<Basis> make(int n, int max_rows) {
  return std::make_unique<Kind>(n, max_rows);
}

struct Entry : BasisFacts {
  std::unique_ptr<Basis> (*make)(int n, int max_rows);
};

constexpr std::array entries{
    Entry{{.name = "qr"}, make<QrBasis>},
    Entry{{.name = "svd"}, make<SvdBasis>},
    Entry{{.name = "zero-eigenvalue"}, make<ZeroEigenvalueBasis>},
    Entry{{.name = "schur"}, make<SchurBasis>},
    Entry{{.name = "putd"}, make<PutdBasis>},
    Entry{{.name = "qtz"}, make<QtzBasis>},
    Entry{{.name = "algebraic", .smooth = true}, make<AlgebraicBasis>},
    Entry{{.name = "lu", .smooth = true}, make<LuBasis>},
    Entry{{.name = "gram-schmidt", .smooth = true}, make<EuclideanGramSchmidtBasis>},
    Entry{{.name = "gram-schmidt-deflation"}, make<DeflationGramSchmidtBasis>},
    Entry{{.name = "mass-gram-schmidt", .smooth = true, .of_mass_matrix = true}, make<MassGramSchmidtBasis>},
    Entry{{.name = "local", .smooth = true, .local_coordinates = true}, make<LocalBasis>},
    Entry{{.name = "huang"}, make<HuangBasis>},
};

const Entry& basis_entry(std::string_view name) {
  const auto found = std::ranges::find(entries, name, &Entry::name);
  if (found != entries.end()) return *found;
  throw Error(Errc::model, {}, fmt::format("no basis is named \"{}\"", name), suggest_name(name, basis_names()));
}

}  // namespace

std::span<const std::string> basis_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Entry& entry : entries) all.emplace_back(entry.name);
    return all;
  }();
  return names;
}

std::unique_ptr<Basis> make_basis(std::string_view name, int n, int max_rows) {
  return basis_entry(name).make(n, max_rows);
}

const BasisFacts& basis_facts(std::string_view name) { return basis_entry(name); }

void check_basis(std::string_view name, const Shape& shape) {
  const auto found = std::ranges::find(entries, name, &Entry::name);
  if (found == entries.end() || !found->local_coordinates || shape.nx() > 0 || shape.m() == 0) return;
  std::vector<std::string> others(basis_names().begin(), basis_names().end());
  std::erase(others, std::string(name));
  throw Error(Errc::model, {}, "the model has no local coordinates, of which basis \"local\" is made",
              fmt::format("write the points that are constrained in [local], or take {}", list_names(others)));
}

}  // namespace maggi
