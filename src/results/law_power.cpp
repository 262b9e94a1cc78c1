#include "results/law_power.hpp"

#include "base/cholesky.hpp"
#include "results/reactions.hpp"

namespace maggi::results {

LawPower::LawPower(const System& system)
    : system_(system), shape_(system.shape()), workspace_(system.workspace()), place_(shape_.laws.size(), -1) {
  const int n = shape_.n(), controls = static_cast<int>(shape_.controls.size());
  M_.resize(n, n), C_.resize(shape_.m(), n), T_.resize(n, shape_.laws.size()), B_.resize(n, controls);
  std::vector<const Contact*> contact_of(shape_.laws.size(), nullptr);
  for (const Contact& contact : shape_.contacts)
    for (const int law : contact.laws) contact_of[law] = &contact;
  for (std::size_t i = 0; i < place_.size(); ++i) {
    if (place_[i] >= 0) continue;
    if (contact_of[i])
      for (const int law : contact_of[i]->laws) place_[law] = static_cast<int>(names_.size());
    else
      place_[i] = static_cast<int>(names_.size());
    names_.push_back(contact_of[i] ? contact_of[i]->name : shape_.laws[i].name);
  }
  of_laws_.setZero(static_cast<Eigen::Index>(names_.size()));
}

/// Is the multiplier of this row a force now?
bool LawPower::exerts(int row, const Mode* mode) const {
  const Row& r = shape_.rows[row];
  const bool on = mode ? mode->rows[row] : r.active_at_start;
  return on && r.has_multiplier() && r.of_model();
}

void LawPower::load(const Sample& sample) {
  const Terms& terms = workspace_->terms;
  system_.acceleration(sample.state, *workspace_);
  shape_.M.scatter(terms.M, M_);
  shape_.C.scatter(terms.C, C_);
  for (int i = 0; i < shape_.m(); ++i)
    if (!exerts(i, sample.mode)) C_.row(i).setZero();
  shape_.T.scatter(terms.T, T_);
  shape_.B.scatter(terms.B, B_);
}

void LawPower::evaluate(const Sample& sample) {
  const Acceleration& a = sample.acceleration;
  const Vector& v = sample.state.v;
  load(sample);
  const Vector each = a.tau.cwiseProduct(T_.transpose() * v);
  of_laws_.setZero();
  for (std::size_t i = 0; i < place_.size(); ++i) of_laws_[place_[i]] += each[static_cast<Eigen::Index>(i)];
  of_constraints_ = a.lambda.dot(C_ * v);
  ideality_ = non_ideal_part(a);
}

double LawPower::non_ideal_part(const Acceleration& a) {
  const Vector all = M_ * a.vdot - workspace_->terms.h, ideal = all - T_ * a.tau - B_ * a.p;
  Matrix L = M_;
  Vector whole = all, rest = ideal;
  const ForceSplit found = distribute(M_, C_.transpose(), ideal);
  if (cholesky(L)) solve_lower(L, whole), solve_lower(L, rest);
  return whole.norm() > 0.0 ? found.rest * rest.norm() / whole.norm() : 0.0;
}

}  // namespace maggi::results
