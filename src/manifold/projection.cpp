#include "manifold/projection.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "base/largest.hpp"

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
        tolerance(rank_tolerance),
        squares(rows.size()),
        now(rows.size()),
        longest(Vector::Zero(rows.size())),
        group(rows.size()),
        follows(rows.size(), false),
        residual(rows.size()) {
    const auto row = [&](int i) -> const Row& { return shape.rows[rows.rows()[i]]; };
    for (int i = 0; i < rows.size(); ++i) {
      group[i] = i;
      for (int j = i; j > 0 && row(j - 1).owner == row(i).owner; --j)
        if (row(j - 1).unit == row(i).unit) group[i] = group[j - 1];
    }
  }

  /// max |residual_i| / scale_i, and the row where it occurs. Rows of a joint in one unit exchange their lengths as it
  /// turns, and one that vanishes on the way is met no better than the others: the scale is the largest length of
  /// these; for a row that follows from others the largest so far.
  double scaled(const Vector& packed, int& worst) {
    rows.squared_lengths(packed, squares);
    now.setZero();
    for (int i = 0; i < rows.size(); ++i) now[group[i]] = std::max(now[group[i]], squares[i]);
    Largest scaled;
    worst = rows.size() > 0 ? rows.rows()[0] : -1;
    for (int i = 0; i < rows.size(); ++i) {
      longest[group[i]] = std::max(longest[group[i]], now[group[i]]);
      const double square = follows[i] ? longest[group[i]] : now[group[i]];
      if (scaled.note(residual[i] / (square > 0.0 ? std::sqrt(square) : 1.0))) worst = rows.rows()[i];
    }
    return scaled.value();
  }

  /// What rounding of the values x leaves of the scaled residual. With q̇ = N(q) v the coordinates have no columns of
  /// their own.
  double rounding(const Vector& packed, const Vector& x) const {
    return std::numeric_limits<double>::epsilon() * rows.largest_sum(packed, x, squares);
  }

  RowSelection rows;
  double tolerance;
  Vector squares, now, longest;  // lengths of rows; the largest of their groups: now, and so far
  std::vector<int> group;        // the first row of the same owner in the same unit
  std::vector<bool> follows;     // from the independent rows
  Vector residual;

  std::unique_ptr<Recursion> recursion;  // over the independent rows
  RowSelection independent;
  std::vector<int> left_out;
  Vector wanted, lambda;
  bool recursive = false;  // the last factor was the recursion's

  std::optional<MetricFactor> factor;  // once it is needed
  Matrix C;
  Independence found;
};

}  // namespace

struct Projection::Memory {
  Memory(const System& s, const std::vector<int>& active, double rank_tolerance)
      : system(s),
        position(s.shape(), first_rows(active, s.shape().s_p), rank_tolerance),
        velocity(s.shape(), first_rows(active, s.shape().s_p + s.shape().s_v), rank_tolerance),
        same_rows(position.rows.size() == velocity.rows.size()),
        linear(std::ranges::none_of(
            velocity.rows.rows(),
            [&](int i) { return s.shape().rows[i].level == Level::velocity && s.shape().rows[i].nonlinear; })),
        delta(Vector::Zero(s.shape().n())) {
    if (s.shape().n() + s.shape().m() > Recursion::small_system) return;
    need_matrices(factor_of(position));
    need_matrices(factor_of(velocity));
  }

  void need_matrices(Rows& level) {
    if (level.factor) return;
    const int n = system.shape().n();
    level.factor.emplace(n, level.rows.size(), level.tolerance);
    level.C.resize(level.rows.size(), n);
    M.resize(n, n);
  }

  void rely_on(Rows& level, const std::vector<int>& rows, int count) {
    level.recursion = system.recursion();
    if (!level.recursion) return;
    level.independent = RowSelection(system.shape(), first_rows(rows, count));
    level.recursion->use_rows(level.independent.rows());
    level.wanted = level.lambda = Vector::Zero(level.independent.size());
    level.left_out.clear();
    std::ranges::set_difference(level.rows.rows(), level.independent.rows(), std::back_inserter(level.left_out));
    level.recursive = false;
    for (int i = 0; i < level.rows.size(); ++i)
      level.follows[i] = std::ranges::binary_search(level.left_out, level.rows.rows()[i]);
  }

  /// f, with M only if a matrix will be made of it.
  double position_residual(const State& state, Workspace& w, int& worst) {
    at = &state;
    w.matrices = !factor_of(position).recursion;
    system.position(state, w);
    w.matrices = true;
    position.rows.vector(w.terms.f, position.residual);
    return violation = position.scaled(w.terms.C, worst);
  }
  double velocity_residual(const State& state, Workspace& w, int& worst) {
    at = &state;
    w.matrices = !factor_of(velocity).recursion;
    system.velocity(state, w);
    w.matrices = true;
    velocity.rows.vector(w.terms.phi, velocity.residual);
    return velocity.scaled(w.terms.C, worst);
  }

  /// Without velocity rows, one factor serves both levels.
  Rows& factor_of(Rows& level) { return same_rows ? position : level; }

  bool refactor(Rows& level, Workspace& w) {
    Rows& holder = factor_of(level);
    const bool before = holder.recursive;
    holder.recursive = holder.recursion && holder.recursion->factorise(w);
    if (holder.recursive) {
      if (!before) holder.found.dependent = holder.left_out;
      const Recursion::Weakest weakest = holder.recursion->weakest();
      holder.found.rank = holder.independent.size();
      holder.found.distance = weakest.sine;
      holder.found.weakest = weakest.row;
      holder.found.rejected = 0.0;
      fresh = true;
      return true;
    }
    if (holder.recursion) &level == &position ? system.position(*at, w) : system.velocity(*at, w);  // with M
    need_matrices(holder);
    system.shape().M.scatter(w.terms.M, M);
    level.rows.matrix(w.terms.C, holder.C);
    // off the constraints, rows that were redundant before look independent by as much as they are violated
    const double noise = holder.found.dependent.empty() ? 0.0 : 10.0 * violation;
    fresh = M.allFinite() && holder.factor->compute(M, holder.C, std::max(level.tolerance, noise));
    if (fresh) judge(*holder.factor, level.rows.rows(), holder.found);
    return fresh;
  }

  /// The step of least change that removes the residual.
  bool step(Rows& level) {
    Rows& holder = factor_of(level);
    level.residual = -level.residual;
    if (holder.recursive) {
      for (int i = 0, k = 0; i < holder.independent.size(); ++i) {
        while (level.rows.rows()[k] != holder.independent.rows()[i]) ++k;
        holder.wanted[i] = level.residual[k];
      }
      holder.recursion->solve(nullptr, holder.wanted.data(), delta.data(), holder.lambda.data());
    } else {
      holder.factor->least_change(level.residual, delta);
    }
    return delta.allFinite();
  }

  const System& system;
  Rows position, velocity;
  bool same_rows;
  bool linear;                // all rows are, in the velocities
  bool fresh = false;         // the factor belongs to the state at hand
  const State* at = nullptr;  // which was evaluated last
  double violation = 0.0;     // its scaled residual
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

void Projection::rely_on(const std::vector<int>& independent) {
  const Shape& shape = memory_->system.shape();
  Memory& memory = *memory_;
  memory.rely_on(memory.position, independent, shape.s_p);
  if (!memory.same_rows) memory.rely_on(memory.velocity, independent, shape.s_p + shape.s_v);
}

const Independence& Projection::independence() const { return memory_->factor_of(memory_->velocity).found; }

void judge(const MetricFactor& factor, const std::vector<int>& rows, Independence& result) {
  result.rank = factor.rank();
  result.distance = factor.distance_to_singularity();
  result.weakest = factor.rank() > 0 ? rows[factor.independent().back()] : -1;
  result.rejected = factor.largest_rejected();
  result.dependent.clear();
  for (const int i : factor.dependent()) result.dependent.push_back(rows[i]);
  std::ranges::sort(result.dependent);
}

/// Newton's method; close to the constraints the factor is kept, and converges as fast. Where the residual is linear,
/// what a step leaves is rounding, or cannot be removed.
template <class Residual, class Move, class Goal>
bool Projection::iterate(int fewest_steps, bool linear, const Residual& residual, const Move& move, const Goal& goal) {
  constexpr int most_iterations = 40;  // a large angle is rounded coarsely; the others then make up for it, slowly
  constexpr double close = 1e-9;
  before_ = after_ = residual();
  bool refactor = false;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!std::isfinite(after_)) return false;
    if (within(after_, goal()) && iteration >= fewest_steps) return true;
    if (!move(refactor)) return false;
    const double last = after_;
    after_ = residual();
    if (after_ > 0.95 * last && (linear || last <= acceptable * goal())) break;  // as good as it gets
    refactor = after_ > close && !linear;
  }
  return within(after_, acceptable * goal());
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
      0, false, [&] { return memory.position_residual(state, w, worst); },
      [&](bool refactor) {
        if ((refactor || !memory.fresh) && !memory.refactor(memory.position, w)) return false;
        if (!memory.step(memory.position)) return false;
        memory.system.move(state.q.data(), memory.delta.data());
        return true;
      },
      // an angle of many turns is rounded coarsely, but the other coordinates can make up for it
      [&] {
        return std::max(tolerance_, std::min(2 * memory.position.rounding(w.terms.C, state.q), 10 * tolerance_));
      });
}

bool Projection::velocities(State& state, Workspace& w) {
  Memory& memory = *memory_;
  if (memory.velocity.rows.size() == 0) {
    before_ = after_ = 0.0;
    return true;
  }
  Rows& holder = memory.factor_of(memory.velocity);
  if (!memory.same_rows || (!holder.recursive && !holder.found.dependent.empty())) memory.fresh = false;
  int worst;
  const bool done = iterate(
      1, memory.linear, [&] { return memory.velocity_residual(state, w, worst); },  // one step: for independence()
      [&](bool refactor) {
        if ((refactor || !memory.fresh) && !memory.refactor(memory.velocity, w)) return false;
        if (!memory.step(memory.velocity)) return false;
        state.v += memory.delta;
        return true;
      },
      [&] { return std::max(tolerance_, 2 * memory.velocity.rounding(w.terms.C, state.v)); });
  memory.fresh = false;
  return done;
}

bool Projection::operator()(State& state, Workspace& w) {
  if (!positions(state, w)) return false;
  const double before = before_, after = after_;
  const bool done = velocities(state, w);
  before_ = larger(before, before_);
  after_ = larger(after, after_);
  return done;
}

Residuals Projection::residuals(const State& state, Workspace& w) {
  Residuals result;
  result.position = memory_->position_residual(state, w, result.worst_position);
  result.velocity = memory_->velocity_residual(state, w, result.worst_velocity);
  return result;
}

}  // namespace maggi
