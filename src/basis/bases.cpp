#include "maggi/expert/bases.hpp"

#include <fmt/format.h>

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

struct Entry {
  const char* name;
  std::unique_ptr<Basis> (*make)(int n, int max_rows);
};

constexpr std::array entries{
    Entry{"qr", make<QrBasis>},
    Entry{"svd", make<SvdBasis>},
    Entry{"zero-eigenvalue", make<ZeroEigenvalueBasis>},
    Entry{"schur", make<SchurBasis>},
    Entry{"putd", make<PutdBasis>},
    Entry{"qtz", make<QtzBasis>},
    Entry{"algebraic", make<AlgebraicBasis>},
    Entry{"lu", make<LuBasis>},
    Entry{"gram-schmidt", make<EuclideanGramSchmidtBasis>},
    Entry{"gram-schmidt-deflation", make<DeflationGramSchmidtBasis>},
    Entry{"mass-gram-schmidt", make<MassGramSchmidtBasis>},
    Entry{"local", make<LocalBasis>},
    Entry{"huang", make<HuangBasis>},
};

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
  for (const Entry& entry : entries)
    if (name == entry.name) return entry.make(n, max_rows);
  throw Error(Errc::model, {}, fmt::format("no basis is named \"{}\"", name), suggest_name(name, basis_names()));
}

void check_basis(std::string_view name, const Shape& shape) {
  if (name != "local" || shape.nx() > 0 || shape.m() == 0) return;
  std::vector<std::string> others(basis_names().begin(), basis_names().end());
  std::erase(others, "local");
  throw Error(Errc::model, {}, "the model has no local coordinates, of which basis \"local\" is made",
              fmt::format("write the points that are constrained in [local], or take {}", list_names(others)));
}

}  // namespace maggi
