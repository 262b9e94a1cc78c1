#include "dynamics/dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/names.hpp"
#include "basis/realisation.hpp"
#include "dynamics/linear_laws.hpp"
#include "dynamics/reduced_laws.hpp"
#include "dynamics/servo_rows.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/formulations.hpp"
#include "system/seam/size_terms.hpp"

namespace maggi {

namespace {
Mode mode_at_start(const Shape& shape) {
  Mode mode;
  for (const Row& row : shape.rows) mode.rows.push_back(row.active_at_start);
  mode.sense = Vector::Ones(shape.laws.size());
  for (const Contact& contact : shape.contacts)
    for (std::size_t k = 1; k < contact.laws.size(); ++k) mode.sense[contact.laws[k]] = 0.0;  // it is a unit vector
  return mode;
}

std::vector<int> rows_switched_on(const Mode& mode) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < mode.rows.size(); ++i)
    if (mode.rows[i]) rows.push_back(static_cast<int>(i));
  return rows;
}

void check_recursive(const Shape& shape, const Recursion* recursion, std::string_view basis) {
  if (!basis.empty())
    throw Error(Errc::model, {}, fmt::format("formulation \"recursive\" uses no basis, but \"{}\" is asked for", basis),
                "leave the basis out, or take another formulation");
  if (!recursion)
    throw Error(Errc::model, {},
                "formulation \"recursive\" goes along the joints of a mechanism, but this model has none",
                fmt::format("write it with bodies and joints, or take {}", list_names(formulation_names())));
  if (shape.s_a > 0)
    throw Error(
        Errc::model, shape.rows.back().where,
        fmt::format("formulation \"recursive\" is for constraints on positions and velocities, but \"{}\" is one on "
                    "accelerations",
                    shape.rows.back().name),
        fmt::format("take {}", list_names(formulation_names())));
}

/// J is for one basis only.
int local_coordinates(const Shape& shape, std::string_view basis) { return basis == "local" ? shape.nx() : 0; }

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
      vdot_(Vector::Zero(shape().n())),
      lambda_all_(Vector::Zero(shape().m())),
      feedback_(Vector::Zero(shape().m())),
      reacting_(system.shape(), rows_of_kind(system.shape(), active_.rows(), false)),
      servo_(system.shape(), rows_of_kind(system.shape(), active_.rows(), true)),
      rank_(active_.size()) {
  const Shape& s = shape();
  const bool recursive = formulation == "recursive";
  if (recursive || (automatic_ && s.ideal() && s.s_a == 0 && basis.empty())) recursion_ = system.recursion();
  if (recursive) check_recursive(s, recursion_.get(), basis);
  on_matrices_ = !automatic_ && !recursive ? formulation
                 : !s.ideal()              ? "compatibility"
                 : basis.empty()           ? "augmented"
                                           : "maggi";
  if (needs_basis(on_matrices_) && basis_.empty()) basis_ = default_basis(on_matrices_);
  if (basis_ == "local") ask_for_J(s, workspace_->terms);
  if (!s.ideal() && recursive) refuse_nonideal("recursive");
  if (!recursion_ || s.n() + s.m() <= Recursion::small_system) need_matrices();
  if (!s.ideal() && !formulation_->solves_nonideal()) refuse_nonideal(formulation_->name());
  if (!s.ideal()) {
    T_ = Matrix::Zero(s.n(), s.laws.size());
    B_ = Matrix::Zero(s.n(), s.controls.size());
    tau_ = Vector::Zero(s.laws.size());
  }
  if (!s.laws.empty()) {
    linear_laws_ = std::make_unique<LinearLaws>(static_cast<int>(s.laws.size()), s.m());
    reduced_laws_ = std::make_unique<ReducedLaws>(system_, mode_, *workspace_);
  }
  if (!s.controls.empty()) realisation_ = std::make_unique<Realisation>();
  use_rows(active_.rows());
}

Dynamics::~Dynamics() = default;

void Dynamics::refuse_nonideal(std::string_view asked_for) const {
  const Shape& s = shape();
  const bool controlled = !s.controls.empty();
  const Channel& force = controlled ? s.controls.front() : s.laws.front();
  throw Error(Errc::model, force.where,
              fmt::format("formulation \"{}\" is for ideal constraints, but the model has the {} \"{}\"", asked_for,
                          controlled ? "control" : "law", force.name),
              fmt::format("take {}", list_names(nonideal_formulation_names())));
}

std::string_view Dynamics::formulation() const { return recursion_ ? "recursive" : formulation_->name(); }

const Basis* Dynamics::complement() const { return formulation_ ? formulation_->basis() : nullptr; }

/// Memory for the equations as matrices, and the formulation that solves them.
void Dynamics::need_matrices() {
  if (formulation_) return;
  const Shape& s = shape();
  formulation_ = make_formulation(on_matrices_, basis_, s.n(), s.m());
  factor_.emplace(s.n(), s.m());
  distribution_ = make_basis("qr", s.n(), s.m());
  curvature_.resize(s.n(), s.n());
  resize(all_, s.n(), active_.size(), local_coordinates(s, basis_));
  resize(equations_, s.n(), rows_.size(), local_coordinates(shape(), basis_));
  if (!s.ideal()) equations_.G = acting_ = Matrix::Zero(s.n(), rows_.size());
}

void Dynamics::use_rows(const std::vector<int>& rows) {
  if (recursion_) recursion_->use_rows(rows);
  if (rows == rows_.rows()) return;
  rows_ = RowSelection(shape(), rows);
  if (formulation_) resize(equations_, shape().n(), rows_.size(), local_coordinates(shape(), basis_));
  lambda_ = gamma_ = Vector::Zero(rows_.size());
  if (!shape().ideal()) equations_.G = acting_ = Matrix::Zero(shape().n(), rows_.size());
  nonlinear_ = std::any_of(rows_.rows().begin(), rows_.rows().end(), [&](int i) {
    return shape().rows[i].level == Level::acceleration && shape().rows[i].nonlinear;
  });
}

void Dynamics::set_mode(Mode mode) {
  mode_ = std::move(mode);
  active_ = RowSelection(shape(), rows_switched_on(mode_));
  reacting_ = RowSelection(shape(), rows_of_kind(shape(), active_.rows(), false));
  servo_ = RowSelection(shape(), rows_of_kind(shape(), active_.rows(), true));
  if (formulation_) resize(all_, shape().n(), active_.size(), local_coordinates(shape(), basis_));
  dependent_.clear();
  redundant_ = false;
  rank_ = active_.size();
  use_rows(active_.rows());
}

void Dynamics::turn(const Contact& contact, const Eigen::Ref<const Vector>& sense) {
  for (std::size_t k = 0; k < contact.laws.size(); ++k)
    mode_.sense[contact.laws[k]] = sense[static_cast<Eigen::Index>(k)];
}

void Dynamics::evaluate_without_matrices(const Instant& at) {
  workspace_->matrices = false;
  system_.acceleration(at, *workspace_);
  workspace_->matrices = true;
}

/// Of all rows: where the recursion is used, none is of acceleration level.
void Dynamics::evaluate_C(const Instant& at) {
  workspace_->matrices = false;
  system_.velocity(at, *workspace_);
  workspace_->matrices = true;
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
  faulty_law_ = -1;
  undecided_ = solved_recursively_ = false;
  Terms& terms = workspace_->terms;
  stabilised = stabilised && (alpha_ > 0.0 || beta_ > 0.0);
  if (stabilised) find_feedback(at);
  if (recursion_) {
    evaluate_without_matrices(at);
    if (stabilised) terms.gamma -= feedback_;
    solved_recursively_ = solve_recursively();
    if (solved_recursively_) return true;
    need_matrices();
  }
  system_.acceleration(at, *workspace_);
  shape().M.scatter(terms.M, equations_.M);
  rows_.matrix(terms.C, equations_.C);
  if (stabilised) terms.gamma -= feedback_;  // acceleration rows have none, so iterate() keeps it
  rows_.vector(terms.gamma, equations_.gamma);
  equations_.h = terms.h;
  if (basis_ == "local") shape().J.scatter(terms.J, equations_.J);
  if (formulation_->needs_rates()) fill_rates(at);
  if (!shape().ideal()) find_directions();
  if (nonlinear_ || !shape().laws.empty()) return iterate(at);
  return formulation_->solve(equations_, vdot_, lambda_) && vdot_.allFinite() && lambda_.allFinite();
}

bool Dynamics::solve_recursively() {
  const Terms& terms = workspace_->terms;
  rows_.vector(terms.gamma, gamma_);
  return recursion_->factorise_and_solve(*workspace_, terms.h.data(), gamma_.data(), vdot_.data(), lambda_.data()) &&
         vdot_.allFinite() && lambda_.allFinite();
}

void Dynamics::fill_rates(const Instant& at) {
  const Terms& terms = workspace_->terms;
  system_.rates(at, vdot_.data(), *workspace_);
  shape().M.scatter(terms.Mdot, equations_.rate.M);
  rows_.matrix(terms.Cdot, equations_.rate.C);
  if (basis_ == "local") shape().J.scatter(terms.Jdot, equations_.rate.J);
  equations_.v = Eigen::Map<const Vector>(at.v, shape().n());
}

/// Rows with a reaction act along their own gradient, the rows kept by controls along the columns of B.
void Dynamics::find_directions() {
  shape().T.scatter(workspace_->terms.T, T_);
  shape().B.scatter(workspace_->terms.B, B_);
  int control = 0;
  for (int i = 0; i < rows_.size(); ++i) {
    if (is_servo(shape(), rows_.rows()[i]))
      acting_.col(i) = B_.col(control++);
    else
      acting_.col(i) = equations_.C.row(i).transpose();
  }
  equations_.G = acting_;
}

/// The laws in force, linearised at (λ, τ):  τ = τ_given − K λ, so that  M v̇ = h + T τ_given + (Cᵀ − T K) λ.
bool Dynamics::linearise_laws(const Instant& at) {
  const Terms& terms = workspace_->terms;
  const Eigen::Index laws = tau_.size();
  system_.laws(at, lambda_all_.data(), tau_.data(), mode_.sense.data(), *workspace_);
  for (Eigen::Index i = 0; i < laws; ++i)
    if (!std::isfinite(terms.law[i]) || !terms.law_gradient.row(i).allFinite() ||
        terms.law_gradient.row(i).tail(laws).isZero(0.0)) {
      faulty_law_ = static_cast<int>(i);
      return false;
    }
  linear_laws_->linearise(terms, lambda_all_, tau_);
  equations_.h = terms.h;
  equations_.h.noalias() += T_ * linear_laws_->given();
  equations_.G = acting_;
  for (int i = 0; i < rows_.size(); ++i) equations_.G.col(i).noalias() -= T_ * linear_laws_->K().col(rows_.rows()[i]);
  return true;
}

bool Dynamics::iterate(const Instant& at) {
  // Newton on (v̇, λ, τ) for rows ψ(v̇) = 0 and laws. For laws in |N| this is the iteration on the signs of the normal
  // forces N; it may go round in circles, and then all signs are tried.
  constexpr int most = 50;
  constexpr double rounding = 1e-14, nearly = 1e-9;  // what is left of a step when it no longer shrinks is rounding
  const Terms& terms = workspace_->terms;
  previous_.resize(vdot_.size());
  double before = std::numeric_limits<double>::infinity();
  bool found = false;
  for (int iteration = 0; iteration < most && !found; ++iteration) {
    previous_ = vdot_;
    if (!next_iterate(at)) {
      start_afresh();
      return false;
    }
    const double change = (vdot_ - previous_).norm() / (1.0 + vdot_.norm());
    found = (!nonlinear_ && laws_met(at)) || change <= rounding || (change <= nearly && change > 0.5 * before);
    before = change;
  }
  if (!found && !nonlinear_) {
    const LawSolutions& solutions = law_solutions(at, true);
    if (solutions.found.size() == 1) {
      rows_.vector(solutions.found[0].lambda, lambda_);
      tau_ = solutions.found[0].tau;
      found = next_iterate(at);
    }
  }
  if (!found) {
    undecided_ = true;
    start_afresh();
    return false;
  }
  if (nonlinear_) shape().M.scatter(terms.M, equations_.M);
  equations_.h = terms.h;
  return true;
}

/// With K = Σ λ ψ_v̇v̇ and the laws linearised in G it solves the linear problem
///   (M − K) v̇ − G λ = h − K v̇₀,   C v̇ = C v̇₀ − ψ(v̇₀)                                [Dinh2002, Algorithm A.3]
bool Dynamics::next_iterate(const Instant& at) {
  const Terms& terms = workspace_->terms;
  expand_multipliers(lambda_all_);
  equations_.h = terms.h;
  if (tau_.size() > 0 && !linearise_laws(at)) return false;
  if (nonlinear_) {
    system_.nonlinear_rows(at, vdot_.data(), lambda_all_.data(), *workspace_);
    shape().M.scatter(terms.M, equations_.M);
    shape().M.scatter(terms.curvature, curvature_);
    equations_.M -= curvature_;
    equations_.h.noalias() -= curvature_.lazyProduct(vdot_);
    rows_.matrix(terms.C, equations_.C);
    rows_.vector(terms.gamma, equations_.gamma);
  }
  if (!formulation_->solve(equations_, vdot_, lambda_) || !vdot_.allFinite() || !lambda_.allFinite()) return false;
  expand_multipliers(lambda_all_);
  if (tau_.size() > 0) linear_laws_->find_tau(lambda_all_, tau_);
  return true;
}

/// Do the laws hold but for rounding? Those in |N| do at once if the signs were right.
bool Dynamics::laws_met(const Instant& at) {
  constexpr double rounding = 1e-15;
  const Terms& terms = workspace_->terms;
  system_.laws(at, lambda_all_.data(), tau_.data(), mode_.sense.data(), *workspace_);
  const Eigen::Index m = lambda_all_.size();
  for (Eigen::Index i = 0; i < tau_.size(); ++i) {
    const auto gradient = terms.law_gradient.row(i).cwiseAbs();
    const double size = gradient.head(m).dot(lambda_all_.cwiseAbs()) + gradient.tail(tau_.size()).dot(tau_.cwiseAbs());
    if (!(std::abs(terms.law[i]) <= rounding * size)) return false;
  }
  return true;
}

/// Nothing of an iteration that failed is left to the next.
void Dynamics::start_afresh() {
  vdot_.setZero();
  lambda_.setZero();
  tau_.setZero();
}

double Dynamics::reaction_power(const Instant& at) {
  const Eigen::Map<const Vector> v(at.v, shape().n());
  if (recursion_) evaluate_C(at);
  if (shape().ideal()) return rows_.power(workspace_->terms.C, lambda_, v);
  return lambda_.dot(acting_.transpose().lazyProduct(v)) + tau_.dot(T_.transpose().lazyProduct(v));
}

bool Dynamics::solve(const Instant& at, Acceleration& result) {
  if (!solve_rows(at, false)) return false;
  result.vdot = vdot_;
  result.reaction.resize(shape().n());
  result.lambda.resize(shape().m());
  if (recursion_) evaluate_C(at);
  rows_.reaction(workspace_->terms.C, lambda_, result.reaction);
  expand_multipliers(result.lambda);
  if (!shape().ideal()) separate_forces(result);
  if (!redundant_) return true;
  // several λ give the same reaction: the one of least norm over all active rows that have one
  need_matrices();
  all_.C.resize(reacting_.size(), shape().n());
  reacting_.matrix(workspace_->terms.C, all_.C);
  distribution_->compute(all_);
  Vector &lambda = all_.gamma, &own = all_.h;  // memory that is there
  lambda.resize(reacting_.size());
  own = result.reaction;
  if (!shape().ideal()) {
    own.noalias() -= B_ * result.p;
    own.noalias() -= T_ * result.tau;
  }
  distribution_->multipliers(own, lambda);
  reacting_.expand(lambda, result.lambda);
  return true;
}

/// λ of the rows in use; rows that controls keep have none.
void Dynamics::expand_multipliers(Vector& lambda) const {
  rows_.expand(lambda_, lambda);
  if (shape().controls.empty()) return;
  for (const int row : rows_.rows())
    if (is_servo(shape(), row)) lambda[row] = 0.0;
}

void Dynamics::last_forces(Acceleration& a) const {
  a.lambda.resize(shape().m());
  expand_multipliers(a.lambda);
  a.tau = tau_;
  a.p = Vector::Zero(static_cast<Eigen::Index>(shape().controls.size()));
  int control = 0;
  for (int i = 0; i < rows_.size(); ++i)
    if (is_servo(shape(), rows_.rows()[i])) a.p[control++] = lambda_[i];
}

/// Where a row in use is kept by a control, its entry of λ is that control; where a contact sticks by it, its force.
void Dynamics::separate_forces(Acceleration& result) const {
  last_forces(result);
  result.reaction.noalias() = acting_ * lambda_ + T_ * tau_;
  for (const Contact& contact : shape().contacts)
    for (std::size_t k = 0; k < contact.rows.size(); ++k)
      if (mode_.rows[contact.rows[k]]) std::swap(result.tau[contact.laws[k]], result.lambda[contact.rows[k]]);
}

std::string Dynamics::explain(const Instant& at) {
  need_matrices();
  system_.acceleration(at, *workspace_);
  const Terms& terms = workspace_->terms;
  if (const std::string bad = first_not_finite(shape(), terms); !bad.empty()) return bad + " is not a finite number";
  shape().M.scatter(terms.M, all_.M);
  all_.C.resize(active_.size(), shape().n());
  active_.matrix(terms.C, all_.C);
  if (!factor_->compute(all_.M, all_.C)) return "a motion that the constraints allow has no inertia";
  if (factor_->rank() < rank()) {
    std::string names;
    for (const int i : factor_->dependent())
      names += (names.empty() ? "\"" : ", \"") + shape().rows[active_.rows()[i]].name + "\"";
    return fmt::format("the constraints become dependent (rank {} instead of {}): {} follows from the others here",
                       factor_->rank(), rank(), names);
  }
  if (faulty_law_ >= 0) return explain_faulty_law();
  if (undecided_ && !shape().laws.empty()) {
    const LawSolutions& solutions = law_solutions(at);
    return solutions.unique() ? "the iteration on the laws does not end" : solutions.explain(shape());
  }
  if (nonlinear_) return "the constraints that are nonlinear in the accelerations have no solution near the last one";
  if (!formulation_->why().empty())
    return fmt::format("formulation \"{}\"{} refuses: {}", formulation_->name(),
                       basis_.empty() ? "" : " on basis \"" + basis_ + "\"", formulation_->why());
  return "the accelerations are not finite";
}

std::string Dynamics::explain_faulty_law() const {
  const std::string& name = shape().laws[faulty_law_].name;
  if (!std::isfinite(workspace_->terms.law[faulty_law_]))
    return fmt::format("law \"{}\" is not a finite number (a division by zero?)", name);
  return workspace_->terms.law_gradient.row(faulty_law_).allFinite()
             ? fmt::format("law \"{}\" does not determine its force here", name)
             : fmt::format("law \"{}\" has no derivative here", name);
}

const LawSolutions& Dynamics::law_solutions(const Instant& at, bool list) {
  const Shape& s = shape();
  const Terms& terms = workspace_->terms;
  law_solutions_.reset(static_cast<int>(s.laws.size()));
  if (s.laws.empty()) return law_solutions_;
  system_.acceleration(at, *workspace_);
  s.M.scatter(terms.M, equations_.M);
  rows_.matrix(terms.C, equations_.C);
  rows_.vector(terms.gamma, equations_.gamma);
  find_directions();
  reduced_laws_->reduce(equations_, terms.h, acting_, T_, rows_.rows());
  law_solutions_.find(s, terms, at, rows_.rows(), list, *reduced_laws_);
  return law_solutions_;
}

}  // namespace maggi
