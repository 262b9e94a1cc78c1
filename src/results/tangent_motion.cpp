#include "results/tangent_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/cholesky.hpp"
#include "basis/metric_factor.hpp"
#include "basis/projective.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"
#include "system/seam/size_terms.hpp"

namespace maggi::results {

namespace {

constexpr const char* usual_basis = "mass-gram-schmidt";

/// Rows that events, contacts or gaps switch.
std::vector<bool> switched_rows(const Shape& shape) {
  std::vector<bool> switched(shape.m(), false);
  for (int i = 0; i < shape.m(); ++i) {
    const Row& row = shape.rows[i];
    switched[i] = row.one_sided || !row.of_model() || !row.active_at_start;
  }
  for (const Switch& event : shape.events)
    for (const auto* rows : {&event.on, &event.off})
      for (const int i : *rows) switched[i] = true;
  return switched;
}

}  // namespace

TangentMotion::TangentMotion(const System& system, const TangentBasis& basis, const State& start, const Mode& mode)
    : system_(system), shape_(system.shape()), workspace_(system.workspace()), in_force_(rows_in_force(mode)) {
  const std::string_view name = basis.name.empty() ? usual_basis : std::string_view(basis.name);
  check_basis(name, shape_);
  basis_ = make_smooth_basis(name, basis.continuity, shape_.n(), std::max(1, shape_.s_p + shape_.s_v));
  mass_orthonormal_ = name == usual_basis || basis.continuity == Continuity::procrustes_mass;
  if (basis_facts(name).local_coordinates) ask_for_J(shape_, workspace_->terms);
  equations_.M.resize(shape_.n(), shape_.n());
  find_most(start);
  choose(start);
  Matrix L = equations_.M;
  regular_ = cholesky(L);
}

std::vector<int> TangentMotion::rows_in_force(const Mode& mode) const {
  std::vector<int> rows;
  for (int i = 0; i < shape_.s_p + shape_.s_v; ++i)
    if (mode.rows[i]) rows.push_back(i);
  return rows;
}

/// The independent ones of some rows, increasing; by the rule of the rank decision.
std::vector<int> TangentMotion::independent(const std::vector<int>& rows, const Instant& at) {
  const RowSelection all(shape_, rows);
  Matrix C(all.size(), shape_.n());
  system_.velocity(at, *workspace_);
  shape_.M.scatter(workspace_->terms.M, equations_.M);
  all.matrix(workspace_->terms.C, C);
  MetricFactor factor(shape_.n(), std::max(1, all.size()));
  if (!factor.compute(equations_.M, C))
    throw Error(Errc::numerics, {},
                "there are no tangent velocities: a motion that the constraints allow has no inertia");
  std::vector<int> result;
  for (const int i : factor.independent()) result.push_back(rows[i]);
  std::ranges::sort(result);
  return result;
}

/// From the rows that nothing switches. Where these depend on each other at the start only, D has fewer columns later.
void TangentMotion::find_most(const State& start) {
  const std::vector<bool> switched = switched_rows(shape_);
  std::vector<int> permanent;
  for (int i = 0; i < shape_.s_p + shape_.s_v; ++i)
    if (!switched[i]) permanent.push_back(i);
  most_ = shape_.n() - static_cast<int>(independent(permanent, start).size());
}

/// M, C and J at a state, and D. false if the choices made before do not fit here.
bool TangentMotion::compute(const Instant& at) {
  const Terms& terms = workspace_->terms;
  system_.velocity(at, *workspace_);
  shape_.M.scatter(terms.M, equations_.M);
  rows_.matrix(terms.C, equations_.C);
  if (equations_.J.rows() > 0) shape_.J.scatter(terms.J, equations_.J);
  return basis_->compute(equations_);
}

void TangentMotion::choose(const State& at) {
  const int n = shape_.n(), n_x = basis_facts(basis_->name()).local_coordinates ? shape_.nx() : 0;
  rows_ = RowSelection(shape_, independent(in_force_, at));
  equations_.C.resize(rows_.size(), n);
  equations_.gamma.resize(rows_.size());
  equations_.J.resize(n_x, n);
  equations_.rate = {Matrix(n, n), Matrix(rows_.size(), n), Matrix(n_x, n)};
  basis_->hold(false);
  if (!compute(at))
    throw Error(Errc::numerics, {},
                fmt::format("at t = {:.9g} s the tangent velocities of basis \"{}\" cannot be formed: {}", at.t,
                            basis_->name(), basis_->why()),
                "take another basis, as --basis qr");
  basis_->hold(true);
  ++selections_;
}

void TangentMotion::renew(const State& state) {
  if (!compute(state) || basis_->strained()) choose(state);
}

void TangentMotion::evaluate(const State& state, const Acceleration& a, const Mode& mode) {
  const std::vector<int> rows = rows_in_force(mode);
  const bool others = rows != in_force_;
  in_force_ = rows;
  if (others || !compute(state)) choose(state);
  find_velocities(state, a);
  find_forces(state, a);
  find_measures(a);
}

/// (1) and (2), and Żᵀv for (3).
void TangentMotion::find_velocities(const State& state, const Acceleration& a) {
  Rates& rates = equations_.rate;
  const Terms& terms = workspace_->terms;
  system_.rates(state, a.vdot.data(), *workspace_);
  shape_.M.scatter(terms.Mdot, rates.M);
  rows_.matrix(terms.Cdot, rates.C);
  if (equations_.J.rows() > 0) shape_.J.scatter(terms.Jdot, rates.J);
  const int k = freedom();
  u_.resize(k), udot_.resize(k), turning_.resize(k);
  basis_->tangent(state.v, u_);
  dv_ = state.v - D() * u_;
  basis_->tangent_rate(rates, state.v, a.vdot, udot_);
  basis_->tangent_rate(rates, state.v, Vector::Zero(shape_.n()), turning_);
}

/// (3)
void TangentMotion::find_forces(const State& state, const Acceleration& a) {
  const Terms& terms = workspace_->terms;
  system_.acceleration(state, *workspace_);
  rows_.vector(terms.gamma, equations_.gamma);
  d0_.resize(shape_.n());
  basis_->particular(equations_.gamma, d0_);
  Vector force = terms.h - equations_.M * (d0_ - D() * turning_);
  if (!shape_.ideal() || shape_.s_a > 0) force += a.reaction;  // Dᵀr = Dᵀr₁
  Mu_ = D().transpose() * equations_.M * D();
  hu_ = D().transpose() * force;
}

/// (4), the cosines and (5).
void TangentMotion::find_measures(const Acceleration& a) {
  Matrix L = Mu_;
  energies_.setConstant(freedom(), std::numeric_limits<double>::quiet_NaN());
  if (cholesky(L)) energies_ = 0.5 * (L.triangularView<Eigen::Lower>().transpose() * u_).cwiseAbs2();
  if (!regular_) return;
  L = equations_.M;
  (void)cholesky(L);
  constrained_ = cosines_squared(equations_.M, equations_.C);
  Vector r = a.reaction;
  solve_lower(L, r);
  gauss_ = r.squaredNorm();
}

}  // namespace maggi::results
