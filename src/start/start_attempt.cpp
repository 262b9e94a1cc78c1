#include "start/start_attempt.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <numeric>

#include "start/sparse_start.hpp"
#include "start/start_modes.hpp"

namespace maggi::integration {

bool gives_forces(const Start& start) {
  const auto any = [](const std::vector<Start::Value>& values) {
    return std::any_of(values.begin(), values.end(), [](const Start::Value& value) { return value.given; });
  };
  return any(start.vdot) || any(start.lambda) || any(start.reaction);
}

Demands all_demands(const Shape& shape, const std::vector<int>& rows) {
  return {rows, rows, std::vector<bool>(shape.laws.size(), true)};
}

std::optional<State> find_start_state(const System& system, Workspace& w, const Start& start) {
  assert(!gives_forces(start));
  std::vector<int> rows(system.shape().m());
  std::iota(rows.begin(), rows.end(), 0);
  StartAttempt attempt(system, w, start, all_demands(system.shape(), rows));
  if (!attempt.run(Stage::everything)) return std::nullopt;
  const bool determined =
      attempt.condition_position() < worst_condition && attempt.condition_velocity() < worst_condition;
  return determined ? std::optional(attempt.state()) : std::nullopt;
}

StartAttempt::StartAttempt(const System& system, Workspace& w, const Start& start, Demands demands)
    : system_(system), w_(w), start_(start), demands_(std::move(demands)) {
  const Shape& shape = system.shape();
  state_.t = start.t;
  displacement_.resize(shape.n());
  state_.v.resize(shape.n());
  for (int i = 0; i < shape.n(); ++i) displacement_[i] = start.q[i].value;
  for (int i = 0; i < shape.n(); ++i) state_.v[i] = start.v[i].value;
  state_.q = Displacement(system, start).q(displacement_);
  a_.lambda = Vector::Zero(shape.m());
  found_q_.assign(shape.n(), false);
  found_v_.assign(shape.n(), false);
}

bool StartAttempt::run(Stage last) {
  const Shape& shape = system_.shape();
  if (last >= Stage::motion && !gives_forces(start_) && SparseStart::fits(shape, start_)) {
    if (run_sparse()) return true;
    if (too_large_) return false;
  }
  if (!run_stage(Stage::positions)) return false;
  if (last == Stage::positions) return true;
  if (!run_stage(Stage::velocities) && (last == Stage::velocities || !run_stage(Stage::motion))) return false;
  return last != Stage::everything || run_forces();
}

bool StartAttempt::run_forces() { return !gives_forces(start_) || find_forces(); }

/// Positions, then velocities. What fails leaves the state as it was.
bool StartAttempt::run_sparse() {
  const bool any = std::ranges::any_of(start_.q, rather_stays) || std::ranges::any_of(start_.v, rather_stays);
  return (any && run_sparse(true)) || run_sparse(false);
}

bool StartAttempt::run_sparse(bool let_stay) {
  const Shape& shape = system_.shape();
  SparseStart search(system_, w_, start_, demands_.rows, let_stay);
  SparseStart::Found q, v;
  State state = state_;
  if (!search.positions(state, q) || !search.velocities(state, v)) {
    if (!let_stay && shape.n() + shape.m() > most_dense) too_large_ = LeftBySparse{search.worst(), search.residual()};
    return false;
  }
  if (let_stay && std::max(q.condition, v.condition) >= worst_condition) return false;
  state_ = state;
  found_q_ = q.solved_for, found_v_ = v.solved_for;
  condition_position_ = q.condition, condition_velocity_ = v.condition;
  least_change_ = q.least_change;
  found_.success = true;
  return true;
}

bool StartAttempt::run_stage(Stage stage) {
  StartProblem problem(system_, w_, start_, demands_, {}, stage, state_);
  report(problem, Search(problem).run(guess(problem, displacement_, state_.v)));
  if (stage == Stage::positions) followed_ = found_.followed;
  if (found_.success) accept(problem);
  return found_.success;
}

/// Everything together, in one mode of the contacts after the other until a solution obeys the inequalities of its own.
/// One that does not points to others, which come next. At last each mode is searched for another solution.
bool StartAttempt::find_forces() {
  struct Trial {
    Vector sense, displacement, v;
    int after = 0;          // so many others
    bool thorough = false;  // past solutions that are none for the contacts
  };
  constexpr int most_after = 2;
  StartModes modes(system_, w_, demands_);
  std::deque<Trial> trials;
  for (const Vector& sense : modes.nearest_first(state_)) trials.push_back({sense, displacement_, state_.v});
  int starts = 0;
  while (!trials.empty()) {
    const Trial trial = trials.front();
    trials.pop_front();
    StartProblem problem(system_, w_, start_, demands_, trial.sense, Stage::everything, state_);
    State state = state_;
    Acceleration a = a_;
    const auto object = [&](const Vector& x) {
      problem.unpack(x, state, a);
      a.reaction = problem.reaction(x);
      return modes.object(state, a, trial.sense);
    };
    Search search(problem);
    if (trial.thorough) search.accept_only([&](const Vector& x) { return !object(x); });
    const Found found = search.run(guess(problem, trial.displacement, trial.v));
    starts += found.starts;
    const bool nearest = stage_ != Stage::everything || (found.residual < found_.residual && !trial.thorough);
    if (nearest) report(problem, found);
    if (!found.success) continue;
    const auto objection = object(found.x);
    if (!objection) {
      report(problem, found);
      accept(problem);
      a_ = name_sticking_forces(std::move(a), trial.sense);
      sense_ = modes.turned_with(state_, trial.sense);
      return true;
    }
    if (nearest) objection_ = objection->text;
    if (trial.after == 0) trials.push_back({trial.sense, displacement_, state_.v, most_after, true});
    if (trial.after == most_after) continue;
    const Vector there = found.x.head(state_.v.size());
    trials.push_front({objection->instead, there, state.v, trial.after + 1});
    if (objection->turned != state.v) trials.push_front({trial.sense, there, objection->turned, trial.after + 1});
  }
  found_.success = false;
  found_.starts = starts;
  return false;
}

/// What is given, what the stages before have found, otherwise what the model says.
Vector StartAttempt::guess(const StartProblem& problem, const Vector& displacement, const Vector& v) {
  const std::vector<Unknown>& unknowns = problem.unknowns();
  Vector x(static_cast<Eigen::Index>(unknowns.size()));
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = unknowns[i].start.value;
  if (problem.stage() != Stage::velocities) x.head(v.size()) = displacement;
  if (problem.stage() >= Stage::motion) x.segment(v.size(), v.size()) = v;
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (unknowns[i].start.given) x[i] = unknowns[i].start.value;
  return x;
}

void StartAttempt::report(const StartProblem& problem, const Found& found) {
  stage_ = problem.stage();
  found_ = found;
  objection_.clear();
  unknowns_ = problem.unknowns();
  conditions_ = problem.conditions();
}

void StartAttempt::accept(const StartProblem& problem) {
  const auto n = static_cast<Eigen::Index>(system_.shape().n());
  problem.unpack(found_.x, state_, a_);
  if (stage_ != Stage::velocities) {
    displacement_ = found_.x.head(n);
    condition_position_ = found_.condition;
    for (Eigen::Index i = 0; i < n; ++i) found_q_[i] = found_q_[i] || found_.solved_for[i];
  }
  if (stage_ != Stage::positions) {
    const Eigen::Index first = stage_ == Stage::velocities ? 0 : n;
    condition_velocity_ = found_.condition;
    for (Eigen::Index i = 0; i < n; ++i) found_v_[i] = found_v_[i] || found_.solved_for[first + i];
  }
  if (stage_ != Stage::velocities) least_change_ = found_.least_change;
  if (stage_ == Stage::motion) together_ = true;
}

/// The force of a contact is its τ whether it slides or sticks.
Acceleration StartAttempt::name_sticking_forces(Acceleration a, const Vector& sense) const {
  for (const Contact& contact : system_.shape().contacts)
    if (Vector(sense(contact.laws)).isZero(0.0))
      for (std::size_t k = 0; k < contact.rows.size(); ++k)
        std::swap(a.tau[contact.laws[k]], a.lambda[contact.rows[k]]);
  return a;
}

}  // namespace maggi::integration
