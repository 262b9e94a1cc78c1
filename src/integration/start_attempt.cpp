#include "integration/start_attempt.hpp"

#include <algorithm>

namespace maggi::integration {

bool gives_forces(const Start& start) {
  const auto any = [](const std::vector<Start::Value>& values) {
    return std::any_of(values.begin(), values.end(), [](const Start::Value& value) { return value.given; });
  };
  return any(start.vdot) || any(start.lambda) || any(start.reaction);
}

StartAttempt::StartAttempt(const System& system, Workspace& w, const Start& start, std::vector<int> rows,
                           std::vector<int> forces)
    : system_(system), w_(w), start_(start), rows_(std::move(rows)), forces_(std::move(forces)) {
  const Shape& shape = system.shape();
  state_.t = start.t;
  displacement_.resize(shape.n());
  state_.v.resize(shape.n());
  for (int i = 0; i < shape.n(); ++i) displacement_[i] = start.q[i].value;
  for (int i = 0; i < shape.n(); ++i) state_.v[i] = start.v[i].value;
  state_.q = Displacement(system, start).q(displacement_);
  vdot_ = Vector::Zero(shape.n());
  lambda_ = Vector::Zero(shape.m());
  found_q_.assign(shape.n(), false);
  found_v_.assign(shape.n(), false);
}

bool StartAttempt::run(Stage last) {
  if (!run_stage(Stage::positions)) return false;
  if (last == Stage::positions) return true;
  if (!run_stage(Stage::velocities) && !run_stage(Stage::motion)) return false;
  return last != Stage::everything || !gives_forces(start_) || run_stage(Stage::everything);
}

bool StartAttempt::run_stage(Stage stage) {
  StartProblem problem(system_, w_, start_, rows_, forces_, stage, state_);
  const auto n = static_cast<Eigen::Index>(system_.shape().n());
  Vector x(static_cast<Eigen::Index>(problem.unknowns().size()));
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = problem.unknowns()[i].start.value;
  // what the stages before have found
  if (stage != Stage::velocities) x.head(n) = displacement_;
  if (stage == Stage::motion || stage == Stage::everything) x.segment(n, n) = state_.v;
  stage_ = stage;
  found_ = Search(problem).run(x);
  unknowns_ = problem.unknowns();
  conditions_ = problem.conditions();
  if (!found_.success) return false;

  problem.unpack(found_.x, state_, vdot_, lambda_);
  if (stage != Stage::velocities) {
    displacement_ = found_.x.head(n);
    condition_position_ = found_.condition;
    for (Eigen::Index i = 0; i < n; ++i) found_q_[i] = found_q_[i] || found_.solved_for[i];
  }
  if (stage != Stage::positions) {
    const Eigen::Index first = stage == Stage::velocities ? 0 : n;
    condition_velocity_ = found_.condition;
    for (Eigen::Index i = 0; i < n; ++i) found_v_[i] = found_v_[i] || found_.solved_for[first + i];
  }
  if (stage != Stage::velocities) least_change_ = found_.least_change;
  if (stage == Stage::motion) together_ = true;
  return true;
}

}  // namespace maggi::integration
