#include "dynamics/contact_problem.hpp"

#include <algorithm>
#include <cmath>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "maggi/error.hpp"

namespace maggi {

namespace {

/// S with ‖S v‖² = vᵀ M v; M may be singular.
Matrix root_of_inertia(const Matrix& M) {
  const Eigen::LLT<Matrix> cholesky(M);
  if (cholesky.info() == Eigen::Success) return cholesky.matrixU();
  return Eigen::SelfAdjointEigenSolver<Matrix>(M).eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal() *
         Eigen::SelfAdjointEigenSolver<Matrix>(M).eigenvectors().transpose();
}

double length_in_metric(const MetricFactor& metric, Vector direction) {
  metric.enter_metric(direction);
  return direction.norm();
}

double positive_or_one(double length) { return length > 0.0 ? length : 1.0; }

}  // namespace

ContactProblem::ContactProblem(const System& system, Workspace& w)
    : system_(system), shape_(system.shape()), w_(w), M_(shape_.n(), shape_.n()), C_(shape_.m(), shape_.n()) {
  nonlinear_ = std::ranges::any_of(shape_.rows,
                                   [](const Row& row) { return row.level == Level::acceleration && row.nonlinear; });
  std::vector<bool> friction(shape_.laws.size(), false);
  for (const Contact& contact : shape_.contacts)
    for (const int law : contact.laws) friction[law] = true;
  for (std::size_t i = 0; i < friction.size(); ++i)
    if (!friction[i]) laws_.push_back(static_cast<int>(i));
}

void ContactProblem::pose(const ContactQuestion& question, const State& at, const Vector& near) {
  at_ = at;
  impact_ = false;
  system_.acceleration(at_, w_);
  if (nonlinear_) system_.nonlinear_rows(at_, near.data(), Vector(Vector::Zero(shape_.m())).data(), w_);
  shape_.M.scatter(w_.terms.M, M_);
  shape_.C.scatter(w_.terms.C, C_);
  h_ = w_.terms.h;
  gamma_ = w_.terms.gamma;
  scale_and_count(question);
  eliminate();
  find_held(question);
  size += size_of_laws();
}

/// M v⁺ = M v⁻ + C_Eᵀ Λ_E + G x and, where rows are not linear in v,  C v⁺ = C v − φ(v). Rows at acceleration level
/// hold during the impact too: C v̇ = γ over no time is C v⁺ = C v⁻.
void ContactProblem::pose_impact(const ContactQuestion& question, const State& before, const State& at) {
  at_ = at;
  impact_ = true;
  system_.acceleration(at_, w_);
  shape_.M.scatter(w_.terms.M, M_);
  shape_.C.scatter(w_.terms.C, C_);
  system_.velocity(at_, w_);
  h_ = M_ * before.v;
  gamma_ = C_ * at_.v;
  gamma_.head(w_.terms.phi.size()) -= w_.terms.phi;
  gamma_.tail(shape_.s_a) = C_.bottomRows(shape_.s_a) * before.v;
  scale_and_count(question);
  eliminate();
  find_held(question);
}

/// The directions of all forces and the rows of all rates, in the metric of unit length.
void ContactProblem::scale_and_count(const ContactQuestion& question) {
  const Eigen::Index n = shape_.n();
  Matrix T = Matrix::Zero(n, static_cast<Eigen::Index>(shape_.laws.size())),
         B = Matrix::Zero(n, static_cast<Eigen::Index>(shape_.controls.size()));
  shape_.T.scatter(w_.terms.T, T);
  shape_.B.scatter(w_.terms.B, B);
  MetricFactor metric(shape_.n(), static_cast<int>(question.hold.size()));
  if (!metric.compute(M_, C_(question.hold, Eigen::all)))
    throw Error(Errc::model, {}, "a motion that the constraints allow has no inertia");
  hold_.clear();
  for (const int i : metric.independent()) hold_.push_back(question.hold[i]);

  servo_ = static_cast<int>(question.servo.size());
  stop_rows = question.touch;
  std::vector<int> rows = question.servo;
  rows.insert(rows.end(), stop_rows.begin(), stop_rows.end());
  int forces = first_stop() + stops();
  rubs.clear();
  for (const ContactQuestion::Rub& asked : question.rubs) {
    const Contact& contact = shape_.contacts[asked.contact];
    Rub rub{asked.contact,
            forces,
            static_cast<int>(rows.size()),
            static_cast<int>(contact.laws.size()),
            asked.slides,
            asked.sense,
            {},
            contact.pressed.empty(),
            false};
    for (const int row : contact.pressed)
      if (const auto stop = std::ranges::find(stop_rows, row); stop != stop_rows.end())
        rub.stops.push_back(static_cast<int>(stop - stop_rows.begin()));
      else if (std::ranges::find(question.hold, row) != question.hold.end())
        rub.always = true;
    rows.insert(rows.end(), contact.rows.begin(), contact.rows.end());
    forces += rub.size;
    rubs.push_back(std::move(rub));
  }

  R_ = C_(rows, Eigen::all);
  b = -gamma_(rows);
  G_ = Matrix::Zero(n, forces);
  Tau_ = Matrix::Zero(static_cast<Eigen::Index>(shape_.laws.size()), forces);
  Vector force_length(forces), rate_length(static_cast<Eigen::Index>(rows.size()));
  G_.leftCols(controls()) = B.leftCols(controls());
  for (int l = 0; l < laws(); ++l) {
    G_.col(first_law() + l) = T.col(laws_[l]);
    Tau_(laws_[l], first_law() + l) = 1.0;
  }
  for (int s = 0; s < stops(); ++s) G_.col(first_stop() + s) = C_.row(stop_rows[s]).transpose();
  for (const Rub& rub : rubs)
    for (int k = 0; k < rub.size; ++k) {
      const int law = shape_.contacts[rub.contact].laws[k];
      G_.col(rub.force + k) = T.col(law);
      Tau_(law, rub.force + k) = 1.0;
    }
  for (int k = 0; k < forces; ++k) force_length[k] = length_in_metric(metric, G_.col(k));
  for (Eigen::Index k = 0; k < R_.rows(); ++k) rate_length[k] = length_in_metric(metric, R_.row(k).transpose());
  for (const Rub& rub : rubs) {  // the components of one contact keep their proportion
    force_length.segment(rub.force, rub.size).setConstant(largest(force_length.segment(rub.force, rub.size)));
    rate_length.segment(rub.rate, rub.size).setConstant(largest(rate_length.segment(rub.rate, rub.size)));
  }
  force_scale_ = force_length.unaryExpr(&positive_or_one);
  rate_scale_ = rate_length.unaryExpr(&positive_or_one);
  G_ = (G_ * force_scale_.cwiseInverse().asDiagonal()).eval();
  Tau_ = (Tau_ * force_scale_.cwiseInverse().asDiagonal()).eval();
  R_ = (rate_scale_.cwiseInverse().asDiagonal() * R_).eval();
  b = rate_scale_.cwiseInverse().cwiseProduct(b);

  size = length_in_metric(metric, h_) + b.norm();
  constexpr double nothing_acts = 1e-12;  // [m/s²], where forces are rounding
  size += nothing_acts * M_.diagonal().cwiseMax(0.0).cwiseSqrt().norm();
  for (const int row : hold_)
    size += std::abs(gamma_[row]) / positive_or_one(length_in_metric(metric, C_.row(row).transpose()));
}

void ContactProblem::eliminate() {
  const Eigen::Index n = shape_.n(), m = static_cast<Eigen::Index>(hold_.size()), forces = G_.cols();
  Matrix kkt = Matrix::Zero(n + m, n + m), right = Matrix::Zero(n + m, 1 + forces);
  kkt.topLeftCorner(n, n) = M_;
  kkt.topRightCorner(n, m) = -C_(hold_, Eigen::all).transpose();
  kkt.bottomLeftCorner(m, n) = C_(hold_, Eigen::all);
  right.col(0) << h_, gamma_(hold_);
  right.topRightCorner(n, forces) = G_;
  const Matrix solved = kkt.partialPivLu().solve(right);
  vdot0_ = solved.col(0).head(n);
  V_ = solved.topRightCorner(n, forces);
  lambda0_ = Vector::Zero(shape_.m());
  Lambda_ = Matrix::Zero(shape_.m(), forces);
  lambda0_(hold_) = solved.col(0).tail(m);
  Lambda_(hold_, Eigen::all) = solved.bottomRightCorner(m, forces);
  for (int s = 0; s < stops(); ++s) Lambda_(stop_rows[s], first_stop() + s) = 1.0 / force_scale_[first_stop() + s];
  b += R_ * vdot0_;
  W = R_ * V_;
  Y_ = root_of_inertia(M_) * V_;
}

/// A contact is held if its rows of sliding depend on the rows in force in any case and on those that controls keep.
void ContactProblem::find_held(const ContactQuestion& question) {
  constexpr double dependent = 1e-10;  // of the length of a row, in the metric: as for every rank
  if (rubs.empty()) return;
  std::vector<int> rows = question.hold;
  rows.insert(rows.end(), question.servo.begin(), question.servo.end());
  MetricFactor metric(shape_.n(), static_cast<int>(rows.size()));
  metric.compute(M_, C_(rows, Eigen::all));
  for (Rub& rub : rubs) {
    Largest free;
    for (int k = 0; k < rub.size; ++k) {
      Vector row = R_.row(rub.rate + k).transpose();
      metric.enter_metric(row);
      metric.take_off_rows(row);
      free.note(row.norm());
    }
    rub.held = within(free.value(), dependent);
  }
}

/// The forces of the laws at rest of all others, as far as each law alone says: they may be all that acts.
double ContactProblem::size_of_laws() {
  if (laws() == 0) return 0.0;
  Bounds bounds;
  const Vector none = Vector::Zero(forces());
  find_bounds(lambda(none), tau(none), bounds);
  double sum = 0.0;
  for (int l = 0; l < laws(); ++l) {
    const double own = bounds.law_by_x(l, first_law() + l), force = std::abs(bounds.law[l] / own);
    if (std::isfinite(force)) sum += force;
  }
  return sum;
}

void ContactProblem::find_bounds(const Vector& lambda, const Vector& tau, Bounds& bounds) {
  const auto count = static_cast<Eigen::Index>(rubs.size());
  const Eigen::Index m = shape_.m(), all = static_cast<Eigen::Index>(shape_.laws.size());
  bounds.at_zero = bounds.hold = bounds.ratio = Vector::Zero(count);
  bounds.by_x = Matrix::Zero(count, forces());
  Vector sense = Vector::Ones(all);
  for (const Contact& contact : shape_.contacts)
    for (std::size_t k = 1; k < contact.laws.size(); ++k) sense[contact.laws[k]] = 0.0;
  system_.laws(at_, lambda.data(), tau.data(), sense.data(), w_);
  const Terms& terms = w_.terms;
  const Vector from_lambda = lambda0_ - lambda;  // x = 0 seen from here
  const auto by_x = [&](const Vector& gradient) -> Vector {
    return (gradient.head(m).transpose() * Lambda_ + gradient.tail(all).transpose() * Tau_).transpose();
  };
  for (Eigen::Index j = 0; j < count; ++j) {
    const Rub& rub = rubs[j];
    const std::vector<int>& laws = shape_.contacts[rub.contact].laws;
    Vector force(rub.size);  // μ N along a unit vector: the law is τ + μ N u
    for (int k = 0; k < rub.size; ++k) force[k] = terms.law[laws[k]] - tau[laws[k]];
    const double bound = force.norm();
    if (bound == 0.0) continue;
    Vector gradient = Vector::Zero(m + all);
    for (int k = 0; k < rub.size; ++k) {
      Vector own = terms.law_gradient.row(laws[k]).transpose();
      own[m + laws[k]] -= 1.0;
      gradient += force[k] / bound * own;
    }
    const double scale = force_scale_[rub.force];  // bounds are compared with entries of x
    bounds.by_x.row(j) = scale * by_x(gradient).transpose();
    bounds.at_zero[j] = scale * (bound + gradient.head(m).dot(from_lambda) - gradient.tail(all).dot(tau));
    bounds.hold[j] = scale * terms.hold[rub.contact];
    bounds.ratio[j] = impact_ ? 1.0 : terms.hold[rub.contact] / bound;  // stiction is for what rests
  }
  bounds.law = Vector::Zero(laws());
  bounds.law_by_x = Matrix::Zero(laws(), forces());
  for (int l = 0; l < laws(); ++l) {
    const Vector gradient = terms.law_gradient.row(laws_[l]).transpose();
    bounds.law_by_x.row(l) = by_x(gradient).transpose();
    bounds.law[l] = terms.law[laws_[l]] + gradient.head(m).dot(from_lambda) - gradient.tail(all).dot(tau);
  }
}

}  // namespace maggi
