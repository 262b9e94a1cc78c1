#include "maggi/basis/basis.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <array>

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
#include "maggi/base/error.hpp"
#include "maggi/base/names.hpp"

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

double Basis::condition() const {
  if (D().cols() == 0) return 1.0;
  const Vector sigma = Eigen::JacobiSVD<Matrix>(D()).singularValues();
  return sigma[0] / sigma[sigma.size() - 1];
}

bool Basis::rate(const Rates& /*rates*/, Matrix& /*Ddot*/) const { return false; }

void Basis::tangent(const Vector& v, Vector& u) const { u.noalias() = D().transpose() * v; }

bool Basis::tangent_rate(const Rates& rates, const Vector& v, const Vector& vdot, Vector& udot) const {
  Matrix Ddot;
  if (!rate(rates, Ddot)) return false;
  udot.noalias() = D().transpose() * vdot + Ddot.transpose() * v;
  return true;
}

std::string Basis::closed_form(DerivedEquations& /*equations*/, std::vector<expression::Id>& /*D*/) const {
  return fmt::format("basis \"{}\" has none; algebraic, lu and local have one", name());
}

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

}  // namespace maggi
