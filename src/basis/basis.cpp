#include "maggi/expert/basis.hpp"

#include <fmt/format.h>

#include "base/decompositions.hpp"

namespace maggi {

double Basis::condition() const {
  if (D().cols() == 0) return 1.0;
  if (D().size() == 0) return 1.0;
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

}  // namespace maggi
