#include "dynamics/dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "base/names.hpp"
#include "dynamics/servo_rows.hpp"
#include "maggi/error.hpp"
#include "system/seam/mechanism_system.hpp"

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

std::optional<MechanismSystem::MeetingEnds> ends_that_meet(const Dynamics& dynamics, const Instant& at) {
  const Shape& shape = dynamics.shape();
  const State here{at.t, Eigen::Map<const Vector>(at.q, shape.nq()), Eigen::Map<const Vector>(at.v, shape.n())};
  return meeting_ends(dynamics.system(), here, 0.0);
}

/// Friction on dependent one-sided rows, as of a table on four legs: is its sum the same however these share their
/// load? In no other law may the reaction of dependent rows occur.
bool shares_give_one_motion(const System& system, const Instant& at, const Mode& mode,
                            const std::vector<int>& independent, const std::vector<int>& dependent, Workspace& w) {
  constexpr double rounding = 1e-9;  // of the directions of the forces
  const Shape& shape = system.shape();
  Matrix C(shape.m(), shape.n()), T = Matrix::Zero(shape.n(), static_cast<Eigen::Index>(shape.laws.size()));
  shape.C.scatter(w.terms.C, C);
  shape.T.scatter(w.terms.T, T);
  const Matrix open = open_multipliers(std::move(C), independent, dependent);
  for (int i = 0; i < shape.m(); ++i)
    if (!shape.rows[i].one_sided && shape.rows[i].kind == RowKind::with_law && !open.row(i).isZero(0.0)) return false;
  // linear in λ ≥ 0: anywhere
  system.laws(at, Vector::Ones(shape.m()).eval().data(), Vector::Zero(T.cols()).eval().data(), mode.sense.data(), w);
  const Eigen::PartialPivLU<Matrix> by_tau(w.terms.law_gradient.rightCols(T.cols()));
  const Matrix forces = by_tau.solve(w.terms.law_gradient.leftCols(shape.m()) * open);
  return within((T * forces).norm(), rounding * T.norm() * forces.norm());
}

}  // namespace

Dynamics::Dynamics(const System& system, std::string_view formulation, std::string_view basis)
    : system_(system),
      workspace_(system.workspace()),
      mode_(mode_at_start(system.shape())),
      decision_(system.shape()),
      solver_(system, *workspace_, formulation, basis),
      laws_(system, *workspace_, mode_, solver_),
      share_(system.shape()),
      sharing_(system),
      feedback_(Vector::Zero(shape().m())) {
  if (!solver_.recursive() || shape().n() + shape().m() <= Recursion::small_system) need_matrices();
  decision_.use_mode(mode_);
  use_rows();
}

Dynamics::~Dynamics() = default;

void Dynamics::need_matrices() {
  solver_.need_matrices();
  decision_.need_matrices();
}

void Dynamics::use_rows() {
  solver_.use_rows(decision_.in_use());
  laws_.use_rows();
}

void Dynamics::set_mode(Mode mode) {
  mode_ = std::move(mode);
  decision_.use_mode(mode_);
  use_rows();
}

void Dynamics::turn(const Contact& contact, const Eigen::Ref<const Vector>& sense) {
  for (std::size_t k = 0; k < contact.laws.size(); ++k)
    mode_.sense[contact.laws[k]] = sense[static_cast<Eigen::Index>(k)];
}

void Dynamics::decide_rows(const Instant& at) {
  if (!decide_recursively(at)) decide_on_matrices(at);
}

void Dynamics::check_finite(const Instant& at) const {
  const std::string bad = first_not_finite(shape(), workspace_->terms);
  if (bad.empty()) return;
  if (const auto ends = ends_that_meet(*this, at))
    throw Error(Errc::numerics, ends->where, fmt::format("{} at t = {:.6g} s", ends->text, at.t),
                "nothing acts in a direction there: let the ends be apart");
  throw Error(Errc::numerics, {}, fmt::format("{} is not a finite number at t = {:.6g}", bad, at.t),
              "look for a division by zero, a root of a negative number or an overflow in that formula");
}

/// If all active rows can be eliminated, they are independent. Where they were dependent before, matrices tell better,
/// and a row that is zero stands out from nothing that was eliminated before it.
bool Dynamics::decide_recursively(const Instant& at) {
  if (!solver_.recursive() || !decision_.dependent().empty()) return false;
  solver_.evaluate_without_matrices(at);
  check_finite(at);
  solver_.recursion()->use_rows(active_rows());
  if (!solver_.recursion()->factorise(*workspace_)) return false;
  if (!(solver_.recursion()->weakest().sine > Recursion::least_sine)) return false;
  solver_.evaluate_C(at);
  if (decision_.has_zero_row(workspace_->terms)) return false;
  decision_.take_all();
  use_rows();
  return true;
}

void Dynamics::decide_on_matrices(const Instant& at) {
  need_matrices();
  system_.acceleration(at, *workspace_);
  if (shape().s_a > 0) system_.nonlinear_rows(at, solver_.vdot().data(), laws_.multipliers().data(), *workspace_);
  check_finite(at);
  decision_.decide(workspace_->terms, solver_.recursive());
  if (!decision_.regular()) solver_.meet_singular_M();
  use_rows();
  if (!shape().laws.empty() && decision_.redundant() &&
      !shares_give_one_motion(system_, at, mode_, rows_of_kind(shape(), rows().rows(), false),
                              rows_of_kind(shape(), dependent_rows(), false), *workspace_))
    refuse_open_laws();
}

/// Of dependent rows no law can use the reaction. A contact on a one-sided row that does not slide has no law in force,
/// and sticks as long as any share of the load lets it.
void Dynamics::refuse_open_laws() const {
  Matrix C(shape().m(), shape().n());
  shape().C.scatter(workspace_->terms.C, C);
  const Matrix open = open_multipliers(std::move(C), rows_of_kind(shape(), rows().rows(), false),
                                       rows_of_kind(shape(), dependent_rows(), false));
  for (const int i : active_rows()) {
    const Row& row = shape().rows[i];
    if (row.kind != RowKind::with_law || open.row(i).isZero(0.0)) continue;
    if (row.one_sided && only_resting_contacts_use(i)) continue;
    std::vector<std::string> names;
    for (const int j : active_rows())
      if (!open.row(j).isZero(0.0)) names.push_back(shape().rows[j].name);
    throw Error(Errc::model, row.where,
                fmt::format("a law uses the reaction of \"{}\", which is not unique: the constraints {} depend on each "
                            "other",
                            row.name, list_names(names)),
                "leave out the constraints that the others imply, or put friction elsewhere");
  }
}

int Dynamics::free_controls() const {
  if (shape().controls.empty()) return 0;
  return static_cast<int>(shape().controls.size() - rows_of_kind(shape(), rows().rows(), true).size());
}

bool Dynamics::only_resting_contacts_use(int row) const {
  std::size_t laws = 0;
  for (const Contact& contact : shape().contacts) {
    laws += contact.laws.size();
    const bool uses = std::ranges::find(contact.pressed, row) != contact.pressed.end();
    if (uses && !Vector(mode_.sense(contact.laws)).isZero(0.0)) return false;
  }
  return laws == shape().laws.size();
}

std::string Dynamics::reason() const {
  if (!solver_.automatic()) return "asked for";
  if (!decision_.regular()) return "the mass matrix is singular, but not on the admissible motions";
  if (!dependent_rows().empty())
    return fmt::format("{} of {} constraint rows {}", dependent_rows().size(), active_rows().size(),
                       decision_.redundant() ? "are redundant and left out, the others are independent"
                                             : "are kept with the others, through which the controls are found");
  if (solver_.recursive()) return fmt::format("goes {}; all constraints are independent", solver_.recursion()->order());
  if (active_rows().empty()) return "no constraints, nothing to choose";
  return fmt::format("{} unknowns, constraints of full rank: dense and direct", shape().n() + rows().size());
}

bool Dynamics::accelerate(const Instant& at, double* vdot) {
  if (!solve_rows(at, true)) return false;
  std::copy_n(solver_.vdot().data(), solver_.vdot().size(), vdot);
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
  laws_.begin();
  solved_recursively_ = false;
  Terms& terms = workspace_->terms;
  stabilised = stabilised && (alpha_ > 0.0 || beta_ > 0.0);
  if (stabilised) find_feedback(at);
  if (solver_.recursive()) {
    solver_.evaluate_without_matrices(at);
    if (stabilised) terms.gamma -= feedback_;
    solved_recursively_ = solver_.solve_recursively();
    if (solved_recursively_) return true;
    need_matrices();
  }
  system_.acceleration(at, *workspace_);
  if (stabilised) terms.gamma -= feedback_;  // acceleration rows have none, so that an iteration keeps it
  solver_.load_matrices(at);
  if (!shape().ideal()) laws_.find_directions();
  return laws_.needed() ? laws_.solve(at) : solver_.solve_matrices();
}

double Dynamics::reaction_power(const Instant& at) {
  const Eigen::Map<const Vector> v(at.v, shape().n());
  if (solver_.recursive()) solver_.evaluate_C(at);
  return shape().ideal() ? rows().power(workspace_->terms.C, solver_.lambda(), v) : laws_.power(v);
}

bool Dynamics::solve(const Instant& at, Acceleration& result) {
  if (!solve_rows(at, false)) return false;
  result.vdot = solver_.vdot();
  result.reaction.resize(shape().n());
  result.lambda.resize(shape().m());
  if (solver_.recursive()) solver_.evaluate_C(at);
  if (shape().ideal()) {
    rows().reaction(workspace_->terms.C, solver_.lambda(), result.reaction);
    rows().expand(solver_.lambda(), result.lambda);
  } else {
    separate_forces(result);
  }
  sharing_.clear();
  if (decision_.redundant()) share_reaction(at, result);
  if (!shape().ideal()) name_sticking_forces(result);
  return true;
}

/// Several λ give the same reaction: the one of least norm over all active rows that have one, or the nearest to it on
/// the way to one that contacts can exert.
void Dynamics::share_reaction(const Instant& at, Acceleration& result) {
  need_matrices();
  own_ = result.reaction;
  if (!shape().ideal()) {
    own_.noalias() -= laws_.B() * result.p;
    own_.noalias() -= laws_.T() * result.tau;
  }
  const bool laws = result.tau.size() > 0;
  if (laws) before_ = result.lambda;
  if (shape().s_a > 0)  // those that are left out act along their gradient at these accelerations
    system_.nonlinear_rows(at, result.vdot.data(), result.lambda.data(), *workspace_);
  share_.divide(decision_.reacting(), workspace_->terms, own_, result.lambda);
  if (sharing_.needed(mode_))
    sharing_.share(at, mode_, rows_of_kind(shape(), rows().rows(), false),
                   rows_of_kind(shape(), dependent_rows(), false), *workspace_, result.lambda);
  if (!laws) return;
  // friction on rows that share their load follows the share
  system_.laws(at, result.lambda.data(), result.tau.data(), mode_.sense.data(), *workspace_);
  const Matrix& gradient = workspace_->terms.law_gradient;
  const Eigen::PartialPivLU<Matrix> by_tau(gradient.rightCols(result.tau.size()));
  result.tau -= by_tau.solve(gradient.leftCols(shape().m()) * (result.lambda - before_));
}

void Dynamics::last_forces(Acceleration& a) const {
  a.lambda.resize(shape().m());
  laws_.expand(a.lambda);
  a.tau = laws_.tau();
  laws_.controls(a.p);
}

/// Where a row in use is kept by a control, its entry of λ is that control.
void Dynamics::separate_forces(Acceleration& result) const {
  last_forces(result);
  laws_.reaction(result.reaction);
}

/// Where a contact sticks by a row, the multiplier of that row is its force.
void Dynamics::name_sticking_forces(Acceleration& result) const {
  for (const Contact& contact : shape().contacts)
    for (std::size_t k = 0; k < contact.rows.size(); ++k)
      if (mode_.rows[contact.rows[k]]) std::swap(result.tau[contact.laws[k]], result.lambda[contact.rows[k]]);
}

std::string Dynamics::explain(const Instant& at) {
  need_matrices();
  method_refuses_ = false;
  system_.acceleration(at, *workspace_);
  const Terms& terms = workspace_->terms;
  if (const std::string bad = first_not_finite(shape(), terms); !bad.empty()) {
    const auto ends = ends_that_meet(*this, at);
    return ends ? ends->text : bad + " is not a finite number";
  }
  if (std::string why = decision_.explain(terms); !why.empty()) return why;
  if (std::string why = laws_.explain(at); !why.empty()) return why;
  const std::string why = solver_.explain();
  method_refuses_ = !why.empty();
  return why.empty() ? "the accelerations are not finite" : why;
}

}  // namespace maggi
