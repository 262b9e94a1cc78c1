#include "dynamics/row_solver.hpp"

#include <fmt/format.h>

#include "base/names.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/formulations.hpp"
#include "system/seam/size_terms.hpp"

namespace maggi {

namespace {

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

bool is_from_local_coordinates(std::string_view basis) {
  return !basis.empty() && basis_facts(basis).local_coordinates;
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

RowSolver::RowSolver(const System& system, Workspace& workspace, std::string_view formulation, std::string_view basis)
    : system_(system),
      workspace_(workspace),
      automatic_(formulation == "auto"),
      asked_for_(!automatic_ || !basis.empty()),
      basis_(basis),
      vdot_(Vector::Zero(system.shape().n())) {
  const Shape& s = shape();
  choose(formulation);
  needs_J_ = is_from_local_coordinates(basis_);
  if (needs_J_) ask_for_J(s, workspace_.terms);
  if (!recursion_ || s.n() + s.m() <= Recursion::small_system) need_matrices();
  if (!s.ideal() && !formulation_->solves_nonideal()) refuse_nonideal(formulation_->name());
  check_basis(basis_, s);
}

void RowSolver::choose(std::string_view formulation) {
  const Shape& s = shape();
  const bool recursive = formulation == "recursive";
  if (recursive || (automatic_ && s.ideal() && s.s_a == 0 && basis_.empty())) recursion_ = system_.recursion();
  if (recursive) check_recursive(s, recursion_.get(), basis_);
  on_matrices_ = !automatic_ && !recursive ? formulation
                 : !s.ideal()              ? "compatibility"
                 : basis_.empty()          ? "augmented"
                                           : "maggi";
  if (needs_basis(on_matrices_) && basis_.empty()) basis_ = default_basis(on_matrices_);
  if (!s.ideal() && recursive) refuse_nonideal("recursive");
}

void RowSolver::refuse_nonideal(std::string_view asked_for) const {
  const Shape& s = shape();
  const bool controlled = !s.controls.empty();
  const Channel& force = controlled ? s.controls.front() : s.laws.front();
  throw Error(Errc::model, force.where,
              fmt::format("formulation \"{}\" is for ideal constraints, but the model has the {} \"{}\"", asked_for,
                          controlled ? "control" : "law", force.name),
              fmt::format("take {}", list_names(nonideal_formulation_names())));
}

std::string_view RowSolver::formulation() const { return recursion_ ? "recursive" : formulation_->name(); }

const Basis* RowSolver::complement() const { return formulation_ ? formulation_->basis() : nullptr; }

void RowSolver::need_matrices() {
  if (formulation_) return;
  formulation_ = make_formulation(on_matrices_, basis_, shape().n(), shape().m());
  resize_equations();
}

void RowSolver::resize_equations() {
  resize(equations_, shape().n(), rows_.size(), needs_J_ ? shape().nx() : 0);
  if (!shape().ideal()) equations_.G = Matrix::Zero(shape().n(), rows_.size());
}

void RowSolver::use_rows(const std::vector<int>& rows) {
  if (recursion_) recursion_->use_rows(rows);
  if (rows == rows_.rows()) return;
  rows_ = RowSelection(shape(), rows);
  if (formulation_) resize_equations();
  lambda_ = gamma_ = Vector::Zero(rows_.size());
}

/// Methods in the metric of the mass matrix refuse one that is singular at the start, before anything is solved.
void RowSolver::check_method_without_inertia() const {
  const bool metric = !basis_.empty() && basis_facts(basis_).of_mass_matrix;
  if (!metric && (automatic_ || !divides_by_mass(on_matrices_))) return;
  throw Error(
      Errc::model, {},
      fmt::format("the mass matrix is not positive definite, which {} needs",
                  metric ? fmt::format("basis \"{}\"", basis_) : fmt::format("formulation \"{}\"", on_matrices_)),
      metric ? "take another basis, or leave the choice to auto" : "leave the choice to auto, or take maggi");
}

/// A joint that carries no inertia of its own has no acceleration of its own: the recursion cannot go over it.
void RowSolver::meet_singular_M() {
  if (recursion_ && !automatic_)
    throw Error(Errc::model, {},
                "formulation \"recursive\" needs inertia at every joint, but the mass matrix is singular",
                "leave the choice to auto, or take maggi");
  recursion_.reset();
  check_method_without_inertia();
  if (!automatic_ || formulation_->name() != "augmented") return;
  formulation_ = make_formulation("maggi", basis_, shape().n(), shape().m());
  basis_ = "qr";
}

void RowSolver::evaluate_without_matrices(const Instant& at) {
  workspace_.matrices = false;
  system_.acceleration(at, workspace_);
  workspace_.matrices = true;
}

void RowSolver::evaluate_C(const Instant& at) {
  workspace_.matrices = false;
  system_.velocity(at, workspace_);
  workspace_.matrices = true;
}

bool RowSolver::solve_recursively() {
  const Terms& terms = workspace_.terms;
  rows_.vector(terms.gamma, gamma_);
  return recursion_->factorise_and_solve(workspace_, terms.h.data(), gamma_.data(), vdot_.data(), lambda_.data()) &&
         vdot_.allFinite() && lambda_.allFinite();
}

void RowSolver::load_matrices(const Instant& at) {
  const Terms& terms = workspace_.terms;
  shape().M.scatter(terms.M, equations_.M);
  rows_.matrix(terms.C, equations_.C);
  rows_.vector(terms.gamma, equations_.gamma);
  equations_.h = terms.h;
  if (needs_J_) shape().J.scatter(terms.J, equations_.J);
  if (formulation_->needs_rates()) fill_rates(at);
}

void RowSolver::fill_rates(const Instant& at) {
  const Terms& terms = workspace_.terms;
  system_.rates(at, vdot_.data(), workspace_);
  shape().M.scatter(terms.Mdot, equations_.rate.M);
  rows_.matrix(terms.Cdot, equations_.rate.C);
  if (needs_J_) shape().J.scatter(terms.Jdot, equations_.rate.J);
  equations_.v = Eigen::Map<const Vector>(at.v, shape().n());
}

bool RowSolver::solve_matrices() {
  if (shape().n() == 0) return true;  // nothing can move; no row is independent
  return formulation_->solve(equations_, vdot_, lambda_) && vdot_.allFinite() && lambda_.allFinite();
}

std::string RowSolver::explain() const {
  if (formulation_->why().empty()) return "";
  return fmt::format("formulation \"{}\"{} refuses: {}", formulation_->name(),
                     basis_.empty() ? "" : " on basis \"" + basis_ + "\"", formulation_->why());
}

}  // namespace maggi
