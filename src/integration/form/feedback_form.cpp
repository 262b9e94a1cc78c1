#include "integration/form/feedback_form.hpp"

#include <fmt/format.h>

#include "base/decompositions.hpp"
#include "integration/form/active_rows.hpp"

namespace maggi::integration {

FeedbackForm::FeedbackForm(Dynamics& dynamics, std::unique_ptr<Form> form, double alpha, double beta)
    : Form(dynamics),
      form_(std::move(form)),
      G1_(2 * alpha),
      G0_(beta * beta),
      rows_(shape_, active_rows(dynamics, shape_.s_p + shape_.s_v)),
      factor_(shape_.n(), std::max(1, rows_.size())),
      M_(shape_.n(), shape_.n()),
      C_(rows_.size(), shape_.n()),
      residual_(rows_.size()),
      all_(shape_.s_p + shape_.s_v),
      delta_(shape_.n()),
      at_{0.0, Vector::Zero(shape_.nq()), Vector::Zero(shape_.n())} {}

std::string FeedbackForm::name(int entry) const {
  return entry < form_->size() ? form_->name(entry) : fmt::format("∫{}", shape_.rows[entry - form_->size()].name);
}

bool FeedbackForm::rate(double t, const double* y, double* ydot) {
  if (!(*form_)(t, y, ydot) || !form_->state(t, y, at_)) return false;
  if (!find_correction(y + form_->size())) return false;
  const Terms& terms = dynamics_.workspace().terms;
  std::fill_n(ydot + form_->size(), shape_.s_p, 0.0);
  for (const int i : rows_.rows())
    if (i < shape_.s_p) ydot[form_->size() + i] = terms.f[i];
  corrected_ = at_.v - delta_;
  coordinate_rates(at_.q.data(), corrected_.data(), ydot);
  return corrected_.allFinite();
}

/// δ of (1) at at_.
bool FeedbackForm::find_correction(const double* integral) {
  Workspace& w = dynamics_.workspace();
  const Terms& terms = w.terms;
  dynamics_.system().position(at_, w);
  dynamics_.system().velocity(at_, w);
  all_ = terms.phi;
  for (const int i : rows_.rows())
    if (i < shape_.s_p) all_[i] += G1_ * terms.f[i] + G0_ * integral[i];
  shape_.M.scatter(terms.M, M_);
  rows_.matrix(terms.C, C_);
  rows_.vector(all_, residual_);
  if (!residual_.allFinite() || !factor_.compute(M_, C_)) return false;
  factor_.least_change(residual_, delta_);
  return true;
}

/// The derivatives of δ, after find_correction().
bool FeedbackForm::differentiate_correction() {
  const int n = shape_.n(), s_p = shape_.s_p, rank = factor_.rank();
  independent_.assign(factor_.independent().begin(), factor_.independent().end());
  K_.setZero(n + rank, n + rank);
  K_.topLeftCorner(n, n) = M_;
  for (int k = 0; k < rank; ++k) {
    K_.row(n + k).head(n) = C_.row(independent_[k]);
    K_.col(n + k).head(n) = -C_.row(independent_[k]).transpose();
  }
  const Eigen::PartialPivLU<Matrix> lu(K_);
  right_.setZero(n + rank, 2 * n + s_p);
  for (int k = 0; k < rank; ++k) right_(n + k, 0) = residual_[independent_[k]];
  const Vector solution = lu.solve(right_.col(0));  // δ and μ
  Acceleration held;
  held.vdot = solution.head(n);
  held.lambda.setZero(shape_.m());
  for (int k = 0; k < rank; ++k) held.lambda[rows_.rows()[independent_[k]]] = solution[n + k];

  const System& system = dynamics_.system();
  Workspace& w = dynamics_.workspace();
  system.acceleration_derivatives(at_, held, {}, w, with_);
  system.acceleration_derivatives(at_, {}, {}, w, without_);
  system.velocity_derivatives(at_, w, of_rows_);
  right_.topLeftCorner(n, n) = with_.balance_q - without_.balance_q;
  right_.block(0, n, n, n) = with_.balance_v - without_.balance_v;
  for (int k = 0; k < rank; ++k) {
    const int row = rows_.rows()[independent_[k]];
    auto by_q = right_.row(n + k).head(n), by_v = right_.row(n + k).segment(n, n);
    by_q = with_.rows_q.row(row) - without_.rows_q.row(row) + of_rows_.phi_q.row(row);
    by_v = with_.rows_v.row(row) - without_.rows_v.row(row) + C_.row(independent_[k]);
    if (row >= s_p) continue;
    by_q += G1_ * C_.row(independent_[k]);
    right_(n + k, 2 * n + row) = G0_;
  }
  const Matrix all = lu.solve(right_);
  delta_q_ = all.topLeftCorner(n, n);
  delta_v_ = all.block(0, n, n, n);
  delta_z_ = all.topRightCorner(n, s_p);
  return all.allFinite();
}

bool FeedbackForm::linearise(double t, const double* y, bool with_power, FormDerivatives& d) {
  const int inner = form_->size(), nq = shape_.nq(), n = shape_.n(), s_p = shape_.s_p;
  if (!form_->linearise(t, y, with_power, inner_) || !form_->state(t, y, at_)) return false;
  if (!find_correction(y + inner) || !differentiate_correction()) return false;
  corrected_ = at_.v - delta_;
  rates_.compute(dynamics_.system(), at_.q.data(), corrected_.data());
  for (auto [all, of_inner] : {std::pair(&d.displacement, &inner_.displacement), {&d.velocity, &inner_.velocity}}) {
    all->setZero(n, size());
    all->leftCols(inner) = *of_inner;
  }
  d.rate.setZero(size(), size());
  d.rate.topLeftCorner(inner, inner) = inner_.rate;
  Matrix of_corrected = d.velocity - delta_q_ * d.displacement - delta_v_ * d.velocity;
  of_corrected.rightCols(s_p) -= delta_z_;
  d.rate.topRows(nq).noalias() = rates_.N() * of_corrected;
  d.rate.topLeftCorner(nq, nq) += rates_.by_q();
  for (Eigen::Index k = 0; k < C_.rows(); ++k)
    if (const int row = rows_.rows()[static_cast<std::size_t>(k)]; row < s_p)
      d.rate.row(inner + row).noalias() = C_.row(k) * d.displacement;
  if (!with_power) return true;
  d.power.setZero(size());
  d.power.head(inner) = inner_.power;
  return true;
}

}  // namespace maggi::integration
