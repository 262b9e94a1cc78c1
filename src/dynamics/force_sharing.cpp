#include "dynamics/force_sharing.hpp"

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"
#include "dynamics/feasible_share.hpp"
#include "dynamics/law_solutions.hpp"

namespace maggi {

/// λ ≥ 0 of rows that press, μ_s N − d·τ ≥ 0 of contacts that stick, as forces, linearised at λ.
ForceSharing::Conditions ForceSharing::conditions(const Instant& at, const Mode& mode, const Matrix& C,
                                                  const Vector& lambda, Workspace& w) const {
  const Shape& shape = system_.shape();
  std::vector<double> values;
  std::vector<Vector> gradients;
  for (int i = 0; i < shape.m(); ++i) {
    if (!shape.rows[i].one_sided || !mode.rows[i] || !involved_[i]) continue;
    const double length = C.row(i).norm();
    values.push_back(length * lambda[i]);
    gradients.push_back(length * Vector::Unit(shape.m(), i));
  }
  Vector sense = Vector::Ones(static_cast<Eigen::Index>(shape.laws.size()));
  for (const Contact& contact : shape.contacts)
    for (std::size_t k = 1; k < contact.laws.size(); ++k) sense[contact.laws[k]] = 0.0;
  const Vector tau = Vector::Zero(sense.size());
  if (tau.size() > 0) system_.laws(at, lambda.data(), tau.data(), sense.data(), w);
  for (std::size_t c = 0; c < shape.contacts.size(); ++c) {
    const Contact& contact = shape.contacts[c];
    const auto involved = [&](int row) { return involved_[row]; };
    if (!mode.rows[contact.rows[0]] ||
        !(std::ranges::any_of(contact.rows, involved) || std::ranges::any_of(contact.pressed, involved)))
      continue;
    const Vector bound = w.terms.law(contact.laws), own = lambda(contact.rows);
    Vector hold = Vector::Zero(shape.m());  // the gradient of μ_s N
    if (bound.norm() > 0.0)
      hold = w.terms.hold[c] / bound.squaredNorm() *
             (w.terms.law_gradient(contact.laws, Eigen::all).leftCols(shape.m()).transpose() * bound);
    double length = 0.0;
    for (const int row : contact.rows) length = larger(length, C.row(row).norm());
    for (const Vector& direction : directions_of_cone(static_cast<int>(contact.rows.size()))) {
      values.push_back(length * (w.terms.hold[c] - direction.dot(own)));
      gradients.emplace_back(length * hold);
      gradients.back()(contact.rows) -= length * direction;
    }
  }
  Conditions result{Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size())),
                    Matrix(static_cast<Eigen::Index>(values.size()), shape.m())};
  for (std::size_t k = 0; k < gradients.size(); ++k)
    result.by_lambda.row(static_cast<Eigen::Index>(k)) = gradients[k].transpose();
  return result;
}

ForceSharing::ForceSharing(const System& system) : system_(system) {
  const Shape& shape = system.shape();
  for (int i = 0; i < shape.m(); ++i)
    if (shape.rows[i].one_sided || !shape.rows[i].of_model()) bounded_.push_back(i);
}

bool ForceSharing::needed(const Mode& mode) const {
  return std::ranges::any_of(bounded_, [&](int row) { return mode.rows[row]; });
}

void ForceSharing::share(const Instant& at, const Mode& mode, const std::vector<int>& independent,
                         const std::vector<int>& dependent, Workspace& w, Vector& lambda) {
  const Shape& shape = system_.shape();
  involved_.clear();
  Matrix C(shape.m(), shape.n());
  shape.C.scatter(w.terms.C, C);
  const Matrix Z = open_multipliers(C, independent, dependent);
  involved_.resize(shape.m());
  bool any = false;
  for (int i = 0; i < shape.m(); ++i) {
    involved_[i] = !Z.row(i).isZero(0.0);
    any = any || (involved_[i] && (shape.rows[i].one_sided || !shape.rows[i].of_model()));
  }
  if (!any) return involved_.clear();
  const Conditions all = conditions(at, mode, C, lambda, w);
  const double most = w.terms.h.norm() + (C.transpose() * lambda).norm();
  const FeasibleShare best = find_feasible_share(all.value, all.by_lambda * Z, most);
  margin = best.margin;
  const Vector way = Z * best.z, change = all.by_lambda * way;
  Largest part;  // of the way to the best share: as far as it takes
  for (Eigen::Index k = 0; k < all.value.size(); ++k)
    if (all.value[k] < 0.0 && change[k] > 0.0) part.note(-all.value[k] / change[k]);
  lambda += std::min(1.0, part.value()) * way;
}

}  // namespace maggi
