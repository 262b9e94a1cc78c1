#include "analysis/nearby.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "maggi/integration/projection.hpp"

namespace maggi::analysis {

namespace {

constexpr int wanted = 3, most_trials = 12;
// rows that part with the distance, or with its square, stand out of the rank tolerance 1e-10 by far; where the
// constraints bend too much to come back from there, a smaller step is tried
constexpr double largest_step = 1e-2, smallest_step = 1e-5;

/// x without its part across the rows, in the mass metric.
void make_admissible(MetricFactor& factor, const Matrix& C, Vector& x) {
  Vector across(x.size());
  factor.least_change(C * x, across);
  x -= across;
}

Vector random_near(const Vector& x, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return x.unaryExpr([&](double value) { return uniform(random) * (1.0 + std::abs(value)); });
}

}  // namespace

Rows rows_at(Dynamics& dynamics, const State& at, const Acceleration& acceleration) {
  const System& system = dynamics.system();
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  const RowSelection active(shape, dynamics.active_rows());
  Rows rows{Matrix(shape.n(), shape.n()), Matrix(active.size(), shape.n()), Vector(active.size()), {}};

  Vector residual = Vector::Zero(shape.m());
  system.position(at, w);
  residual.head(shape.s_p) = w.terms.f.cwiseAbs();
  system.velocity(at, w);
  const int both = shape.s_p + shape.s_v;
  residual.head(both) = residual.head(both).cwiseMax(w.terms.phi.cwiseAbs());
  rows.residual.resize(active.size());
  active.vector(residual, rows.residual);

  system.acceleration(at, w);
  if (shape.s_a > 0) system.nonlinear_rows(at, acceleration.vdot.data(), acceleration.lambda.data(), w);
  shape.M.scatter(w.terms.M, rows.M);
  active.matrix(w.terms.C, rows.C);
  active.vector(w.terms.gamma, rows.gamma);
  return rows;
}

std::vector<Rows> nearby_rows(Dynamics& dynamics, const State& at, const Acceleration& acceleration) {
  const System& system = dynamics.system();
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  const RowSelection rows(shape, [&] {  // those that restrict positions
    std::vector<int> result;
    for (const int i : dynamics.active_rows())
      if (i < shape.s_p) result.push_back(i);
    return result;
  }());
  Matrix M(shape.n(), shape.n()), C(rows.size(), shape.n());
  system.position(at, w);
  shape.M.scatter(w.terms.M, M);
  rows.matrix(w.terms.C, C);
  MetricFactor factor(shape.n(), std::max(1, rows.size()));
  if (!factor.compute(M, C) && !factor.compute(Matrix::Identity(shape.n(), shape.n()), C)) return {};

  Projection project(system);
  project.use_rows(dynamics.active_rows());
  std::mt19937 random(19932007);
  std::vector<Rows> found;
  for (int trial = 0; trial < most_trials && static_cast<int>(found.size()) < wanted; ++trial) {
    Vector along = random_near(shape.identity_rates ? at.q : Vector(Vector::Zero(shape.n())), random);
    const Vector faster = random_near(at.v, random);
    make_admissible(factor, C, along);
    const double later = shape.rheonomic ? std::uniform_real_distribution<double>(0.1, 1.0)(random) : 0.0;
    for (double step = largest_step; step >= smallest_step; step *= 0.1) {
      State moved = at;
      const Vector delta = step * along;
      moved.t += step * later;
      system.move(moved.q.data(), delta.data());
      moved.v += step * faster;
      if (!project(moved, w)) continue;
      Rows there = rows_at(dynamics, moved, acceleration);
      if (!there.M.allFinite() || !there.C.allFinite()) continue;
      found.push_back(std::move(there));
      break;
    }
  }
  return found;
}

}  // namespace maggi::analysis
