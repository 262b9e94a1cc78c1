#include "support/derivative_check.hpp"

#include <gtest/gtest.h>

#include <random>

namespace maggi::test {

HeldState HeldState::near(const System& system, const State& state, double away, unsigned seed) {
  const Shape& s = system.shape();
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto any = [&](std::size_t size) {
    return Vector(Vector::NullaryExpr(static_cast<Eigen::Index>(size), [&] { return normal(random); }));
  };
  HeldState result{state, {}, Vector::Ones(static_cast<Eigen::Index>(s.laws.size()))};
  const Vector delta = away * any(s.velocities.size());
  system.move(result.state.q.data(), delta.data());
  result.state.v += any(s.velocities.size());
  result.held = {any(s.velocities.size()), any(s.rows.size()), {}, any(s.laws.size()), any(s.controls.size())};
  for (const Contact& contact : s.contacts)
    for (std::size_t k = 1; k < contact.laws.size(); ++k) result.sense[contact.laws[k]] = 0.0;
  return result;
}

Residuals residuals(const System& system, Workspace& w, const HeldState& at) {
  const auto& [state, held, sense] = at;
  const Shape& s = system.shape();
  const Terms& terms = w.terms;
  const int n = s.n(), m = s.m();
  Residuals r;
  system.position(state, w);
  r.f = terms.f;
  system.velocity(state, w);
  r.phi = terms.phi;
  system.acceleration(state, w);
  if (s.s_a > 0) system.nonlinear_rows(state, held.vdot.data(), held.lambda.data(), w);
  Matrix M(n, n), C(m, n), T(n, held.tau.size()), B(n, held.p.size());
  s.M.scatter(terms.M, M);
  s.C.scatter(terms.C, C);
  s.T.scatter(terms.T, T);
  s.B.scatter(terms.B, B);
  r.balance = terms.h + C.transpose() * held.lambda + T * held.tau + B * held.p - M * held.vdot;
  r.rows = terms.gamma - C * held.vdot;
  if (!s.laws.empty()) system.laws(state, held.lambda.data(), held.tau.data(), sense.data(), w);
  r.law = terms.law;
  return r;
}

Vector extrapolated(const std::function<Vector(double)>& r, double first, double& size) {
  constexpr int halvings = 5;
  std::vector<Vector> table;
  double h = first;
  for (std::size_t i = 0; i <= halvings; ++i, h /= 2) {
    const Vector ahead = r(h), behind = r(-h);
    size = ahead.norm() > size ? ahead.norm() : size;
    Vector next = (ahead - behind) / (2 * h);
    double factor = 4.0;
    for (std::size_t k = 0; k < i; ++k, factor *= 4.0) {
      const Vector better = next + (next - table[k]) / (factor - 1.0);
      table[k] = next;
      next = better;
    }
    table.push_back(next);
  }
  return table.back();
}

void expect_derivative(const Vector& exact, const std::function<Vector(double)>& r, const std::string& what,
                       double first, double tolerance) {
  double size = 1.0;
  const Vector difference = extrapolated(r, first, size);
  ASSERT_EQ(exact.size(), difference.size()) << what;
  const double error = (exact - difference).norm();  // NaN if anything is, and then the comparison fails
  EXPECT_TRUE(error <= tolerance * (size + exact.norm()))
      << what << ": error " << error << ", derivative " << exact.norm() << ", residual " << size;
}

void expect_derivatives(const System& system, const HeldState& at) {
  const std::unique_ptr<Workspace> w = system.workspace();
  const Shape& s = system.shape();
  const int n = s.n();
  Derivatives d;
  system.velocity_derivatives(at.state, *w, d);
  system.acceleration_derivatives(at.state, at.held, at.sense, *w, d);
  for (int j = 0; j < n; ++j) {
    const auto by_q = [&](double h) {
      HeldState moved = at;
      const Vector delta = h * Vector::Unit(n, j);
      system.move(moved.state.q.data(), delta.data());
      return residuals(system, *w, moved);
    };
    const auto by_v = [&](double h) {
      HeldState moved = at;
      moved.state.v[j] += h;
      return residuals(system, *w, moved);
    };
    const std::string v = s.velocities[static_cast<std::size_t>(j)].name, q = "the position of " + v;
    expect_derivative(
        d.balance_q.col(j), [&](double h) { return by_q(h).balance; }, "balance by " + q);
    expect_derivative(
        d.balance_v.col(j), [&](double h) { return by_v(h).balance; }, "balance by " + v);
    expect_derivative(
        d.rows_q.col(j), [&](double h) { return by_q(h).rows; }, "rows by " + q);
    expect_derivative(
        d.rows_v.col(j), [&](double h) { return by_v(h).rows; }, "rows by " + v);
    expect_derivative(
        d.law_q.col(j), [&](double h) { return by_q(h).law; }, "law by " + q);
    expect_derivative(
        d.law_v.col(j), [&](double h) { return by_v(h).law; }, "law by " + v);
    expect_derivative(
        d.phi_q.col(j), [&](double h) { return by_q(h).phi; }, "phi by " + q);
  }
}

}  // namespace maggi::test
