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

struct Entry {
  const char* name;
  std::unique_ptr<Basis> (*make)(int n, int max_rows);
  bool smooth = false;  // see is_smooth_basis()
};

constexpr std::array entries{
    Entry{"qr", make<QrBasis>},
    Entry{"svd", make<SvdBasis>},
    Entry{"zero-eigenvalue", make<ZeroEigenvalueBasis>},
    Entry{"schur", make<SchurBasis>},
    Entry{"putd", make<PutdBasis>},
    Entry{"qtz", make<QtzBasis>},
    Entry{"algebraic", make<AlgebraicBasis>, true},
    Entry{"lu", make<LuBasis>, true},
    Entry{"gram-schmidt", make<EuclideanGramSchmidtBasis>, true},
    Entry{"gram-schmidt-deflation", make<DeflationGramSchmidtBasis>},
    Entry{"mass-gram-schmidt", make<MassGramSchmidtBasis>, true},
    Entry{"local", make<LocalBasis>, true},
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

bool is_smooth_basis(std::string_view name) {
  const auto found = std::ranges::find(entries, name, &Entry::name);
  return found != entries.end() && found->smooth;
}

std::unique_ptr<Basis> make_basis(std::string_view name, int n, int max_rows) {
  for (const Entry& entry : entries)
    if (name == entry.name) return entry.make(n, max_rows);
  throw Error(Errc::model, {}, fmt::format("no basis is named \"{}\"", name), suggest_name(name, basis_names()));
}

}  // namespace maggi
