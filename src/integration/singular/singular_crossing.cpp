#include "integration/singular/singular_crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/decompositions.hpp"
#include "base/largest.hpp"

namespace maggi::integration {

namespace {
constexpr double none = std::numeric_limits<double>::infinity();
}  // namespace

SingularCrossing::SingularCrossing(Dynamics& dynamics, Form& form, ConstraintKeeper& keeper, RankMonitor& monitor,
                                   const IntegrateOptions& options)
    : dynamics_(dynamics),
      form_(form),
      keeper_(keeper),
      monitor_(monitor),
      interrupt_(options.interrupt),
      atol_(std::clamp(options.atol, finest, coarsest)),
      rtol_(std::clamp(options.rtol, finest, coarsest)),
      points_(points),
      y_(form.size()),
      fixed_(Vector::Zero(points)),
      k_(form.size(), points),
      stages_(form.size(), points),
      tangential_(form.size(), points),
      slope_(form.size()),
      stage_(form.size()),
      probe_{0.0, Vector::Zero(dynamics.shape().nq()), Vector::Zero(dynamics.shape().n())},
      loose_(dynamics.system(), 1e-12, 0.1 * monitor.distance()),
      metric_(dynamics.shape().n(), dynamics.shape().m()) {
  for (int i = 0; i < points; ++i) integrals_.push_back(points_.integrals(points_[i]));
  loose_.use_rows(dynamics.active_rows());
}

bool SingularCrossing::cross(double t, const double* y, double expected, int attempts) {
  constexpr int max_halvings = 3, shortest = points / 2 - 1, longest = 1;
  allowance_ = allowance * std::pow(4.0, std::min(attempts, max_halvings));
  t_ = t;
  y_ = Eigen::Map<const Vector>(y, form_.size());
  for (int gap = shortest; gap >= (attempts > 0 ? longest : shortest); --gap)
    if (cross_between(gap, expected)) return true;
  return false;
}

/// With the singular configuration between the points `gap` and `gap` + 1, none of which should be close to it.
bool SingularCrossing::cross_between(int gap, double expected) {
  constexpr int max_attempts = 3;
  const double before = points_[gap], after = points_[gap + 1], margin = (after - before) / 4;
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    H_ = (expected - t_) / ((before + after) / 2);
    if (!form_(t_, y_.data(), slope_.data())) return false;
    if (!guess(0.0, slope_.segment(dynamics_.shape().nq(), dynamics_.shape().n())) || !collocate()) return false;
    find_closest();
    if (closest_.size() != 1) break;
    const double place = (closest_[0].t - t_) / H_;
    if (place > before + margin && place < after - margin) break;
    expected = closest_[0].t;
  }
  measure_rows();
  return smooth() && ends_on_constraints() &&
         std::ranges::all_of(closest_, [&](const State& state) { return meets_constraints(state); });
}

bool SingularCrossing::leave(double t, const double* y, double half, const Vector& vdot) {
  t_ = t - half, H_ = 2 * half;
  y_ = Eigen::Map<const Vector>(y, form_.size());
  fixed_ = points_.integrals(0.5);
  form_.state(t, y_.data(), probe_);
  closest_.clear();
  configurations_ = {probe_};
  if (!guess(0.5, vdot) || !collocate() || !smooth()) return false;
  measure_rows();
  return ends_on_constraints();
}

/// q to second and v to first order from the given state, which is closer to this branch than to any other.
bool SingularCrossing::guess(double from, const Vector& vdot) {
  form_.state(t_ + from * H_, y_.data(), probe_);
  const State begin = probe_;
  for (int i = 0; i < points; ++i) {
    const double s = (points_[i] - from) * H_;
    probe_ = begin;
    probe_.t += s;
    const Vector way = s * begin.v + (s * s / 2) * vdot;
    dynamics_.system().move(probe_.q.data(), way.data());
    probe_.v += s * vdot;
    stage_ = y_;
    form_.values(probe_, stage_.data());
    stages_.col(i) = stage_;
    if (!refine(i, false)) return false;
  }
  return true;
}

/// The size of the rows of C at the end of the step; in the singular configuration all of them may vanish.
void SingularCrossing::measure_rows() {
  Vector y(form_.size());
  interpolate(end(), y.data());
  form_.state(end(), y.data(), probe_);
  dynamics_.system().velocity(probe_, dynamics_.workspace());
  row_size_ = largest(dynamics_.workspace().terms.C);
}

/// The projection of stage i, and the rate there.
bool SingularCrossing::refine(int i, bool predicted) {
  const double t = t_ + points_[i] * H_;
  stage_ = stages_.col(i);
  most_ = Vector::Constant(stage_.size(), none);
  if (!keeper_.keep(t, stage_.data(), most_.data())) return false;
  if (!form_(t, stage_.data(), slope_.data())) return false;
  k_.col(i) = slope_;
  if (!form_.state(t, stage_.data(), probe_) || !take_tangential(probe_, slope_)) return false;
  if (predicted) change_ = larger(change_, size_of(H_ * (slope_ - tangential_.col(i)), stage_.data()));
  tangential_.col(i) = slope_;
  return true;
}

/// Close to the singular configuration rounding errors of the state are amplified in v̇, but only in the part C v̇ = γ,
/// which is removed here.
bool SingularCrossing::take_tangential(const State& at, Vector& slope) {
  const Shape& shape = dynamics_.shape();
  Workspace& w = dynamics_.workspace();
  const RowSelection& rows = dynamics_.rows();
  auto vdot = slope.segment(shape.nq(), shape.n());
  Vector held(rows.size()), across(shape.n()), forces(rows.size());
  if (dynamics_.solved_recursively()) {  // its factors are those of this state, and C v̇ = γ
    rows.vector(w.terms.gamma, held);
    dynamics_.recursion()->solve(nullptr, held.data(), across.data(), forces.data());
  } else {
    dynamics_.system().velocity(at, w);
    rows.rates(w.terms.C, vdot, held);
    Matrix M(shape.n(), shape.n()), C(rows.size(), shape.n());
    shape.M.scatter(w.terms.M, M);
    rows.matrix(w.terms.C, C);
    if (!metric_.compute(M, C)) return false;
    metric_.least_change(held, across);
  }
  vdot -= across;
  return true;
}

/// Fixed-point iteration on (1), each stage with the newest rates.
bool SingularCrossing::collocate() {
  constexpr int max_iterations = 40;
  constexpr double rounding = 1e3;  // tolerances: what may be left, in v; the end of the step shows whether it matters
  double before = none;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    if (interrupt_ && interrupt_->load(std::memory_order_relaxed)) return false;
    change_ = 0.0;
    for (int i = 0; i < points; ++i) {
      stages_.col(i) = y_ + H_ * (k_ * (integrals_[i] - fixed_));
      if (!refine(i, true)) return false;
    }
    if (change_ <= 0.01) return true;
    if (change_ > 0.5 * before && iteration > 3) return change_ <= rounding;
    before = change_;
  }
  return false;
}

double SingularCrossing::size_of(const Vector& change, const double* y) const {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < change.size(); ++i) {
    const double part = change[i] / (atol_ + rtol_ * std::abs(y[i]));
    sum += part * part;
  }
  return std::sqrt(sum / static_cast<double>(change.size()));
}

bool SingularCrossing::smooth() const {
  return size_of(H_ * (tangential_ * points_.highest()), y_.data()) <= allowance_;
}

/// The projection at the end removes local errors only: see RunState::largest_changes(); rounding is amplified here.
bool SingularCrossing::ends_on_constraints() {
  constexpr double rounding = 1e-9;
  const double tolerances = 100 * allowance_;
  interpolate(end(), stage_.data());
  most_ = tolerances * (atol_ + rtol_ * stage_.cwiseAbs().array()) + rounding * (1.0 + stage_.cwiseAbs().array());
  return keeper_.keep(end(), stage_.data(), most_.data());
}

void SingularCrossing::interpolate(double t, double* y) const {
  Eigen::Map<Vector>(y, y_.size()) = y_ + H_ * (k_ * (points_.integrals((t - t_) / H_) - fixed_));
}

/// Of the state on the polynomial, which is left in probe_.
double SingularCrossing::distance(double t) {
  interpolate(t, stage_.data());
  form_.state(t, stage_.data(), probe_);
  return monitor_.clearance(probe_);
}

/// Golden section, until the distance may be approximated by two straight lines down to zero; then their intersection.
double SingularCrossing::find_least(double from, double to) {
  constexpr double golden = 0.6180339887498949, resolution = 1e-13, straight = 1e-3, closer = 1e-2;
  double left = to - golden * (to - from), right = from + golden * (to - from);
  double at_left = distance(left), at_right = distance(right);
  double width = straight * H_;  // of the next attempt with straight lines
  while (to - from > resolution * H_ && right > left) {
    if (to - from < width) {
      const double before = std::min(at_left, at_right);
      double t = (from + to) / 2;
      for (double reach = to - from; reach > 1e-9 * H_; reach *= closer) {
        const double a = distance(t - reach), b = distance(t + reach);
        if (!(a + b > 0.0)) break;  // not resolved any further
        t += reach * (a - b) / (a + b);
      }
      if (distance(t) < 1e-3 * before) return t;
      width = 0.0;  // not a zero
    }
    if (at_left < at_right) {
      to = right, right = left, at_right = at_left;
      left = to - golden * (to - from), at_left = distance(left);
    } else {
      from = left, left = right, at_left = at_right;
      right = from + golden * (to - from), at_right = distance(right);
    }
  }
  return (from + to) / 2;
}

void SingularCrossing::find_closest() {
  constexpr int parts = 20;
  constexpr double low = 0.5;     // of the distance at the beginning: other minima are not zeros
  constexpr double found = 1e-7;  // a distance that counts as zero
  closest_.clear();
  configurations_.clear();
  std::vector<double> at(parts + 1);
  for (int k = 0; k <= parts; ++k) at[k] = distance(t_ + k * H_ / parts);
  const auto look = [&](double from, double to, double height) {
    const double least = distance(find_least(from, to));
    if (least > height) return;
    closest_.push_back(probe_);
    const double error = atol_ + rtol_ * largest(probe_.q);
    if (least <= std::max(found, allowance * error)) configurations_.push_back(probe_);
  };
  for (int k = 1; k < parts; ++k)
    if (at[k] <= at[k - 1] && at[k] < at[k + 1] && at[k] <= low * at[0])
      look(t_ + (k - 1) * H_ / parts, t_ + (k + 1) * H_ / parts, none);
  // the step may end just after another one
  if (at[parts] <= at[parts - 1] && at[parts] <= low * at[0]) look(end() - H_ / parts, end(), low * at[parts]);
}

/// After the projection onto the other rows: are the combinations that nearly vanish met, too? The error e of the
/// polynomial leaves a residual e²; branches that do not meet leave their gap.
bool SingularCrossing::meets_constraints(const State& closest) {
  State state = closest;
  if (!keep(state)) return false;
  const double e = allowance * (atol_ + rtol_ * largest(state.q));
  return within(keeper_.residuals(state).position, 10 * ConstraintKeeper::rounding(state) + e * e);
}

/// √(vᵀMv)
double SingularCrossing::speed(const State& state) {
  const Shape& shape = dynamics_.shape();
  dynamics_.system().velocity(state, dynamics_.workspace());
  Matrix M(shape.n(), shape.n());
  shape.M.scatter(dynamics_.workspace().terms.M, M);
  return std::sqrt(std::max(0.0, state.v.dot(M * state.v)));
}

bool SingularCrossing::comes_to_rest(const State& singular) {
  constexpr double rest = 0.01;
  form_.state(t_, y_.data(), probe_);
  return speed(singular) < rest * speed(probe_);
}

/// The multipliers at a time on the step.
bool SingularCrossing::multipliers_at(double t, Vector& lambda) {
  Acceleration a;
  interpolate(t, stage_.data());
  form_.state(t, stage_.data(), probe_);
  State at = probe_;
  if (!keep(at) || !solve(at, a)) return false;
  lambda = a.lambda;
  if (a.tau.size() > 0) lambda.conservativeResize(a.lambda.size() + a.tau.size());
  if (a.tau.size() > 0) lambda.tail(a.tau.size()) = a.tau;
  return true;
}

/// By Richardson's extrapolation from three distances s, s/2, s/4: s·(odd part) → a₁, s²·(even part) → a₂, even part →
/// b. Close to the configuration the error of v̇ is amplified by 1/s, so that s is a part of the step.
SingularCrossing::ReactionLimit SingularCrossing::reactions_near(const State& singular) {
  constexpr int levels = 3;
  constexpr double part = 0.125, significant = 1e-3;
  const double room = std::min(singular.t - t_, end() - singular.t);
  Matrix odd, even, squared;  // a column for each distance
  Largest largest_force;
  double s = part * room;
  const double first = s;
  for (int k = 0; k < levels; ++k, s /= 2) {
    Vector after, before;
    if (!multipliers_at(singular.t + s, after) || !multipliers_at(singular.t - s, before)) return {};
    if (k == 0) odd.resize(after.size(), levels), even.resize(after.size(), levels), squared = even;
    odd.col(k) = s * (after - before) / 2;
    even.col(k) = (after + before) / 2;
    squared.col(k) = s * s * even.col(k);
    largest_force.note(after), largest_force.note(before);
  }
  const auto limit = [](const Matrix& at) -> Vector {  // errors s² and s⁴
    const Vector a = (4 * at.col(1) - at.col(0)) / 3, b = (4 * at.col(2) - at.col(1)) / 3;
    return (16 * b - a) / 15;
  };
  ReactionLimit result;
  const double size = largest_force.value();
  result.unbounded = !(largest(limit(odd)) <= significant * first * size &&
                       largest(limit(squared)) <= significant * first * first * size);
  result.lambda = limit(even).head(dynamics_.shape().m());
  return result;
}

bool SingularCrossing::keep(State& state) {
  Workspace& w = dynamics_.workspace();
  constexpr double rounding = 1e-6;  // at smaller distances the direction of a vanishing row is rounding error
  loose_.positions(state, w);
  if (monitor_.distance(state) > rounding) loose_.velocities(state, w);
  return state.q.allFinite() && state.v.allFinite();
}

bool SingularCrossing::solve(const State& state, Acceleration& result) {
  if (!dynamics_.shape().ideal()) return dynamics_.solve(state, result);
  find_reaction(state, result);
  return multipliers(result);
}

/// v̇ of the polynomial and Cᵀλ = M v̇ − h; the workspace then holds the terms of this state.
void SingularCrossing::find_reaction(const State& state, Acceleration& result) {
  const Shape& shape = dynamics_.shape();
  const Vector slope = k_ * points_.values((state.t - t_) / H_);
  result.vdot = slope.segment(shape.nq(), shape.n());
  dynamics_.system().acceleration(state, dynamics_.workspace());
  const Terms& terms = dynamics_.workspace().terms;
  Matrix M(shape.n(), shape.n());
  shape.M.scatter(terms.M, M);
  result.reaction = M * result.vdot - terms.h;
}

/// The least λ with Cᵀλ = M v̇ − h. Only combinations that vanish permanently are left out, however small the others
/// are:
///
///     CᵀΠ = Q [T; 0],  T has as many rows as C has rank nearby,   Tᵀ = Q₂ R₂,   λ = Π Q₂ R₂⁻ᵀ Q₁ᵀ(M v̇ − h)
bool SingularCrossing::multipliers(Acceleration& result) {
  constexpr double least =
      MetricFactor::default_tolerance;  // in the singular configuration itself: evaluated as if at this distance
  const Shape& shape = dynamics_.shape();
  const Terms& terms = dynamics_.workspace().terms;
  const RowSelection rows(shape, dynamics_.active_rows());
  const int rank = dynamics_.rank();
  Matrix C(rows.size(), shape.n());
  rows.matrix(terms.C, C);

  const Eigen::ColPivHouseholderQR<Matrix> first(C.transpose());
  const Matrix T = first.matrixR().topRows(rank).triangularView<Eigen::Upper>();
  const Eigen::HouseholderQR<Matrix> second(T.transpose());
  Vector b = first.householderQ().transpose() * result.reaction;
  const Matrix& R = second.matrixQR();
  const double floor = least * (R.size() > 0 && R(0, 0) != 0.0 ? std::abs(R(0, 0)) : row_size_);
  Vector lambda = Vector::Zero(rows.size());
  for (int i = 0; i < rank; ++i) {
    for (int j = 0; j < i; ++j) b[i] -= R(j, i) * lambda[j];
    lambda[i] = b[i] / std::copysign(std::max(std::abs(R(i, i)), floor), R(i, i));
  }
  lambda.applyOnTheLeft(second.householderQ());
  lambda = first.colsPermutation() * lambda;
  result.lambda.resize(shape.m());
  rows.expand(lambda, result.lambda);
  return result.lambda.allFinite();
}

}  // namespace maggi::integration
