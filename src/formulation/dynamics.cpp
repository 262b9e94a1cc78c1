#include "maggi/formulation/dynamics.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "maggi/base/error.hpp"
#include "maggi/base/names.hpp"

namespace maggi {

namespace {
Mode mode_at_start(const Shape& shape) {
  Mode mode;
  for (const Row& row : shape.rows) mode.rows.push_back(row.active_at_start);
  mode.sense = Vector::Ones(shape.laws.size());
  return mode;
}

std::vector<int> rows_switched_on(const Mode& mode) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < mode.rows.size(); ++i)
    if (mode.rows[i]) rows.push_back(static_cast<int>(i));
  return rows;
}

void resize(Equations& equations, int n, int m, int n_x) {
  equations.M.resize(n, n);
  equations.h.resize(n);
  equations.C.resize(m, n);
  equations.gamma.resize(m);
  equations.J.resize(n_x, n);
  equations.v.resize(n);
  equations.rate.M.resize(n, n);
  equations.rate.C.resize(m, n);
  equations.rate.J.resize(n_x, n);
}
}  // namespace

Dynamics::Dynamics(const System& system, std::string_view formulation, std::string_view basis)
    : system_(system),
      workspace_(system.workspace()),
      automatic_(formulation == "auto"),
      basis_(basis),
      mode_(mode_at_start(system.shape())),
      active_(system.shape(), rows_switched_on(mode_)),
      factor_(shape().n(), shape().m()),
      distribution_(make_basis("qr", shape().n(), shape().m())),
      vdot_(Vector::Zero(shape().n())),
      lambda_all_(Vector::Zero(shape().m())),
      curvature_(shape().n(), shape().n()),
      feedback_(Vector::Zero(shape().m())) {
  const Shape& s = shape();
  formulation_ = make_formulation(!automatic_     ? formulation
                                  : !s.ideal()    ? "compatibility"
                                  : basis.empty() ? "augmented"
                                                  : "maggi",
                                  basis, s.n(), s.m());
  if (!s.ideal() && !formulation_->solves_nonideal()) refuse_nonideal();
  if (!s.ideal()) {
    T_ = Matrix::Zero(s.n(), s.laws.size());
    B_ = Matrix::Zero(s.n(), s.controls.size());
    tau_ = tau_given_ = Vector::Zero(s.laws.size());
    tau_of_lambda_ = Matrix::Zero(s.laws.size(), s.m());
  }
  if (needs_basis(formulation_->name()) && basis_.empty()) basis_ = default_basis(formulation_->name());
  reason_ = automatic_ ? "" : "asked for";
  resize(all_, s.n(), active_.size(), s.nx());
  use_rows(active_.rows());
}

Dynamics::~Dynamics() = default;

void Dynamics::refuse_nonideal() const {
  const Shape& s = shape();
  const bool controlled = !s.controls.empty();
  const Channel& force = controlled ? s.controls.front() : s.laws.front();
  throw Error(Errc::model, force.where,
              fmt::format("formulation \"{}\" is for ideal constraints, but the model has the {} \"{}\"",
                          formulation_->name(), controlled ? "control" : "law", force.name),
              fmt::format("take {}", list_names(nonideal_formulation_names())));
}

std::string_view Dynamics::formulation() const { return formulation_->name(); }

void Dynamics::use_rows(std::vector<int> rows) {
  if (rows == rows_.rows() && equations_.n() == shape().n()) return;
  rows_ = RowSelection(shape(), std::move(rows));
  resize(equations_, shape().n(), rows_.size(), shape().nx());
  lambda_ = Vector::Zero(rows_.size());
  if (!shape().ideal()) equations_.G = acting_ = Matrix::Zero(shape().n(), rows_.size());
  nonlinear_ = std::any_of(rows_.rows().begin(), rows_.rows().end(), [&](int i) {
    return shape().rows[i].level == Level::acceleration && shape().rows[i].nonlinear;
  });
}

void Dynamics::set_mode(Mode mode) {
  mode_ = std::move(mode);
  active_ = RowSelection(shape(), rows_switched_on(mode_));
  resize(all_, shape().n(), active_.size(), shape().nx());
  dependent_.clear();
  use_rows(active_.rows());
}

void Dynamics::decide_rows(const Instant& at) {
  const Terms& terms = workspace_->terms;
  system_.acceleration(at, *workspace_);
  if (shape().s_a > 0) system_.nonlinear_rows(at, vdot_.data(), lambda_all_.data(), *workspace_);
  if (const std::string bad = first_not_finite(shape(), terms); !bad.empty())
    throw Error(Errc::numerics, {}, fmt::format("{} is not a finite number at t = {:.6g}", bad, at.t),
                "look for a division by zero, a root of a negative number or an overflow in that formula");
  shape().M.scatter(terms.M, all_.M);
  active_.matrix(terms.C, all_.C);
  if (!factor_.compute(all_.M, all_.C)) throw_weightless();

  std::vector<int> independent, dependent;
  for (const int i : factor_.independent()) independent.push_back(active_.rows()[i]);
  for (const int i : factor_.dependent()) dependent.push_back(active_.rows()[i]);
  std::sort(independent.begin(), independent.end());
  std::sort(dependent.begin(), dependent.end());
  dependent_ = std::move(dependent);
  use_rows(std::move(independent));
  if (automatic_) choose();
}

void Dynamics::choose() {
  const int n = shape().n();
  if (!factor_.regular() && formulation_->name() == "augmented") {
    formulation_ = make_formulation("maggi", basis_, n, shape().m());
    basis_ = "qr";
  }
  if (!factor_.regular())
    reason_ = "the mass matrix is singular, but not on the admissible motions";
  else if (!dependent_.empty())
    reason_ = fmt::format("{} of {} constraint rows are redundant and left out, the others are independent",
                          dependent_.size(), active_.size());
  else if (active_.size() == 0)
    reason_ = "no constraints, nothing to choose";
  else
    reason_ = fmt::format("{} unknowns, constraints of full rank: dense and direct", n + rank());
}

void Dynamics::throw_weightless() const {
  const Vector& motion = factor_.weightless();
  Eigen::Index worst;
  motion.cwiseAbs().maxCoeff(&worst);
  const Channel& velocity = shape().velocities[worst];
  const double inertia = motion.dot(all_.M * motion);
  throw Error(Errc::model, velocity.where,
              fmt::format("the motion along \"{}\" has {} inertia, so its acceleration is not determined",
                          shape().coordinates[worst].name, inertia < -1e-12 ? "negative" : "no"),
              "give it a mass in the kinetic energy, or constrain it");
}

bool Dynamics::accelerate(const Instant& at, double* vdot) {
  if (!solve_rows(at, true)) return false;
  std::copy_n(vdot_.data(), vdot_.size(), vdot);
  return true;
}

void Dynamics::stabilise(double alpha, double beta) {
  alpha_ = alpha;
  beta_ = beta;
}

void Dynamics::find_feedback(const Instant& at) {
  const Terms& terms = workspace_->terms;
  feedback_.setZero();
  system_.position(at, *workspace_);
  for (int i = 0; i < shape().s_p; ++i) feedback_[i] = beta_ * beta_ * terms.f[i];
  system_.velocity(at, *workspace_);
  for (int i = 0; i < shape().s_p + shape().s_v; ++i) feedback_[i] += 2 * alpha_ * terms.phi[i];
}

bool Dynamics::solve_rows(const Instant& at, bool stabilised) {
  ++evaluations_;
  Terms& terms = workspace_->terms;
  stabilised = stabilised && (alpha_ > 0.0 || beta_ > 0.0);
  if (stabilised) find_feedback(at);
  system_.acceleration(at, *workspace_);
  shape().M.scatter(terms.M, equations_.M);
  rows_.matrix(terms.C, equations_.C);
  if (stabilised) terms.gamma -= feedback_;  // acceleration rows have none, so iterate() keeps it
  rows_.vector(terms.gamma, equations_.gamma);
  equations_.h = terms.h;
  if (shape().nx() > 0) shape().J.scatter(terms.J, equations_.J);
  if (formulation_->needs_rates()) fill_rates(at);
  if (!shape().ideal()) find_directions();
  if (nonlinear_ || !shape().laws.empty()) return iterate(at);
  return formulation_->solve(equations_, vdot_, lambda_) && vdot_.allFinite() && lambda_.allFinite();
}

void Dynamics::fill_rates(const Instant& at) {
  const Terms& terms = workspace_->terms;
  system_.rates(at, vdot_.data(), *workspace_);
  shape().M.scatter(terms.Mdot, equations_.rate.M);
  rows_.matrix(terms.Cdot, equations_.rate.C);
  if (shape().nx() > 0) shape().J.scatter(terms.Jdot, equations_.rate.J);
  equations_.v = Eigen::Map<const Vector>(at.v, shape().n());
}

/// Rows with a reaction act along their own gradient, the rows kept by controls along the columns of B.
void Dynamics::find_directions() {
  shape().T.scatter(workspace_->terms.T, T_);
  shape().B.scatter(workspace_->terms.B, B_);
  int control = 0;
  for (int i = 0; i < rows_.size(); ++i) {
    if (shape().rows[rows_.rows()[i]].kind == RowKind::servo)
      acting_.col(i) = B_.col(control++);
    else
      acting_.col(i) = equations_.C.row(i).transpose();
  }
  equations_.G = acting_;
}

/// The laws in force, linearised at (λ, τ):  τ = τ_given − K λ, so that  M v̇ = h + T τ_given + (Cᵀ − T K) λ.
void Dynamics::linearise_laws(const Instant& at) {
  const Terms& terms = workspace_->terms;
  const Eigen::Index laws = tau_.size();
  system_.laws(at, lambda_all_.data(), tau_.data(), mode_.sense.data(), *workspace_);
  const auto by_tau = terms.law_gradient.rightCols(laws).partialPivLu();
  tau_of_lambda_ = by_tau.solve(terms.law_gradient.leftCols(shape().m()));
  tau_given_ = tau_ - by_tau.solve(terms.law) + tau_of_lambda_ * lambda_all_;
  equations_.h = terms.h;
  equations_.h.noalias() += T_ * tau_given_;
  equations_.G = acting_;
  for (int i = 0; i < rows_.size(); ++i) equations_.G.col(i).noalias() -= T_ * tau_of_lambda_.col(rows_.rows()[i]);
}

bool Dynamics::iterate(const Instant& at) {
  // Newton on (v̇, λ, τ) for rows ψ(v̇) = 0 and laws: with K = Σ λ ψ_v̇v̇ the next iterate solves the linear problem with
  //   (M − K) v̇ − G λ = h − K v̇₀,   C v̇ = C v̇₀ − ψ(v̇₀)                              [Dinh2002, Algorithm A.3]
  // For laws in |N| this is the iteration on the signs of the normal forces N.
  constexpr int most = 50;
  const Terms& terms = workspace_->terms;
  previous_.resize(vdot_.size());
  for (int iteration = 0; iteration < most; ++iteration) {
    rows_.expand(lambda_, lambda_all_);
    equations_.h = terms.h;
    if (tau_.size() > 0) linearise_laws(at);
    if (nonlinear_) {
      system_.nonlinear_rows(at, vdot_.data(), lambda_all_.data(), *workspace_);
      shape().M.scatter(terms.M, equations_.M);
      shape().M.scatter(terms.curvature, curvature_);
      equations_.M -= curvature_;
      equations_.h.noalias() -= curvature_.lazyProduct(vdot_);
      rows_.matrix(terms.C, equations_.C);
      rows_.vector(terms.gamma, equations_.gamma);
    }
    previous_ = vdot_;
    if (!formulation_->solve(equations_, vdot_, lambda_) || !vdot_.allFinite() || !lambda_.allFinite()) {
      vdot_.setZero();  // the next call starts afresh
      lambda_.setZero();
      tau_.setZero();
      return false;
    }
    rows_.expand(lambda_, lambda_all_);
    if (tau_.size() > 0) tau_ = tau_given_ - tau_of_lambda_ * lambda_all_;
    if ((vdot_ - previous_).norm() <= 1e-14 * (1.0 + vdot_.norm())) {
      if (nonlinear_) shape().M.scatter(terms.M, equations_.M);
      equations_.h = terms.h;
      return true;
    }
  }
  return false;
}

bool Dynamics::solve(const Instant& at, Acceleration& result) {
  if (!solve_rows(at, false)) return false;
  result.vdot = vdot_;
  result.reaction.resize(shape().n());
  result.lambda.resize(shape().m());
  if (shape().ideal())
    result.reaction.noalias() = equations_.C.transpose().lazyProduct(lambda_);
  else
    separate_forces(result);
  if (dependent_.empty()) {
    if (shape().ideal()) rows_.expand(lambda_, result.lambda);
    return true;
  }
  // several λ give the same reaction: the one of least norm over all active rows
  active_.matrix(workspace_->terms.C, all_.C);
  distribution_->compute(all_);
  Vector lambda(active_.size());
  distribution_->multipliers(result.reaction, lambda);
  active_.expand(lambda, result.lambda);
  return true;
}

/// λ of the rows in use is their multiplier or, where a control keeps them, that control.
void Dynamics::separate_forces(Acceleration& result) const {
  result.tau = tau_;
  result.p = Vector::Zero(B_.cols());
  result.lambda.setZero();
  int control = 0;
  for (int i = 0; i < rows_.size(); ++i) {
    const int row = rows_.rows()[i];
    (shape().rows[row].kind == RowKind::servo ? result.p[control++] : result.lambda[row]) = lambda_[i];
  }
  result.reaction.noalias() = acting_ * lambda_ + T_ * tau_;
}

std::string Dynamics::explain(const Instant& at) {
  system_.acceleration(at, *workspace_);
  const Terms& terms = workspace_->terms;
  if (const std::string bad = first_not_finite(shape(), terms); !bad.empty()) return bad + " is not a finite number";
  shape().M.scatter(terms.M, all_.M);
  active_.matrix(terms.C, all_.C);
  if (!factor_.compute(all_.M, all_.C)) return "a motion that the constraints allow has no inertia";
  if (factor_.rank() < rank()) {
    std::string names;
    for (const int i : factor_.dependent())
      names += (names.empty() ? "\"" : ", \"") + shape().rows[active_.rows()[i]].name + "\"";
    return fmt::format("the constraints become dependent (rank {} instead of {}): {} follows from the others here",
                       factor_.rank(), rank(), names);
  }
  if (nonlinear_) return "the constraints that are nonlinear in the accelerations have no solution near the last one";
  if (!formulation_->why().empty())
    return fmt::format("formulation \"{}\"{} refuses: {}", formulation_->name(),
                       basis_.empty() ? "" : " on basis \"" + basis_ + "\"", formulation_->why());
  return "the accelerations are not finite";
}

}  // namespace maggi
