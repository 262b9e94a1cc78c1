#include "integration/form/tangent_form.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "integration/form/active_rows.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"
#include "system/seam/size_terms.hpp"

namespace maggi::integration {

namespace {

/// With rows that depend on others D would jump: between two accepted states a step leaves the constraints a little,
/// and there redundant rows look independent. Where controls keep rows, or rows are of acceleration level, other rows
/// than these are in use.
bool takes_rows_in_use(const Dynamics& dynamics) {
  return dynamics.shape().s_a == 0 && dynamics.shape().controls.empty();
}

/// Rows of position and velocity level, independent ones. All rows must be linear in v, also those that are switched on
/// later.
std::vector<int> linear_rows(const Dynamics& dynamics) {
  const Shape& shape = dynamics.shape();
  for (const Row& row : shape.rows)
    if (row.level == Level::velocity && row.nonlinear)
      throw Error(Errc::model, row.where,
                  fmt::format("unknowns = tangent does not work with constraint \"{}\", which is not linear in the "
                              "velocities: v = D u + d_v does not describe them",
                              row.name),
                  "take unknowns = velocities");
  return takes_rows_in_use(dynamics) ? dynamics.rows().rows() : active_rows(dynamics, shape.s_p + shape.s_v);
}

}  // namespace

TangentForm::TangentForm(Dynamics& dynamics, const State& start, std::optional<Continuity> continuity)
    : Form(dynamics),
      rows_(shape_, linear_rows(dynamics)),
      basis_(make_smooth_basis(dynamics.basis().empty() ? "mass-gram-schmidt" : dynamics.basis(), continuity,
                               shape_.n(), std::max(1, rows_.size()))),
      phi_(rows_.size()),
      d_(shape_.n()),
      vdot_(shape_.n()),
      at_(start) {
  if (basis_facts(basis_->name()).local_coordinates && shape_.nx() > 0) ask_for_J(shape_, dynamics.workspace().terms);
  resize();
  if (!compute(start.t, start.q.data()))
    throw Error(
        Errc::numerics, {},
        fmt::format("the tangent velocities of basis \"{}\" cannot be formed: {}", basis_->name(), basis_->why()),
        "take another basis");
  freedom_ = static_cast<int>(basis_->D().cols());
  u_.resize(freedom_);
  basis_->hold(true);
}

void TangentForm::resize() {
  const int n = shape_.n(), m = rows_.size(), n_x = basis_facts(basis_->name()).local_coordinates ? shape_.nx() : 0;
  equations_ = {Matrix(n, n), Vector::Zero(n), Matrix(m, n), Vector::Zero(m)};
  equations_.J.resize(n_x, n);
  equations_.rate = {Matrix(n, n), Matrix(m, n), Matrix(n_x, n)};
  phi_.resize(m);
}

std::string TangentForm::name(int entry) const {
  return entry < shape_.nq() ? shape_.coordinates[entry].name : fmt::format("u{}", entry - shape_.nq() + 1);
}

bool TangentForm::compute(double t, const double* q) {
  Workspace& w = dynamics_.workspace();
  at_.v.setZero();
  dynamics_.system().velocity({t, q, at_.v.data()}, w);
  shape_.M.scatter(w.terms.M, equations_.M);
  rows_.matrix(w.terms.C, equations_.C);
  if (equations_.J.rows() > 0) shape_.J.scatter(w.terms.J, equations_.J);
  rows_.vector(w.terms.phi, phi_);
  return equations_.M.allFinite() && equations_.C.allFinite() && basis_->compute(equations_);
}

bool TangentForm::state(double t, const double* y, State& state) {
  state.t = t;
  std::copy(y, y + shape_.nq(), state.q.data());
  return load_state(t, y, y + shape_.nq(), state.v);
}

/// (1) at q and u; D is that of q.
bool TangentForm::load_state(double t, const double* q, const double* u, Vector& v) {
  if (!compute(t, q)) {
    why_ = fmt::format("basis \"{}\" cannot be formed: {}", basis_->name(), basis_->why());
    return false;
  }
  phi_ = -phi_;
  basis_->particular(phi_, d_);
  v = d_;
  v.noalias() += basis_->D() * Eigen::Map<const Vector>(u, freedom_);
  return true;
}

void TangentForm::values(const State& state, double* y) {
  std::copy(state.q.data(), state.q.data() + shape_.nq(), y);
  compute(state.t, state.q.data());
  basis_->tangent(state.v, u_);
  std::copy(u_.data(), u_.data() + freedom_, y + shape_.nq());
}

bool TangentForm::rate(double t, const double* y, double* ydot) {
  if (!state(t, y, at_) || !dynamics_.accelerate(at_, vdot_.data())) return false;
  coordinate_rates(y, at_.v.data(), ydot);
  if (!tangent_rate(at_, vdot_, u_)) return false;
  std::copy(u_.data(), u_.data() + freedom_, ydot + shape_.nq());
  return u_.allFinite();
}

/// Ṁ, Ċ and J̇ along the velocities of a state.
void TangentForm::load_rates(const State& at, Rates& rates) {
  Workspace& w = dynamics_.workspace();
  dynamics_.system().rates(at, nullptr, w);  // rows are linear in v, so that v̇ does not occur
  shape_.M.scatter(w.terms.Mdot, rates.M);
  rows_.matrix(w.terms.Cdot, rates.C);
  if (equations_.J.rows() > 0) shape_.J.scatter(w.terms.Jdot, rates.J);
}

/// u̇ of (2) at a state whose basis has been computed.
bool TangentForm::tangent_rate(const State& at, const Vector& vdot, Vector& udot) {
  load_rates(at, equations_.rate);
  return basis_->tangent_rate(equations_.rate, at.v, vdot, udot);
}

bool TangentForm::linearise(double t, const double* y, bool with_power, FormDerivatives& d) {
  State now = at_;
  SolutionDerivatives& solution = solution_derivatives();
  if (!state(t, y, now) || !solution.compute(now) || !differentiate_Z(now)) return false;
  const int nq = shape_.nq(), k = freedom_;
  coordinate_rates_.compute(dynamics_.system(), now.q.data(), now.v.data());
  const Matrix& N_plus = coordinate_rates_.inverse();
  d.displacement.setZero(shape_.n(), size());
  d.displacement.leftCols(nq) = N_plus;
  differentiate_velocity(now, d);
  d.rate.setZero(size(), size());
  d.rate.topRows(nq).noalias() = coordinate_rates_.N() * d.velocity;
  d.rate.topLeftCorner(nq, nq) += coordinate_rates_.by_q();
  const Matrix of_vdot = solution.vdot_q() * d.displacement + solution.vdot_v() * d.velocity;
  Vector column;
  for (int j = 0; j < size(); ++j) {
    basis_->tangent(of_vdot.col(j), column);
    d.rate.col(j).tail(k) = column;
  }
  d.rate.bottomRightCorner(k, k) += Zdot_D_;
  d.rate.bottomRightCorner(k, k).noalias() += Z_turned_ * basis_->D();
  if (with_power) differentiate_power(now, d);
  Matrix turning(k, shape_.n());
  if (!differentiate_turning(now, y, solution.solution().vdot, turning)) return false;
  d.rate.bottomLeftCorner(k, nq).noalias() += turning * N_plus;
  return true;
}

/// How Z turns with the configuration, at a state whose basis has been computed: Z_turned_ and Zdot_D_.
bool TangentForm::differentiate_Z(const State& now) {
  const int n = shape_.n();
  at_rest_ = along_ = equations_.rate;
  State moving = now;
  const Vector none = Vector::Zero(n);
  Vector column(freedom_);
  Zdot_D_.resize(freedom_, freedom_);
  load_rates(now, along_);
  for (int j = 0; j < freedom_; ++j) {
    if (!basis_->tangent_rate(along_, basis_->D().col(j), none, column)) return false;
    Zdot_D_.col(j) = column;
  }
  Z_turned_.resize(freedom_, n);
  moving.v.setZero();
  load_rates(moving, at_rest_);  // where time occurs
  for (int j = 0; j < n; ++j) {
    moving.v[j] = 1.0;
    load_rates(moving, along_);
    moving.v[j] = 0.0;
    along_.M -= at_rest_.M;
    along_.C -= at_rest_.C;
    along_.J -= at_rest_.J;
    if (!basis_->tangent_rate(along_, now.v, none, column)) return false;
    Z_turned_.col(j) = column;
  }
  return true;
}

/// C dv = −dφ at fixed v, and Zᵀdv = du − dZᵀv.
void TangentForm::differentiate_velocity(const State& now, FormDerivatives& d) {
  const int n = shape_.n();
  Derivatives of_rows;
  dynamics_.system().velocity_derivatives(now, dynamics_.workspace(), of_rows);
  Matrix by_q(n, n);
  Vector change(rows_.size()), across(n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < rows_.size(); ++i) change[i] = -of_rows.phi_q(rows_.rows()[static_cast<std::size_t>(i)], j);
    basis_->particular(change, across);
    by_q.col(j) = across;
  }
  by_q.noalias() -= basis_->D() * Z_turned_;
  d.velocity.resize(n, size());
  d.velocity.leftCols(shape_.nq()).noalias() = by_q * d.displacement.leftCols(shape_.nq());
  d.velocity.rightCols(freedom_) = basis_->D();
}

/// The derivative of Zᵀv̇ + Żᵀv by positions, at fixed u and v̇, by differences.
bool TangentForm::differentiate_turning(const State& now, const double* y, const Vector& vdot,
                                        Eigen::Ref<Matrix> by_q) {
  const double step = std::sqrt(std::numeric_limits<double>::epsilon());
  const double* u = y + shape_.nq();
  kinematic_.resize(freedom_);
  if (!tangent_rate(now, vdot, kinematic_)) return false;
  State moved = now;
  Vector delta = Vector::Zero(shape_.n()), column(freedom_);
  for (int j = 0; j < shape_.n(); ++j) {
    delta[j] = step;
    moved.q = now.q;
    dynamics_.system().move(moved.q.data(), delta.data());
    delta[j] = 0.0;
    if (!load_state(now.t, moved.q.data(), u, moved.v) || !tangent_rate(moved, vdot, column)) return false;
    by_q.col(j) = (column - kinematic_) / step;
  }
  return true;
}

bool TangentForm::renew(const State& at) {
  const bool other_rows = takes_rows_in_use(dynamics_) && dynamics_.rows().rows() != rows_.rows();
  if (other_rows) {
    rows_ = RowSelection(shape_, dynamics_.rows().rows());
    resize();
  } else {
    compute(at.t, at.q.data());
    if (!basis_->strained()) return false;
  }
  basis_->hold(false);
  compute(at.t, at.q.data());
  basis_->hold(true);
  return true;
}

}  // namespace maggi::integration
