// Every formulation on every basis gives the same v̇, reaction and λ on random models written as formulas: M, h and the
// constraints depend on coordinates, velocities and time, at all three levels, with redundant rows among them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "base/decompositions.hpp"
#include "manifold/projection.hpp"
#include "support/every_method.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

/// Random formulas over q1 … qn, their speeds and time.
class RandomModel {
 public:
  RandomModel(int n, unsigned seed) : n_(n), random_(seed) {}

  /// `levels`: rows of position, velocity and acceleration level; `redundant`: combinations added to each level that
  /// has rows.
  Model operator()(std::array<int, 3> levels, int redundant) {
    Model model;
    for (int i = 0; i < n_; ++i) model.coordinates.push_back({.name = q(i)});
    // diagonally dominant, so positive definite everywhere: |M_ij| ≤ 1/n off the diagonal, 3/2 ≤ M_ii ≤ 5/2 on it
    model.mass.assign(n_, std::vector<Formula>(n_));
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j <= i; ++j)
        model.mass[i][j] = model.mass[j][i] = i == j ? fmt::format("2 + sin({} + {}*t)/2", any_q(), number())
                                                     : fmt::format("{}*cos({} - {} + t)", number() / n_, q(i), q(j));
    for (int i = 0; i < n_; ++i)
      model.force.emplace_back(
          fmt::format("{}*sin({}) + {}*{}'*{}' - {}' + cos(t)", number(), any_q(), number(), any_q(), any_q(), q(i)));
    for (const Level level : {Level::position, Level::velocity, Level::acceleration}) {
      std::vector<std::string> rows;
      for (int i = 0; i < levels[static_cast<int>(level)]; ++i) rows.push_back(row(level));
      const std::size_t independent = rows.size();
      for (int i = 0; i < redundant && independent > 0; ++i) {
        std::string sum;
        for (std::size_t j = 0; j < independent; ++j)
          sum += fmt::format("{}{}*({})", j > 0 ? " + " : "", number(), rows[j]);
        rows.push_back(sum);
      }
      for (std::size_t i = 0; i < rows.size(); ++i)
        model.constraints.push_back(
            {.name = fmt::format("{}{}", level_name(level), i + 1), .level = level, .formula = rows[i]});
    }
    return model;
  }

  State state() {
    State s{number(), Vector(n_), Vector(n_)};
    for (int i = 0; i < n_; ++i) s.q[i] = number(), s.v[i] = number();
    return s;
  }

 private:
  std::string q(int i) const { return fmt::format("q{}", i + 1); }
  std::string any_q() { return q(std::uniform_int_distribution<int>(0, n_ - 1)(random_)); }
  double number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }

  /// Rheonomic, and linear in the highest derivative, which every coordinate contributes.
  std::string row(Level level) {
    constexpr std::array derivative{"", "'", "''"};
    std::string sum = level == Level::acceleration ? fmt::format("{}'*{}' - cos(t)", any_q(), any_q())
                      : level == Level::velocity   ? fmt::format("{}*sin(2*t)", number())
                                                   : fmt::format("{}*{}*t - t^2", number(), any_q());
    for (int i = 0; i < n_; ++i)
      sum += fmt::format(" + ({} + {}*cos({} + t))*{}{}", number(), number(), any_q(), q(i),
                         derivative[static_cast<int>(level)]);
    return sum;
  }

  int n_;
  std::mt19937 random_;
};

/// The equations of all rows at a state, dense.
Equations equations_at(const EquationSystem& system, const State& state, Workspace& w) {
  const Shape& shape = system.shape();
  system.acceleration(state, w);
  Equations e;
  e.M.resize(shape.n(), shape.n());
  e.C.resize(shape.m(), shape.n());
  shape.M.scatter(w.terms.M, e.M);
  shape.C.scatter(w.terms.C, e.C);
  e.h = w.terms.h;
  e.gamma = w.terms.gamma;
  return e;
}

/// Largest to smallest singular value, without those that are zero.
double condition(const Matrix& A) {
  if (A.rows() == 0) return 1.0;
  Matrix unit = A;
  for (Eigen::Index i = 0; i < unit.rows(); ++i) unit.row(i).normalize();
  const Vector sigma = Eigen::JacobiSVD<Matrix>(unit).singularValues();
  double smallest = sigma[0];
  for (const double s : sigma)
    if (s > 1e-12 * sigma[0]) smallest = std::min(smallest, s);
  return sigma[0] / smallest;
}

void expect_agreement_on_models(int redundant, unsigned seed) {
  int compared = 0;
  for (int trial = 0; trial < 80; ++trial) {
    const int n = 2 + trial % 7;
    RandomModel random(n, seed + trial);
    std::array<int, 3> levels{};
    for (int i = 0; i < 1 + trial % n; ++i) ++levels[(trial + i * i) % 3];  // every mixture of levels occurs
    const EquationSystem system(random(levels, redundant));
    const auto w = system.workspace();
    Projection projection(system);
    for (int i = 0; i < 10; ++i) {
      State state = random.state();
      // any q will do, but speeds must satisfy the velocity level: Ḋ u is an acceleration of admissible speeds only
      if (!projection.velocities(state, *w)) continue;
      const Equations e = equations_at(system, state, *w);
      const double C = condition(e.C), M = condition(e.M);
      if (C > 1e3) continue;  // near a singular configuration; nearly dependent rows have their own test
      SCOPED_TRACE(fmt::format("seed {}, state {}: n = {}, levels {} {} {}", seed + trial, i, n, levels[0], levels[1],
                               levels[2]));
      // ε κ(M) κ(C)², κ(C)² for λ and for the methods that form CᵀC; 1000 for sizes and for growth in eliminations
      expect_agreement(system, state, e, 1000 * epsilon * M * C * C);
      ++compared;
    }
  }
  EXPECT_GT(compared, 500);
}

TEST(RandomModels, EveryMethodAgreesOnIndependentRows) { expect_agreement_on_models(0, 1000); }

TEST(RandomModels, EveryMethodAgreesOnRedundantRows) { expect_agreement_on_models(2, 2000); }

}  // namespace
}  // namespace maggi::test
