#include "integration/form/tangent_form.hpp"

#include <fmt/format.h>

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
  if (!compute(t, y)) {
    why_ = fmt::format("basis \"{}\" cannot be formed: {}", basis_->name(), basis_->why());
    return false;
  }
  phi_ = -phi_;
  basis_->particular(phi_, d_);
  state.v = d_;
  state.v.noalias() += basis_->D() * Eigen::Map<const Vector>(y + shape_.nq(), freedom_);
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
  Workspace& w = dynamics_.workspace();
  dynamics_.system().rates(at_, vdot_.data(), w);
  shape_.M.scatter(w.terms.Mdot, equations_.rate.M);
  rows_.matrix(w.terms.Cdot, equations_.rate.C);
  if (equations_.J.rows() > 0) shape_.J.scatter(w.terms.Jdot, equations_.rate.J);
  if (!basis_->tangent_rate(equations_.rate, at_.v, vdot_, u_)) return false;
  std::copy(u_.data(), u_.data() + freedom_, ydot + shape_.nq());
  return u_.allFinite();
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
