#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "basis/metric_factor.hpp"
#include "integration/method/integrators.hpp"
#include "integration/run/mode_kept.hpp"
#include "integration/sink/output_times.hpp"
#include "maggi/error.hpp"
#include "manifold/projection.hpp"

namespace maggi::integration {

namespace {

/// Controls that do not reach the servo constraints at once, by the projected equations: the balance of forces along
/// the motions that the constraints admit, and the accelerations that forces and controls give across them.
/// [AltmannHeiland2017]
///
///     y = (q, v, p̂),  p̂ = (λ₁, p),  G = [C₁ᵀ B],  C: ideal rows and servo rows, not the hidden ones,  C D = 0
///
///     q̇ = v                            n                                                                     (1)
///     Dᵀ(M v̇ − h − G p̂) = 0            n − m                                                                 (2)
///     C M⁻¹(h + G p̂) = γ               m                                                                     (3)
///     f = 0,  φ = 0                    m        position rows, velocity rows                                  (4)
///
/// of index 3 where the constraints and controls have index 5. S = C M⁻¹G may be singular, it is never inverted. BDF of
/// order 3 with a fixed step, Newton's method in every step; the values it starts from come from the equations with
/// their hidden constraints, by which the start is found. States are stored as they are: (3) and (4) hold, velocities
/// of position rows to the order of the method.
class ProjectedBdf {
 public:
  ProjectedBdf(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);
  IntegrationResult run();

 private:
  static constexpr int order = 3;
  static constexpr std::array<double, order + 1> alpha{11.0 / 6, -3.0, 1.5, -1.0 / 3};

  void choose_rows();
  void choose_step();
  bool begin();
  bool step(double t);
  bool residual(double t, const Vector& y, Vector& r);
  bool load(double t, const Vector& y);
  bool differentiate(double t, const Vector& y);
  void find_admissible(double t, const Vector& y);
  void store_until(double t);
  void store(double t, const Vector& y);
  Vector past(double t) const;
  double time(long k) const { return k == steps_ ? options_.until : from_ + static_cast<double>(k) * h_; }
  bool stop(Outcome outcome, std::string why);

  Dynamics& dynamics_;
  const System& system_;
  const Shape& shape_;
  Workspace& w_;
  Sink& sink_;
  const IntegrateOptions& options_;
  State state_;
  OutputTimes times_;
  double from_, h_ = 0.0;
  long steps_ = 0;
  int n_;
  std::vector<int> ideal_, in_use_;  // rows with a reaction; all rows of (3) and (4)
  RowSelection rows_;
  int m_ = 0;
  std::vector<std::pair<double, Vector>> past_;  // the newest first
  Matrix M_, C_, B_, G_, D_, J_;
  Vector r_;
  Eigen::PartialPivLU<Matrix> lu_;
  Projection residuals_;
  IntegrationResult run_;
};

ProjectedBdf::ProjectedBdf(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options)
    : dynamics_(dynamics),
      system_(dynamics.system()),
      shape_(dynamics.shape()),
      w_(dynamics.workspace()),
      sink_(sink),
      options_(options),
      state_(start),
      times_(start.t, options),
      from_(start.t),
      n_(shape_.n()),
      residuals_(system_) {
  if (!shape_.identity_rates)
    throw Error(Errc::model, {},
                "integrator = projected-bdf needs q̇ = v: here the velocities are not the rates of coordinates",
                "use dopri5");
  dynamics_.decide_rows(start);
  residuals_.use_rows(dynamics.active_rows());
  choose_rows();
  choose_step();
  M_.resize(n_, n_);
  C_.resize(m_, n_);
  B_ = Matrix::Zero(n_, static_cast<Eigen::Index>(shape_.controls.size()));
  G_.resize(n_, m_);
  r_.resize(2 * n_ + m_);
  J_.resize(2 * n_ + m_, 2 * n_ + m_);
}

void ProjectedBdf::choose_rows() {
  for (const int i : dynamics_.rows().rows())
    if (shape_.rows[i].has_multiplier()) ideal_.push_back(i);
  in_use_ = ideal_;
  for (const int i : dynamics_.active_rows())
    if (!shape_.rows[i].has_multiplier() && !shape_.rows[i].hidden) in_use_.push_back(i);
  for (const int i : in_use_)
    if (shape_.rows[i].level == Level::acceleration)
      throw Error(
          Errc::model, shape_.rows[i].where,
          fmt::format("integrator = projected-bdf keeps positions and velocities, and \"{}\" is of acceleration "
                      "level",
                      shape_.rows[i].name),
          "use dopri5");
  std::sort(in_use_.begin(), in_use_.end());
  rows_ = RowSelection(shape_, in_use_);
  m_ = rows_.size();
  Matrix M(n_, n_), C(m_, n_);
  system_.acceleration(state_, w_);
  shape_.M.scatter(w_.terms.M, M);
  rows_.matrix(w_.terms.C, C);
  MetricFactor factor(n_, m_);
  factor.compute(M, C);
  if (factor.rank() == m_) return;
  const Row& row = shape_.rows[in_use_[factor.dependent().front()]];
  throw Error(Errc::model, row.where,
              fmt::format("integrator = projected-bdf needs independent constraints, and \"{}\" depends on the others",
                          row.name),
              "use dopri5");
}

/// At most what is asked for, such that states are stored at the end of a step if their times are evenly spaced.
void ProjectedBdf::choose_step() {
  constexpr double rounding = 1e-9;
  const auto steps = [](double time, double step) {
    return std::max(1L, std::lround(std::ceil(time / step - rounding)));
  };
  const double length = options_.until - from_, intervals = length / options_.output;
  const bool even = options_.output > 0.0 && std::abs(intervals - std::round(intervals)) < rounding * intervals;
  steps_ = even ? std::lround(intervals) * steps(options_.output, options_.step) : steps(length, options_.step);
  h_ = length / static_cast<double>(steps_);
  if (steps_ < 2 * order)
    throw Error(Errc::model, {},
                fmt::format("integrator = projected-bdf needs {} steps at least, and step = {:g} s gives {}", 2 * order,
                            options_.step, steps_),
                "take a smaller step");
}

bool ProjectedBdf::stop(Outcome outcome, std::string why) {
  run_.outcome = outcome;
  run_.explanation = std::move(why);
  return false;
}

/// M, C, G at y, and what else acceleration() fills.
bool ProjectedBdf::load(double t, const Vector& y) {
  ++run_.statistics.evaluations;
  system_.acceleration({t, y.data(), y.data() + n_}, w_);
  shape_.M.scatter(w_.terms.M, M_);
  rows_.matrix(w_.terms.C, C_);
  shape_.B.scatter(w_.terms.B, B_);
  Matrix ideal(static_cast<Eigen::Index>(ideal_.size()), n_);
  RowSelection(shape_, ideal_).matrix(w_.terms.C, ideal);
  G_ << ideal.transpose(), B_;
  return M_.allFinite() && C_.allFinite() && G_.allFinite() && w_.terms.h.allFinite() && w_.terms.gamma.allFinite();
}

/// D at the predicted state; near it (1 − M⁻¹Cᵀ(C M⁻¹Cᵀ)⁻¹C) D is as good and smooth.
void ProjectedBdf::find_admissible(double t, const Vector& y) {
  load(t, y);
  const Eigen::HouseholderQR<Matrix> qr(C_.transpose());
  D_ = (qr.householderQ() * Matrix::Identity(n_, n_)).rightCols(n_ - m_);
}

bool ProjectedBdf::residual(double t, const Vector& y, Vector& r) {
  if (!load(t, y)) return false;
  const auto q = y.head(n_), v = y.segment(n_, n_);
  const auto p = y.tail(m_);
  Vector qdot = alpha[0] * q, vdot = alpha[0] * v;
  for (int k = 1; k <= order; ++k) {
    qdot += alpha[k] * past_[k - 1].second.head(n_);
    vdot += alpha[k] * past_[k - 1].second.segment(n_, n_);
  }
  const Eigen::LLT<Matrix> mass(M_);
  const Vector force = w_.terms.h + G_ * p, given = mass.solve(force);
  Vector gamma(m_);
  rows_.vector(w_.terms.gamma, gamma);
  r.head(n_) = qdot - h_ * v;  // (1) times h
  // (2) times h: Dᵀ Πᵀ x, Πᵀ x = x − Cᵀ(C M⁻¹Cᵀ)⁻¹C M⁻¹x
  Vector left = M_ * vdot - h_ * force;
  const Matrix across = mass.solve(C_.transpose());
  left -= C_.transpose() * (C_ * across).llt().solve(C_ * mass.solve(left));
  r.segment(n_, n_ - m_) = D_.transpose() * left;
  r.segment(2 * n_ - m_, m_) = C_ * given - gamma;  // (3)
  system_.position({t, q.data(), v.data()}, w_);    // (4)
  const Vector f = w_.terms.f;
  system_.velocity({t, q.data(), v.data()}, w_);
  for (int i = 0; i < m_; ++i) {
    const int row = in_use_[i];
    r[2 * n_ + i] = row < shape_.s_p ? f[row] : w_.terms.phi[row];
  }
  return r.allFinite();
}

/// By differences: Newton's method then gains eight digits in a step, as it would with the exact matrix in two.
bool ProjectedBdf::differentiate(double t, const Vector& y) {
  constexpr double step = 1e-7;
  Vector moved = y, r(r_.size());
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    const double delta = step * (1.0 + std::abs(y[j]));
    moved[j] = y[j] + delta;
    if (!residual(t, moved, r)) return false;
    J_.col(j) = (r - r_) / (moved[j] - y[j]);
    moved[j] = y[j];
  }
  lu_.compute(J_);
  return J_.allFinite();
}

/// The polynomial through four of the newest states, around t where there are such.
Vector ProjectedBdf::past(double t) const {
  constexpr int points = order + 1;
  const auto size = static_cast<int>(past_.size());
  int first = 0;
  while (first + points < size && past_[first + 1].first > t) ++first;
  Vector y = Vector::Zero(past_[0].second.size());
  for (int i = first; i < std::min(first + points, size); ++i) {
    double weight = 1.0;
    for (int j = first; j < std::min(first + points, size); ++j)
      if (j != i) weight *= (t - past_[j].first) / (past_[i].first - past_[j].first);
    y += weight * past_[i].second;
  }
  return y;
}

bool ProjectedBdf::step(double t) {
  constexpr int most = 15;
  Vector y = past(t);
  find_admissible(t, y);
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most; ++iteration) {
    if (!residual(t, y, r_)) break;
    if (iteration == 0 || iteration == 5) {  // once a step is enough, unless the prediction was poor
      if (!differentiate(t, y)) break;
    }
    const Vector delta = lu_.solve(-r_);
    if (!delta.allFinite()) break;
    y += delta;
    // a change of q by ε changes v by ε/h and the controls by ε/h²
    const double size = std::max(largest(delta.head(n_)), h_ * largest(delta.segment(n_, n_)));
    const double scale = 1.0 + largest(y.head(n_));
    if (within(size, 1e-9 * scale) && (size <= 1e-15 * scale || size >= 0.3 * last)) {
      past_.insert(past_.begin(), {t, std::move(y)});
      if (past_.size() > 2 * order) past_.pop_back();
      return true;
    }
    last = size;
  }
  return stop(Outcome::step_too_small,
              fmt::format("at t = {:.9g} s Newton's method finds no state with a step of {:.3g} s (a smaller step may "
                          "help)",
                          t, h_));
}

/// The first 2k states, k the order, by the equations with their hidden constraints, far more exact than the method.
/// Velocities of the last k are then made what the method makes of the positions, with its error: after an exact
/// history that error would appear at once and spoil the order of v̇, and with it of p̂, for the next k steps.
bool ProjectedBdf::begin() {
  struct First final : Sink {
    std::vector<std::pair<double, Vector>> states;
    const std::vector<int>& ideal;
    explicit First(const std::vector<int>& rows) : ideal(rows) {}
    void accept(const Sample& sample) override {
      Vector y(sample.state.q.size() + sample.state.v.size() + static_cast<Eigen::Index>(ideal.size()) +
               sample.acceleration.p.size());
      y << sample.state.q, sample.state.v, Vector(sample.acceleration.lambda(ideal)), sample.acceleration.p;
      states.emplace_back(sample.state.t, std::move(y));
    }
  } first(ideal_);
  IntegrateOptions options;
  options.until = time(2 * order - 1);
  options.output = h_;
  options.rtol = 1e-12;
  options.atol = 1e-13;
  const ModeKept mode_kept(dynamics_, state_);
  const IntegrationResult run = run_one_step(dynamics_, state_, first, options);
  run_.statistics.evaluations += run.statistics.evaluations;
  if (run.outcome != Outcome::reached_end) return stop(run.outcome, run.explanation);
  for (auto& state : first.states) {
    past_.insert(past_.begin(), std::move(state));
    if (times_.every_step()) store_until(past_.front().first);
  }
  run_.statistics.steps = 2 * order - 1;
  run_.t = past_.front().first;
  if (!times_.every_step()) store_until(run_.t);
  for (int i = 0; i < order; ++i) {
    Vector v = Vector::Zero(n_);
    for (int k = 0; k <= order; ++k) v += alpha[k] / h_ * past_[i + k].second.head(n_);
    past_[i].second.segment(n_, n_) = v;
  }
  return true;
}

void ProjectedBdf::store(double t, const Vector& y) {
  load(t, y);
  const Vector p = y.tail(m_);
  Acceleration a;
  a.reaction = G_ * p;
  a.vdot = M_.llt().solve(w_.terms.h + a.reaction);
  a.lambda = Vector::Zero(shape_.m());
  a.lambda(ideal_) = p.head(static_cast<Eigen::Index>(ideal_.size()));
  a.p = p.tail(B_.cols());
  state_ = {t, y.head(n_), y.segment(n_, n_)};
  sink_.accept({state_, a, residuals_.residuals(state_, w_)});
}

/// States that are due up to t, the newest; between steps by the polynomial through them.
void ProjectedBdf::store_until(double t) {
  if (times_.every_step()) return store(t, past_.front().second);
  for (; times_.due() <= t; times_.stored()) store(times_.due(), past(times_.due()));
}

IntegrationResult ProjectedBdf::run() {
  bool on = begin();
  for (long k = 2 * order; on && k <= steps_; ++k) {
    const double t = time(k);
    on = step(t);
    if (!on) break;
    ++run_.statistics.steps;
    run_.t = t;
    store_until(t);
    if (options_.progress) options_.progress(t);
    if (k < steps_ && options_.interrupt && options_.interrupt->load(std::memory_order_relaxed))
      on = stop(Outcome::interrupted, fmt::format("interrupted at t = {:.9g} s", t));
  }
  run_.statistics.largest_step = run_.statistics.smallest_step = h_;
  return run_;
}

}  // namespace

IntegrationResult run_projected_bdf(Dynamics& dynamics, const State& start, Sink& sink,
                                    const IntegrateOptions& options) {
  const Shape& shape = dynamics.shape();
  const auto refuse = [](const std::string& what) { throw Error(Errc::model, {}, what, "use dopri5"); };
  if (dynamics.free_controls() > 0)
    refuse("integrator = projected-bdf finds as many controls as servo constraints, and the model has more");
  if (!shape.laws.empty()) refuse("integrator = projected-bdf knows no force laws");
  if (!shape.events.empty()) refuse("integrator = projected-bdf knows no events");
  if (const auto stop = std::ranges::find(shape.rows, true, &Row::one_sided); stop != shape.rows.end())
    refuse(fmt::format("integrator = projected-bdf knows no impacts, but \"{}\" is one-sided", stop->name));
  return ProjectedBdf(dynamics, start, sink, options).run();
}

}  // namespace maggi::integration
