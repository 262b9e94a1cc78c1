#include "analysis/nearby.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/largest.hpp"
#include "manifold/projection.hpp"

namespace maggi::analysis {

namespace {

constexpr int wanted = 3, most_trials = 24;
// rows that part with the distance, or with its square, stand out of rank_tolerance by far; where the constraints bend
// too much to come back from there, a smaller step is tried
constexpr double largest_step = 1e-2, smallest_step = 1e-3;
constexpr double moved_enough =
    0.1;  // of the step, after coming back; otherwise it fell back into the singular configuration
constexpr double satisfied = 1e-11;  // scaled residual, relative to 1 + |q|
constexpr unsigned fixed_seed = 19932007;

/// Looks for states on the constraints around one state.
class Explorer {
 public:
  Explorer(Dynamics& dynamics, const State& at, Speeds speeds)
      : system_(dynamics.system()),
        shape_(dynamics.shape()),
        w_(dynamics.workspace()),
        at_(at),
        speeds_(speeds),
        active_(dynamics.active_rows()),
        all_(system_),
        some_(system_),
        factor_(shape_.n(), std::max(1, shape_.s_p)) {
    all_.use_rows(active_);
    for (const int i : active_)
      if (i < shape_.s_p) positions_.push_back(i);
    const RowSelection rows(shape_, positions_);
    Matrix M(shape_.n(), shape_.n());
    C_.resize(rows.size(), shape_.n());
    system_.position(at, w_);
    shape_.M.scatter(w_.terms.M, M);
    rows.matrix(w_.terms.C, C_);
    if (!factor_.compute(M, C_)) factor_.compute(Matrix::Identity(shape_.n(), shape_.n()), C_);
  }

  /// One random direction; false if no step along it leads to another state on the constraints.
  bool explore(State& moved) {
    Vector along = random_near(shape_.identity_rates ? at_.q : Vector(Vector::Zero(shape_.n())));
    const Vector faster = random_near(at_.v);
    make_admissible(along);
    const double later = shape_.rheonomic ? std::uniform_real_distribution<double>(0.1, 1.0)(random_) : 0.0;
    for (double step = largest_step; step >= smallest_step; step *= 0.1) {
      moved = at_;
      const Vector delta = step * along;
      moved.t += step * later;
      system_.move(moved.q.data(), delta.data());
      moved.v += (speeds_ == Speeds::any ? 1.0 : step) * faster;
      if (come_back(moved) && (moved.q - at_.q).norm() >= moved_enough * delta.norm()) return true;
    }
    return false;
  }

 private:
  Vector random_near(const Vector& x) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    return x.unaryExpr([&](double value) { return uniform(random_) * (1.0 + std::abs(value)); });
  }

  /// x without its part across the position rows, in the mass metric.
  void make_admissible(Vector& x) {
    Vector across(x.size());
    factor_.least_change(C_ * x, across);
    x -= across;
  }

  /// Onto all constraints. Rows are added one by one until all are satisfied: Newton's method on dependent rows runs
  /// into the singular configuration, where they meet, instead of onto the branch on which they agree.
  bool come_back(State& moved) {
    std::vector<int> rows;
    for (const int i : factor_.independent()) rows.push_back(positions_[i]);
    while (true) {
      std::sort(rows.begin(), rows.end());
      some_.use_rows(rows);
      if (!some_.positions(moved, w_)) return false;
      const Residuals left = all_.residuals(moved, w_);
      if (within(left.position, satisfied * (1.0 + largest(moved.q)))) break;
      if (std::find(rows.begin(), rows.end(), left.worst_position) != rows.end()) return false;
      rows.push_back(left.worst_position);
    }
    return all_.velocities(moved, w_);
  }

  const System& system_;
  const Shape& shape_;
  Workspace& w_;
  const State& at_;
  Speeds speeds_;
  std::vector<int> active_, positions_;
  Projection all_, some_;
  MetricFactor factor_;  // of the position rows, at the state
  Matrix C_;
  std::mt19937 random_{fixed_seed};
};

}  // namespace

Rows rows_at(Dynamics& dynamics, const State& at, const Acceleration& acceleration) {
  const System& system = dynamics.system();
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  const RowSelection active(shape, dynamics.active_rows());
  Rows rows{Matrix(shape.n(), shape.n()), Matrix(active.size(), shape.n()), Vector(active.size()),
            Vector(active.size())};

  Vector residual = Vector::Zero(shape.m());
  system.position(at, w);
  residual.head(shape.s_p) = w.terms.f.cwiseAbs();
  system.velocity(at, w);
  const int both = shape.s_p + shape.s_v;
  residual.head(both) = residual.head(both).cwiseMax(w.terms.phi.cwiseAbs());
  active.vector(residual, rows.residual);

  system.acceleration(at, w);
  if (shape.s_a > 0) system.nonlinear_rows(at, acceleration.vdot.data(), acceleration.lambda.data(), w);
  shape.M.scatter(w.terms.M, rows.M);
  active.matrix(w.terms.C, rows.C);
  active.vector(w.terms.gamma, rows.gamma);
  return rows;
}

std::vector<State> nearby_states(Dynamics& dynamics, const State& at, Speeds speeds) {
  Explorer explorer(dynamics, at, speeds);
  std::vector<State> found;
  State moved;
  for (int trial = 0; trial < most_trials && static_cast<int>(found.size()) < wanted; ++trial)
    if (explorer.explore(moved)) found.push_back(moved);
  return found;
}

std::vector<Rows> nearby_rows(Dynamics& dynamics, const State& at, const Acceleration& acceleration) {
  std::vector<Rows> found;
  for (const State& state : nearby_states(dynamics, at, Speeds::nearby)) {
    Rows there = rows_at(dynamics, state, acceleration);
    if (there.M.allFinite() && there.C.allFinite() && there.gamma.allFinite()) found.push_back(std::move(there));
  }
  return found;
}

}  // namespace maggi::analysis
