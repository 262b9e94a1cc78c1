#include "results/law_channels.hpp"

#include "base/cholesky.hpp"
#include "results/reactions.hpp"

namespace maggi::results {

LawChannels::LawChannels(const System& system)
    : system_(system), shape_(system.shape()), workspace_(system.workspace()) {
  const int n = shape_.n(), controls = static_cast<int>(shape_.controls.size());
  M_.resize(n, n), C_.resize(shape_.m(), n), T_.resize(n, shape_.laws.size()), B_.resize(n, controls);
  power_.resize(static_cast<Eigen::Index>(powers().size()));
  contact_.resize(static_cast<Eigen::Index>(shape_.contacts.size()));
}

std::vector<Channel> LawChannels::forces() const {
  std::vector<Channel> channels;
  for (const Channel& law : shape_.laws) channels.push_back({"force." + law.name, law.unit});
  return channels;
}

std::vector<Channel> LawChannels::powers() const {
  std::vector<Channel> channels;
  if (!any()) return channels;
  std::size_t next = 0;
  for (const Contact& contact : shape_.contacts) {
    for (; static_cast<int>(next) < contact.laws.front(); ++next)
      channels.push_back({"power." + shape_.laws[next].name, "W"});
    channels.push_back({"power." + contact.name, "W"});
    next += contact.laws.size();
  }
  for (; next < shape_.laws.size(); ++next) channels.push_back({"power." + shape_.laws[next].name, "W"});
  channels.push_back({"power.constraints", "W"});
  return channels;
}

std::vector<Channel> LawChannels::contacts() const {
  std::vector<Channel> channels;
  for (const Contact& contact : shape_.contacts) channels.push_back({"contact." + contact.name, ""});
  return channels;
}

/// Is the multiplier of this row a force now?
bool LawChannels::exerts(int row, const Mode* mode) const {
  const Row& r = shape_.rows[row];
  const bool on = mode ? mode->rows[row] : r.active_at_start;
  return on && r.kind != RowKind::servo && r.kind != RowKind::sticking;
}

void LawChannels::evaluate(const Sample& sample) {
  if (!any()) return;
  const Terms& terms = workspace_->terms;
  const Acceleration& a = sample.acceleration;
  const Vector& v = sample.state.v;
  system_.acceleration(sample.state, *workspace_);
  shape_.M.scatter(terms.M, M_);
  shape_.C.scatter(terms.C, C_);
  for (int i = 0; i < shape_.m(); ++i)
    if (!exerts(i, sample.mode)) C_.row(i).setZero();
  shape_.T.scatter(terms.T, T_);
  shape_.B.scatter(terms.B, B_);

  // all laws of a contact count as one
  const Vector each = a.tau.cwiseProduct(T_.transpose() * v);
  std::vector<bool> further(shape_.laws.size(), false);
  for (const Contact& contact : shape_.contacts)
    for (std::size_t k = 1; k < contact.laws.size(); ++k) further[contact.laws[k]] = true;
  Eigen::Index next = -1;
  for (std::size_t i = 0; i < further.size(); ++i) {
    if (further[i])
      power_[next] += each[static_cast<Eigen::Index>(i)];
    else
      power_[++next] = each[static_cast<Eigen::Index>(i)];
  }
  power_[next + 1] = a.lambda.dot(C_ * v);

  for (std::size_t c = 0; c < shape_.contacts.size(); ++c) {
    const std::vector<int>& laws = shape_.contacts[c].laws;
    const Vector sense = sample.mode ? Vector(sample.mode->sense(laws)) : Vector::Zero(2);
    contact_[static_cast<Eigen::Index>(c)] = laws.size() == 1 ? sense[0] : sense.norm() > 0.0;
  }

  const Vector all = M_ * a.vdot - terms.h, ideal = all - T_ * a.tau - B_ * a.p;
  Matrix L = M_;
  Vector whole = all, rest = ideal;
  const ForceSplit found = distribute(M_, C_.transpose(), ideal);
  if (cholesky(L)) solve_lower(L, whole), solve_lower(L, rest);
  ideality_ = whole.norm() > 0.0 ? found.rest * rest.norm() / whole.norm() : 0.0;
}

}  // namespace maggi::results
