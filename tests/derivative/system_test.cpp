// What a system derives, against differences of what it was given: C = ∂ḟ/∂v, γ, Ṁ, Ċ, and the power balance for h.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "analysis/hidden_constraints.hpp"
#include "dynamics/dynamics.hpp"
#include "start/initial_conditions.hpp"
#include "support/hidden.hpp"
#include "support/reference.hpp"
#include "system/make_system.hpp"

namespace maggi::test {
namespace {

constexpr double step = 1e-6;
constexpr double tolerance =
    1e-7;  // central differences: step² of truncation, ε/step = 2e-10 of rounding, lively models

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("models")))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

/// With the rows that it hides, without which a model with controls has no start.
Model complete(const Model& model) {
  return test::with_hidden_constraints(model, test::find_hidden_constraints(model));
}

class SystemDerivative : public testing::TestWithParam<std::string> {
 protected:
  SystemDerivative()
      : owner(make_system(complete(read_example(GetParam())))),
        system(*owner),
        workspace(system.workspace()),
        shape(system.shape()) {
    Dynamics dynamics(system);
    state = find_initial_conditions(dynamics, system.start()).state;
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    state.t += 0.1;
    Vector away(shape.n());
    for (int i = 0; i < shape.n(); ++i) {  // anywhere near the start: derivatives hold off the constraints too
      away[i] = 0.1 * normal(random);
      state.v[i] += normal(random);
    }
    system.move(state.q.data(), away.data());
    a = Vector::NullaryExpr(shape.n(), [&] { return normal(random); });
  }

  State along(double time) const {
    State s{state.t + time, state.q, state.v + time * a};
    const Vector moved = time * state.v;
    system.move(s.q.data(), moved.data());
    return s;
  }

  Matrix M(const State& s) {
    system.acceleration(s, *workspace);
    Matrix result(shape.n(), shape.n());
    shape.M.scatter(workspace->terms.M, result);
    return result;
  }
  Matrix C(const State& s) {
    system.acceleration(s, *workspace);
    Matrix result(shape.m(), shape.n());
    shape.C.scatter(workspace->terms.C, result);
    return result;
  }
  Vector f(const State& s) {
    system.position(s, *workspace);
    return workspace->terms.f;
  }
  Vector phi(const State& s) {
    system.velocity(s, *workspace);
    return workspace->terms.phi;
  }

  std::unique_ptr<System> owner;
  const System& system;
  std::unique_ptr<Workspace> workspace;
  const Shape& shape;
  State state;
  Vector a;
};

TEST_P(SystemDerivative, VelocityResidualIsTheRateOfThePositionResidual) {
  if (shape.s_p == 0) return;
  const Vector difference = (f(along(step)) - f(along(-step))) / (2 * step);
  EXPECT_LT((difference - phi(state).head(shape.s_p)).norm(), tolerance * (1.0 + difference.norm()));
}

TEST_P(SystemDerivative, MatrixIsTheVelocityGradient) {
  const int rows = shape.s_p + shape.s_v;
  const Matrix exact = C(state).topRows(rows);
  for (int j = 0; j < shape.n(); ++j) {
    State up = state, down = state;
    up.v[j] += step, down.v[j] -= step;
    const Vector difference = (phi(up) - phi(down)) / (2 * step);
    EXPECT_LT((difference - exact.col(j)).norm(), tolerance * (1.0 + exact.norm()));
  }
}

TEST_P(SystemDerivative, GammaIsWhatTheAccelerationsMustGive) {
  // d/dt φ(q, v, t) = C v̇ − γ for any v̇
  const int rows = shape.s_p + shape.s_v;
  if (rows == 0) return;
  const Vector difference = (phi(along(step)) - phi(along(-step))) / (2 * step);
  const Matrix exact = C(state);
  const Vector expected = (exact * a - workspace->terms.gamma).head(rows);
  EXPECT_LT((difference - expected).norm(), tolerance * (1.0 + expected.norm() + workspace->terms.gamma.norm()));
}

TEST_P(SystemDerivative, RatesOfMassAndConstraintMatrix) {
  const Matrix M_difference = (M(along(step)) - M(along(-step))) / (2 * step);
  const Matrix C_difference = (C(along(step)) - C(along(-step))) / (2 * step);
  system.rates(state, a.data(), *workspace);
  Matrix Mdot(shape.n(), shape.n()), Cdot(shape.m(), shape.n());
  shape.M.scatter(workspace->terms.Mdot, Mdot);
  shape.C.scatter(workspace->terms.Cdot, Cdot);
  EXPECT_LT((M_difference - Mdot).norm(), tolerance * (1.0 + Mdot.norm()));
  EXPECT_LT((C_difference - Cdot).norm(), tolerance * (1.0 + Cdot.norm()));
}

TEST_P(SystemDerivative, PowerOfAllForcesIsTheRateOfEnergy) {
  // dE/dt = power of forces without potential and of time + v·(M v̇ − h) for any v̇
  if (!shape.has_energy) return;
  const auto energy = [&](const State& s) { return system.energy(s, *workspace).total; };
  const double difference = (energy(along(step)) - energy(along(-step))) / (2 * step);
  const double given = system.energy(state, *workspace).power;
  const Matrix mass = M(state);
  const double power = given + state.v.dot(mass * a - workspace->terms.h);
  EXPECT_NEAR(difference, power, tolerance * (1.0 + std::abs(power) + workspace->terms.h.norm() * state.v.norm()));
}

INSTANTIATE_TEST_SUITE_P(Models, SystemDerivative, testing::ValuesIn(example_names()),
                         [](const auto& model) { return model.param; });

}  // namespace
}  // namespace maggi::test
