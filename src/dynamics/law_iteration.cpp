#include "dynamics/law_iteration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/largest.hpp"
#include "basis/realisation.hpp"
#include "dynamics/linear_laws.hpp"
#include "dynamics/reduced_laws.hpp"
#include "dynamics/servo_rows.hpp"

namespace maggi {

namespace {

// residuals of laws, relative to their terms
constexpr double laws_met = 1e-15;  // those in |N| are exact at once if the signs were right

/// Terms that round more, as those that cancel, leave a larger residual, which no step reduces.
bool stagnates(double left, double before) {
  constexpr double cancelled = 1e-6;
  return left <= cancelled && left > 0.5 * before;
}

}  // namespace

LawIteration::LawIteration(const System& system, Workspace& workspace, const Mode& mode, RowSolver& solver)
    : system_(system), workspace_(workspace), mode_(mode), solver_(solver), lambda_(Vector::Zero(system.shape().m())) {
  const Shape& s = shape();
  const auto laws = static_cast<Eigen::Index>(s.laws.size());
  if (s.s_a > 0) {
    curvature_.resize(s.n(), s.n());
    for (Vector* each : {&bent_, &inertia_, &along_}) each->resize(s.n());
  }
  if (s.ideal()) return;
  T_ = Matrix::Zero(s.n(), laws);
  acting_ = Matrix::Zero(s.n(), 0);
  B_ = Matrix::Zero(s.n(), static_cast<Eigen::Index>(s.controls.size()));
  tau_ = Vector::Zero(laws);
  if (laws == 0) return;
  linear_ = std::make_unique<LinearLaws>(static_cast<int>(laws), s.m());
  reduced_ = std::make_unique<ReducedLaws>(system_, mode_, workspace_);
}

LawIteration::~LawIteration() = default;

void LawIteration::use_rows() {
  const std::vector<int>& rows = solver_.rows().rows();
  if (!shape().ideal() && acting_.cols() != static_cast<Eigen::Index>(rows.size()))
    acting_ = Matrix::Zero(shape().n(), static_cast<Eigen::Index>(rows.size()));
  reacting_.clear();
  kept_.clear();
  for (int i = 0; i < static_cast<int>(rows.size()); ++i)
    (shape().rows[rows[i]].has_multiplier() ? reacting_ : kept_).push_back(i);
  const bool shared = !kept_.empty() && kept_.size() < shape().controls.size();
  if (!shared) shares_.reset();
  if (shared && !shares_) shares_ = std::make_unique<Realisation>();
  share_ =
      Matrix::Identity(static_cast<Eigen::Index>(shape().controls.size()), static_cast<Eigen::Index>(kept_.size()));
  nonlinear_ = std::ranges::any_of(rows, [&](int row) { return is_nonlinear(row); });
}

bool LawIteration::is_nonlinear(int row) const {
  return shape().rows[row].level == Level::acceleration && shape().rows[row].nonlinear;
}

void LawIteration::begin_near(const Vector& vdot) {
  branch_ = vdot;
  forget();
}

void LawIteration::begin() {
  faulty_ = -1;
  undecided_ = false;
}

/// Rows with a reaction act along their own gradient, the rows kept by controls along the columns of B.
void LawIteration::find_directions() {
  Equations& equations = solver_.equations();
  shape().T.scatter(workspace_.terms.T, T_);
  shape().B.scatter(workspace_.terms.B, B_);
  if (shares_) find_shares();
  for (const int i : reacting_) acting_.col(i) = equations.C.row(i).transpose();
  for (std::size_t k = 0; k < kept_.size(); ++k)
    acting_.col(kept_[k]).noalias() = B_ * share_.col(static_cast<Eigen::Index>(k));
  equations.G = acting_;
}

void LawIteration::find_shares() {
  const Equations& equations = solver_.equations();
  C_reacting_ = equations.C(reacting_, Eigen::all);
  C_kept_ = equations.C(kept_, Eigen::all);
  shares_->compute(equations.M, C_reacting_, C_kept_, B_);
  shares_->effects(share_);
}

bool LawIteration::solve(const Instant& at) {
  if (!iterate(at)) {
    forget();
    return false;
  }
  if (nonlinear_) branch_ = solver_.vdot();
  return true;
}

bool LawIteration::iterate(const Instant& at) {
  constexpr int most = 50;
  constexpr double rounding = 1e-14, nearly = 1e-9;  // what is left of a step when it no longer shrinks is rounding
  double before = std::numeric_limits<double>::infinity(), left_before = before;
  bool found = false;
  for (int iteration = 0; iteration < most && !found; ++iteration) {
    previous_ = solver_.vdot();
    if (tau_.size() > 0) reaction(previous_force_);
    if (!next(at)) return false;
    const double change = change_of_solution(), left = residual_of_laws(at);
    const bool still = change <= rounding || (change <= nearly && change > 0.5 * before);
    found = (!nonlinear_ && left <= laws_met) || (still && (left <= laws_met || stagnates(left, left_before)));
    before = change, left_before = left;
  }
  undecided_ = !found && (nonlinear_ || !try_all_signs(at));
  if (undecided_) return false;
  Equations& equations = solver_.equations();
  if (nonlinear_) shape().M.scatter(workspace_.terms.M, equations.M);
  equations.h = workspace_.terms.h;
  return true;
}

/// Relative, of v̇ and of the forces: where nothing but friction acts along a contact, v̇ is the same without it.
double LawIteration::change_of_solution() {
  const Vector& vdot = solver_.vdot();
  const double of_vdot = (vdot - previous_).norm() / (1.0 + vdot.norm());
  if (tau_.size() == 0) return of_vdot;
  reaction(force_);
  const double size = force_.norm() + workspace_.terms.h.norm(), of_force = (force_ - previous_force_).norm();
  return larger(of_vdot, of_force > 0.0 ? of_force / size : 0.0);
}

bool LawIteration::try_all_signs(const Instant& at) {
  if (solutions(at, true).found.size() != 1) return false;
  solver_.rows().vector(solutions_.found[0].lambda, solver_.lambda());
  tau_ = solutions_.found[0].tau;
  return next(at);
}

bool LawIteration::next(const Instant& at) {
  expand(lambda_);
  if (nonlinear_) curve(at);
  Vector& h = solver_.equations().h;
  h = workspace_.terms.h;
  if (tau_.size() > 0 && !linearise(at)) return false;
  if (nonlinear_) h += bent_;
  if (!solver_.solve_matrices()) return false;
  expand(lambda_);
  if (tau_.size() > 0) linear_->find_tau(lambda_, tau_);
  return true;
}

/// Rows ψ(v̇) = 0 linearised at v̇₀, with K = Σ λ ψ_v̇v̇:
///   (M − K) v̇ − G λ = h − K v̇₀,   C v̇ = C v̇₀ − ψ(v̇₀)                                [Dinh2002, Algorithm A.3]
/// where h follows: bent is what comes to it. The directions in which these rows act turn with v̇₀.
void LawIteration::curve(const Instant& at) {
  const Terms& terms = workspace_.terms;
  Equations& equations = solver_.equations();
  system_.nonlinear_rows(at, solver_.vdot().data(), lambda_.data(), workspace_);
  shape().M.scatter(terms.M, equations.M);
  inertia_ = equations.M.diagonal();
  shape().M.scatter(terms.curvature, curvature_);
  equations.M -= curvature_;
  bent_.noalias() = curvature_.lazyProduct(-solver_.vdot());
  solver_.rows().matrix(terms.C, equations.C);
  solver_.rows().vector(terms.gamma, equations.gamma);
  outweigh_curvature();
  if (!shape().ideal()) find_directions();
}

/// A multiple s of c (c·v̇ − γ) = 0, c a row, changes no solution, and makes up for a K that bends along c by more than
/// the inertia there: formulations that need M > 0 need M − K + s c cᵀ > 0.
void LawIteration::outweigh_curvature() {
  Equations& equations = solver_.equations();
  for (int i = 0; i < solver_.rows().size(); ++i) {
    if (!is_nonlinear(solver_.rows().rows()[i])) continue;
    const auto c = equations.C.row(i);
    double length = 0.0, bend = 0.0;  // of x = diag(M)⁻¹c, so that units have no say
    for (int j = 0; j < shape().n(); ++j) along_[j] = inertia_[j] > 0.0 ? c[j] / inertia_[j] : 0.0;
    for (int j = 0; j < shape().n(); ++j) {
      length += c[j] * along_[j];
      bend += along_[j] * curvature_.row(j).dot(along_);
    }
    if (!(bend > 0.0)) continue;
    const double s = 2.0 * bend / (length * length);
    equations.M.noalias() += s * c.transpose() * c;
    bent_.noalias() += s * equations.gamma[i] * c.transpose();
  }
}

/// The laws in force, linearised at (λ, τ).
bool LawIteration::linearise(const Instant& at) {
  const Terms& terms = workspace_.terms;
  const Eigen::Index laws = tau_.size();
  system_.laws(at, lambda_.data(), tau_.data(), mode_.sense.data(), workspace_);
  for (Eigen::Index i = 0; i < laws; ++i)
    if (!std::isfinite(terms.law[i]) || !terms.law_gradient.row(i).allFinite() ||
        terms.law_gradient.row(i).tail(laws).isZero(0.0)) {
      faulty_ = static_cast<int>(i);
      return false;
    }
  linear_->linearise(terms, lambda_, tau_);
  Equations& equations = solver_.equations();
  equations.h = terms.h;
  equations.h.noalias() += T_ * linear_->given();
  equations.G = acting_;
  for (int i = 0; i < solver_.rows().size(); ++i)
    equations.G.col(i).noalias() -= T_ * linear_->K().col(solver_.rows().rows()[i]);
  return true;
}

/// The largest residual of a law, relative to its terms. Where the motion is prescribed, v̇ does not depend on the
/// forces, and nothing else tells whether they are found.
double LawIteration::residual_of_laws(const Instant& at) {
  const Terms& terms = workspace_.terms;
  system_.laws(at, lambda_.data(), tau_.data(), mode_.sense.data(), workspace_);
  const Eigen::Index m = lambda_.size();
  Largest residual;
  for (Eigen::Index i = 0; i < tau_.size(); ++i) {
    const auto gradient = terms.law_gradient.row(i).cwiseAbs();
    const double size = gradient.head(m).dot(lambda_.cwiseAbs()) + gradient.tail(tau_.size()).dot(tau_.cwiseAbs());
    if (terms.law[i] != 0.0) residual.note(std::abs(terms.law[i]) / size);
  }
  return residual.value();
}

/// The next solution begins without anything of one that failed, on the same branch of rows nonlinear in v̇.
void LawIteration::forget() {
  if (branch_.size() > 0)
    solver_.vdot() = branch_;
  else
    solver_.vdot().setZero();
  solver_.lambda().setZero();
  lambda_.setZero();
  tau_.setZero();
}

void LawIteration::expand(Vector& lambda) const {
  solver_.rows().expand(solver_.lambda(), lambda);
  if (shape().controls.empty()) return;
  for (const int row : solver_.rows().rows())
    if (!shape().rows[row].has_multiplier()) lambda[row] = 0.0;
}

void LawIteration::controls(Vector& p) const {
  p = Vector::Zero(static_cast<Eigen::Index>(shape().controls.size()));
  for (std::size_t k = 0; k < kept_.size(); ++k)
    p.noalias() += share_.col(static_cast<Eigen::Index>(k)) * solver_.lambda()[kept_[k]];
}

double LawIteration::power(const Eigen::Ref<const Vector>& v) const {
  return solver_.lambda().dot(acting_.transpose().lazyProduct(v)) + tau_.dot(T_.transpose().lazyProduct(v));
}

const LawSolutions& LawIteration::solutions(const Instant& at, bool list) {
  const Terms& terms = workspace_.terms;
  solutions_.reset(static_cast<int>(shape().laws.size()));
  if (shape().laws.empty()) return solutions_;
  Equations& equations = solver_.equations();
  const RowSelection& rows = solver_.rows();
  system_.acceleration(at, workspace_);
  shape().M.scatter(terms.M, equations.M);
  rows.matrix(terms.C, equations.C);
  rows.vector(terms.gamma, equations.gamma);
  find_directions();
  reduced_->reduce(equations, terms.h, acting_, T_, rows.rows());
  solutions_.find(shape(), terms, at, rows.rows(), list, *reduced_);
  return solutions_;
}

std::string LawIteration::explain(const Instant& at) {
  if (faulty_ >= 0) return explain_faulty_law();
  if (undecided_ && !shape().laws.empty()) {
    const LawSolutions& found = solutions(at, false);
    return found.unique() ? "the iteration on the laws does not end" : found.explain(shape());
  }
  return nonlinear_ ? "the constraints that are nonlinear in the accelerations have no solution near the last one" : "";
}

std::string LawIteration::explain_faulty_law() const {
  const std::string& name = shape().laws[faulty_].name;
  if (!std::isfinite(workspace_.terms.law[faulty_]))
    return fmt::format("law \"{}\" is not a finite number (a division by zero?)", name);
  return workspace_.terms.law_gradient.row(faulty_).allFinite()
             ? fmt::format("law \"{}\" does not determine its force here", name)
             : fmt::format("law \"{}\" has no derivative here", name);
}

}  // namespace maggi
