#include "maggi/formulation/dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "maggi/base/error.hpp"

namespace maggi {

namespace {
std::vector<int> rows_active_at_start(const Shape& shape) {
  std::vector<int> rows;
  for (int i = 0; i < shape.m(); ++i)
    if (shape.rows[i].active_at_start) rows.push_back(i);
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
      active_(system.shape(), rows_active_at_start(system.shape())),
      factor_(shape().n(), shape().m()),
      distribution_(make_basis("qr", shape().n(), shape().m())),
      vdot_(Vector::Zero(shape().n())),
      lambda_all_(Vector::Zero(shape().m())),
      curvature_(shape().n(), shape().n()),
      feedback_(Vector::Zero(shape().m())) {
  const Shape& s = shape();
  if (!s.laws.empty() || !s.controls.empty())
    throw Error(Errc::model, {}, "no formulation solves for laws or unknown controls yet");
  formulation_ = make_formulation(automatic_ && basis.empty() ? "augmented"
                                  : automatic_                ? "maggi"
                                                              : formulation,
                                  basis, s.n(), s.m());
  if (needs_basis(formulation_->name()) && basis_.empty()) basis_ = default_basis(formulation_->name());
  reason_ = automatic_ ? "" : "asked for";
  resize(all_, s.n(), active_.size(), s.nx());
  use_rows(active_.rows());
}

Dynamics::~Dynamics() = default;

std::string_view Dynamics::formulation() const { return formulation_->name(); }

void Dynamics::use_rows(std::vector<int> rows) {
  if (rows == rows_.rows() && equations_.n() == shape().n()) return;
  rows_ = RowSelection(shape(), std::move(rows));
  resize(equations_, shape().n(), rows_.size(), shape().nx());
  lambda_ = Vector::Zero(rows_.size());
  nonlinear_ = std::any_of(rows_.rows().begin(), rows_.rows().end(), [&](int i) {
    return shape().rows[i].level == Level::acceleration && shape().rows[i].nonlinear;
  });
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
  if (stabilised) terms.gamma -= feedback_;  // acceleration rows have none, so iterate_nonlinear() keeps it
  rows_.vector(terms.gamma, equations_.gamma);
  equations_.h = terms.h;
  if (shape().nx() > 0) shape().J.scatter(terms.J, equations_.J);
  if (formulation_->needs_rates()) fill_rates(at);
  if (nonlinear_) return iterate_nonlinear(at);
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

bool Dynamics::iterate_nonlinear(const Instant& at) {
  // Newton on (v̇, λ) for rows ψ(v̇) = 0: with K = Σ λ ψ_v̇v̇ the next iterate solves the linear problem with
  //   (M − K) v̇ − Cᵀλ = h − K v̇₀,   C v̇ = C v̇₀ − ψ(v̇₀)                              [Dinh2002, Algorithm A.3]
  constexpr int most = 50;
  const Terms& terms = workspace_->terms;
  previous_.resize(vdot_.size());
  for (int iteration = 0; iteration < most; ++iteration) {
    rows_.expand(lambda_, lambda_all_);
    system_.nonlinear_rows(at, vdot_.data(), lambda_all_.data(), *workspace_);
    shape().M.scatter(terms.M, equations_.M);
    shape().M.scatter(terms.curvature, curvature_);
    equations_.M -= curvature_;
    equations_.h = terms.h;
    equations_.h.noalias() -= curvature_.lazyProduct(vdot_);
    rows_.matrix(terms.C, equations_.C);
    rows_.vector(terms.gamma, equations_.gamma);
    previous_ = vdot_;
    if (!formulation_->solve(equations_, vdot_, lambda_) || !vdot_.allFinite() || !lambda_.allFinite()) {
      vdot_.setZero();  // the next call starts afresh
      lambda_.setZero();
      return false;
    }
    if ((vdot_ - previous_).norm() <= 1e-14 * (1.0 + vdot_.norm())) {
      shape().M.scatter(terms.M, equations_.M);
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
  result.reaction.noalias() = equations_.C.transpose().lazyProduct(lambda_);
  result.lambda.resize(shape().m());
  if (dependent_.empty()) {
    rows_.expand(lambda_, result.lambda);
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
