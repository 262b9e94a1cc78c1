#include "integration/method/ggl_form.hpp"

#include <algorithm>
#include <cmath>

namespace maggi::integration {

GglForm::GglForm(Dynamics& dynamics)
    : dynamics_(dynamics),
      shape_(dynamics.shape()),
      rows_(dynamics.rows()),
      nq_(shape_.nq()),
      n_(shape_.n()),
      m_(rows_.size()),
      M_(n_, n_),
      C_(m_, n_),
      vdot_(n_),
      lambda_(m_),
      lambda_all_(shape_.m()),
      speed_(n_),
      balance_(n_),
      psi_(m_) {
  for (const int i : rows_.rows()) {
    if (i < shape_.s_p) ++m_p_;
    if (i < shape_.s_p + shape_.s_v) ++m_pv_;
    if (i >= shape_.s_p + shape_.s_v && shape_.rows[i].nonlinear) nonlinear_ = true;
  }
  mu_.resize(m_p_);
}

bool GglForm::begin(double t, const double* state, double* y, double* ydot) {
  Acceleration a{Vector::Zero(n_), Vector::Zero(shape_.m()), Vector::Zero(n_)};
  if (!dynamics_.solve({t, state, state + nq_}, a)) return false;
  rows_.vector(a.lambda, lambda_);

  std::fill(y, y + size(), 0.0);
  std::fill(ydot, ydot + size(), 0.0);
  std::copy(state, state + nq_ + n_, y);
  std::copy(lambda_.data(), lambda_.data() + m_, y + nq_ + n_);
  dynamics_.system().coordinate_rates(state, state + nq_, ydot);
  std::copy(a.vdot.data(), a.vdot.data() + n_, ydot + nq_);
  return true;
}

bool GglForm::residual(double t, const double* y, const double* ydot, double* r) {
  const System& system = dynamics_.system();
  Workspace& w = dynamics_.workspace();
  const Instant at(t, y, y + nq_);
  double *r_q = r, *r_v = r + nq_, *r_phi = r_v + n_, *r_f = r_phi + m_;

  system.position(at, w);  // (5)
  for (int i = 0; i < m_p_; ++i) r_f[i] = w.terms.f[rows_.rows()[i]];
  system.velocity(at, w);  // (3)
  for (int i = 0; i < m_pv_; ++i) r_phi[i] = w.terms.phi[rows_.rows()[i]];

  vdot_ = Eigen::Map<const Vector>(ydot + nq_, n_);
  lambda_ = Eigen::Map<const Vector>(y + nq_ + n_, m_);
  mu_ = Eigen::Map<const Vector>(y + nq_ + n_ + m_, m_p_);
  system.acceleration(at, w);
  if (nonlinear_) {
    rows_.expand(lambda_, lambda_all_);
    system.nonlinear_rows(at, vdot_.data(), lambda_all_.data(), w);
  }
  shape_.M.scatter(w.terms.M, M_);
  rows_.matrix(w.terms.C, C_);
  rows_.vector(w.terms.gamma, psi_);
  psi_.noalias() -= C_ * vdot_;  // γ − C v̇ = −ψ, exact at this v̇ for nonlinear rows too
  for (int i = m_pv_; i < m_; ++i) r_phi[i] = -psi_[i];  // (4)

  balance_.noalias() = M_ * vdot_ - w.terms.h;  // (2)
  balance_.noalias() -= C_.transpose() * lambda_;
  std::copy(balance_.data(), balance_.data() + n_, r_v);

  speed_ = Eigen::Map<const Vector>(y + nq_, n_);  // (1)
  speed_.noalias() -= C_.topRows(m_p_).transpose() * mu_;
  system.coordinate_rates(y, speed_.data(), r_q);
  for (int i = 0; i < nq_; ++i) r_q[i] = ydot[i] - r_q[i];
  return std::all_of(r, r + size(), [](double x) { return std::isfinite(x); });
}

}  // namespace maggi::integration
