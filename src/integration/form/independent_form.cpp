#include "integration/form/independent_form.hpp"

#include <fmt/format.h>

#include "base/largest.hpp"
#include "integration/form/active_rows.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

IndependentForm::Partition::Partition(const Shape& shape, std::vector<int> which)
    : rows(shape, std::move(which)),
      basis(shape.n(), std::max(1, rows.size())),
      equations{Matrix(shape.n(), shape.n()), Vector::Zero(shape.n()), Matrix(rows.size(), shape.n()),
                Vector::Zero(rows.size())},
      residual(rows.size()) {}

bool IndependentForm::Partition::load(const Shape& shape, const Terms& terms, const Vector& all_residuals) {
  shape.M.scatter(terms.M, equations.M);
  rows.matrix(terms.C, equations.C);
  rows.vector(all_residuals, residual);
  return equations.C.allFinite() && residual.allFinite() && basis.compute(equations);
}

IndependentForm::IndependentForm(Dynamics& dynamics, const State& start)
    : Form(dynamics),
      position_(shape_, active_rows(dynamics, shape_.s_p)),
      velocity_(shape_, active_rows(dynamics, shape_.s_p + shape_.s_v)),
      at_(start),
      vdot_(shape_.n()) {
  if (!shape_.identity_rates)
    throw Error(Errc::model, {},
                "unknowns = independent needs q̇ = v: here the velocities are not the rates of coordinates",
                "take unknowns = tangent or velocities");
  load_position(start);
  load_velocity(start);
  position_.basis.hold(true);
  velocity_.basis.hold(true);
  accept(start);
}

void IndependentForm::accept(const State& state) {
  accepted_ = at_ = state;
  D_ = position_.basis.D();
}

/// Where the search begins; how far that is from the accepted state.
double IndependentForm::predict(double t, const double* y) {
  const auto positions = static_cast<Eigen::Index>(position_.independent().size());
  const auto &q_i = position_.independent(), &v_i = velocity_.independent();
  const double dt = t - accepted_.t;
  at_ = accepted_;
  at_.t = t;
  at_.q += dt * accepted_.v;
  at_.q += D_ * (Eigen::Map<const Vector>(y, positions) - at_.q(q_i));
  at_.q(q_i) = Eigen::Map<const Vector>(y, positions);
  at_.v(v_i) = Eigen::Map<const Vector>(y + positions, static_cast<Eigen::Index>(v_i.size()));
  predicted_ = at_.q;
  return larger(largest(at_.q - accepted_.q), std::abs(dt) * largest(accepted_.v));
}

std::string IndependentForm::name(int entry) const {
  const auto positions = static_cast<int>(position_.independent().size());
  return entry < positions ? shape_.coordinates[position_.independent()[entry]].name
                           : shape_.velocities[velocity_.independent()[entry - positions]].name;
}

bool IndependentForm::load_position(const State& at) {
  Workspace& w = dynamics_.workspace();
  dynamics_.system().position(at, w);
  return position_.load(shape_, w.terms, w.terms.f);
}

bool IndependentForm::load_velocity(const State& at) {
  Workspace& w = dynamics_.workspace();
  dynamics_.system().velocity(at, w);
  return velocity_.load(shape_, w.terms, w.terms.phi);
}

/// Newton's method for the dependent entries of q or v in at_, to rounding.
bool IndependentForm::solve(Partition& partition, bool (IndependentForm::*load)(const State&), Vector& unknowns,
                            const char* what) {
  constexpr int most = 25, slow = 6;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most; ++iteration) {
    if (!(this->*load)(at_)) break;
    if (partition.dependent().empty()) return true;
    const Vector step = partition.basis.solve(partition.residual);
    unknowns(partition.dependent()) -= step;
    const double size = largest(step), scale = 1.0 + largest(unknowns);
    if (iteration >= slow) slow_ = true;
    // quadratic: the next step would be below rounding; or it no longer falls
    if (within(size, 1e-9 * scale) && (size <= 1e-15 * scale || size >= 0.5 * last || iteration > slow)) return true;
    if (!std::isfinite(size)) break;
    last = size;
  }
  why_ = fmt::format("the dependent {} cannot be found", what);
  return false;
}

bool IndependentForm::state(double t, const double* y, State& state) {
  constexpr double rounding = 1e-9;
  const double way = predict(t, y);
  bool found = solve(position_, &IndependentForm::load_position, at_.q, "coordinates") &&
               solve(velocity_, &IndependentForm::load_velocity, at_.v, "velocities");
  if (found && !within(largest(at_.q - predicted_), way + rounding * (1.0 + largest(at_.q)))) {
    why_ = "the dependent coordinates are found on another branch only";
    found = false;
  }
  state = at_;
  return found;
}

void IndependentForm::values(const State& state, double* y) {
  const auto positions = static_cast<Eigen::Index>(position_.independent().size());
  Eigen::Map<Vector>(y, positions) = state.q(position_.independent());
  Eigen::Map<Vector>(y + positions, static_cast<Eigen::Index>(velocity_.independent().size())) =
      state.v(velocity_.independent());
}

bool IndependentForm::rate(double t, const double* y, double* ydot) {
  State now = at_;
  if (!state(t, y, now) || !dynamics_.accelerate(now, vdot_.data())) return false;
  const auto positions = static_cast<Eigen::Index>(position_.independent().size());
  Eigen::Map<Vector>(ydot, positions) = now.v(position_.independent());
  Eigen::Map<Vector>(ydot + positions, static_cast<Eigen::Index>(velocity_.independent().size())) =
      vdot_(velocity_.independent());
  return true;
}

bool IndependentForm::linearise(double t, const double* y, bool with_power, FormDerivatives& d) {
  State now = at_;
  const SolutionDerivatives& solution = solution_derivatives();
  if (!state(t, y, now) || !solution_derivatives().compute(now) || !load_position(now) || !load_velocity(now))
    return false;
  const auto &q_i = position_.independent(), &v_i = velocity_.independent();
  const auto positions = static_cast<Eigen::Index>(q_i.size()), velocities = static_cast<Eigen::Index>(v_i.size());
  d.displacement.setZero(shape_.n(), size());
  d.velocity.setZero(shape_.n(), size());
  d.displacement.leftCols(positions) = position_.basis.D();
  d.velocity.rightCols(velocities) = velocity_.basis.D();
  Derivatives of_rows;
  dynamics_.system().velocity_derivatives(now, dynamics_.workspace(), of_rows);
  const Matrix change = of_rows.phi_q(velocity_.rows.rows(), Eigen::all) * position_.basis.D();
  for (Eigen::Index j = 0; j < positions; ++j)
    d.velocity.col(j)(velocity_.dependent()) = -velocity_.basis.solve(Vector(change.col(j)));
  const Matrix of_vdot = solution.vdot_q() * d.displacement + solution.vdot_v() * d.velocity;
  d.rate.resize(size(), size());
  d.rate.topRows(positions) = d.velocity(q_i, Eigen::all);
  d.rate.bottomRows(velocities) = of_vdot(v_i, Eigen::all);
  if (with_power) differentiate_power(now, d);
  return true;
}

bool IndependentForm::renew(const State& at) {
  load_position(at);
  load_velocity(at);
  const bool again = slow_ || position_.basis.strained() || velocity_.basis.strained();
  const std::vector<int> before_q = position_.independent(), before_v = velocity_.independent();
  if (again) choose_again(at);
  accept(at);
  return again && (before_q != position_.independent() || before_v != velocity_.independent());
}

void IndependentForm::choose_again(const State& at) {
  for (Partition* partition : {&position_, &velocity_}) {
    partition->basis.hold(false);
    partition->basis.forget();
  }
  load_position(at);
  load_velocity(at);
  position_.basis.hold(true);
  velocity_.basis.hold(true);
  slow_ = false;
}

}  // namespace maggi::integration
