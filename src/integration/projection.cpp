#include "maggi/integration/projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace maggi {

namespace {

std::vector<int> first_rows(const std::vector<int>& active, int count) {
  std::vector<int> rows;
  for (const int i : active)
    if (i < count) rows.push_back(i);
  return rows;
}

/// The rows of one level (and those below it), and what a least-change step on them needs.
struct Rows {
  Rows(const Shape& shape, std::vector<int> which, double rank_tolerance)
      : rows(shape, std::move(which)),
        factor(shape.n(), rows.size(), rank_tolerance),
        C(rows.size(), shape.n()),
        residual(rows.size()) {}

  /// max |residual_i| / ‖row i‖, and the row where it occurs.
  double scaled(int& worst) const {
    double largest = 0.0;
    worst = rows.size() > 0 ? rows.rows()[0] : -1;
    for (int i = 0; i < rows.size(); ++i) {
      const double norm = C.row(i).norm();
      const double value = std::abs(residual[i]) / (norm > 0.0 ? norm : 1.0);
      if (!(value <= largest)) largest = value, worst = rows.rows()[i];  // a NaN is the largest of all
    }
    return largest;
  }

  /// What rounding of the values x leaves of the scaled residual: the largest Σ |C_ij x_j| ε / ‖row i‖. With q̇ = N(q) v
  /// the coordinates have no columns of their own; the largest of them then stands for each.
  double rounding(const Vector& x) const {
    double largest = 0.0;
    for (int i = 0; i < rows.size(); ++i) {
      const double norm = C.row(i).norm();
      if (norm == 0.0) continue;
      const auto row = C.row(i).cwiseAbs();
      largest = std::max(largest,
                         (x.size() == C.cols() ? row.dot(x.cwiseAbs()) : row.sum() * x.cwiseAbs().maxCoeff()) / norm);
    }
    return std::numeric_limits<double>::epsilon() * largest;
  }

  RowSelection rows;
  MetricFactor factor;
  Matrix C;
  Vector residual;
};

}  // namespace

struct Projection::Memory {
  Memory(const System& s, const std::vector<int>& active, double rank_tolerance)
      : system(s),
        position(s.shape(), first_rows(active, s.shape().s_p), rank_tolerance),
        velocity(s.shape(), first_rows(active, s.shape().s_p + s.shape().s_v), rank_tolerance),
        same_rows(position.rows.size() == velocity.rows.size()),
        M(s.shape().n(), s.shape().n()),
        delta(Vector::Zero(s.shape().n())) {}

  double position_residual(const State& state, Workspace& w, int& worst) {
    system.position(state, w);
    return load(position, w.terms.f, w, worst);
  }
  double velocity_residual(const State& state, Workspace& w, int& worst) {
    system.velocity(state, w);
    return load(velocity, w.terms.phi, w, worst);
  }
  double load(Rows& level, const Vector& residual, Workspace& w, int& worst) {
    level.rows.matrix(w.terms.C, level.C);
    level.rows.vector(residual, level.residual);
    return level.scaled(worst);
  }

  /// Without velocity rows, one factor serves both levels.
  MetricFactor& factor_of(Rows& level) { return same_rows ? position.factor : level.factor; }

  bool refactor(Rows& level, Workspace& w) {
    system.shape().M.scatter(w.terms.M, M);
    fresh = M.allFinite() && factor_of(level).compute(M, level.C);
    return fresh;
  }

  /// The step of least change that removes the residual.
  bool step(Rows& level) {
    level.residual = -level.residual;
    factor_of(level).least_change(level.residual, delta);
    return delta.allFinite();
  }

  const System& system;
  Rows position, velocity;
  bool same_rows;
  bool fresh = false;  // the factor belongs to the state at hand
  Matrix M;
  Vector delta;
};

Projection::Projection(const System& system, double tolerance, double rank_tolerance)
    : tolerance_(tolerance), rank_tolerance_(rank_tolerance) {
  std::vector<int> active;
  for (int i = 0; i < system.shape().m(); ++i)
    if (system.shape().rows[i].active_at_start) active.push_back(i);
  memory_ = std::make_unique<Memory>(system, active, rank_tolerance);
}

Projection::~Projection() = default;

void Projection::use_rows(const std::vector<int>& active) {
  memory_ = std::make_unique<Memory>(memory_->system, active, rank_tolerance_);
}

const MetricFactor& Projection::factor() const { return memory_->factor_of(memory_->velocity); }

/// Newton's method; close to the constraints the factor is kept, and converges as fast.
template <class Residual, class Move, class Goal>
bool Projection::iterate(int fewest_steps, const Residual& residual, const Move& move, const Goal& goal) {
  constexpr int most_iterations = 40;  // a large angle is rounded coarsely; the others then make up for it, slowly
  constexpr double close = 1e-9;
  before_ = after_ = residual();
  bool refactor = false;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!std::isfinite(after_)) return false;
    if (after_ <= goal() && iteration >= fewest_steps) return true;
    if (!move(refactor)) return false;
    const double last = after_;
    after_ = residual();
    if (after_ > 0.95 * last && last <= acceptable * goal()) break;  // as good as it gets
    refactor = after_ > close;
  }
  return after_ <= acceptable * goal();
}

bool Projection::positions(State& state, Workspace& w) {
  Memory& memory = *memory_;
  memory.fresh = false;
  if (memory.position.rows.size() == 0) {
    before_ = after_ = 0.0;
    return true;
  }
  int worst;
  return iterate(
      0, [&] { return memory.position_residual(state, w, worst); },
      [&](bool refactor) {
        if ((refactor || !memory.fresh) && !memory.refactor(memory.position, w)) return false;
        if (!memory.step(memory.position)) return false;
        memory.system.move(state.q.data(), memory.delta.data());
        return true;
      },
      // an angle of many turns is rounded coarsely, but the other coordinates can make up for it
      [&] { return std::max(tolerance_, std::min(2 * memory.position.rounding(state.q), 10 * tolerance_)); });
}

bool Projection::velocities(State& state, Workspace& w) {
  Memory& memory = *memory_;
  if (memory.velocity.rows.size() == 0) {
    before_ = after_ = 0.0;
    return true;
  }
  if (!memory.same_rows) memory.fresh = false;
  int worst;
  const bool done = iterate(
      1, [&] { return memory.velocity_residual(state, w, worst); },  // one step at least: factor() must be of here
      [&](bool refactor) {
        if ((refactor || !memory.fresh) && !memory.refactor(memory.velocity, w)) return false;
        if (!memory.step(memory.velocity)) return false;
        state.v += memory.delta;
        return true;
      },
      [&] { return std::max(tolerance_, 2 * memory.velocity.rounding(state.v)); });
  memory.fresh = false;
  return done;
}

bool Projection::operator()(State& state, Workspace& w) {
  if (!positions(state, w)) return false;
  const double before = before_, after = after_;
  const bool done = velocities(state, w);
  before_ = std::max(before, before_);
  after_ = std::max(after, after_);
  return done;
}

Residuals Projection::residuals(const State& state, Workspace& w) {
  Residuals result;
  result.position = memory_->position_residual(state, w, result.worst_position);
  result.velocity = memory_->velocity_residual(state, w, result.worst_velocity);
  return result;
}

}  // namespace maggi
