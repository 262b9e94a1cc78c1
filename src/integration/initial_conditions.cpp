#include "maggi/integration/initial_conditions.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "maggi/base/error.hpp"
#include "maggi/base/names.hpp"

namespace maggi {

namespace {

using How = InitialConditions::How;

constexpr double tolerance = 1e-13;   // scaled residual relative to 1 + |x|: what double precision can hold
constexpr double acceptable = 1e-10;  // where rounding stops the iteration earlier, this is still a solution
// beyond it the values given do not determine the rest; at a double root Newton's method ends at √tolerance = 3e-7
constexpr double worst_condition = 1e6;
constexpr int most_iterations = 60, most_guesses = 24;

/// The values of one level, positions or velocities: residual(x) = 0 with matrix C and metric M at x.
struct Problem {
  std::string what;                               // "positions", "velocities"
  Level level;                                    // whose rows are added here
  bool linear = false;                            // one step solves it
  std::vector<Start::Value> values;               // given, guessed
  std::vector<int> rows;                          // active rows of this level and below
  std::function<void(const Vector& x)> evaluate;  // fills residual, C, M
  Vector residual;
  Matrix C, M;
};

struct Solution {
  Vector x;
  std::vector<How> how;
  double condition = 1.0, residual = 0.0;
  int free = 0;
  bool least_change = false;
};

/// Solves one Problem; see find_initial_conditions for the rules.
class Search {
 public:
  Search(Problem& problem, const Shape& shape)
      : p_(problem), shape_(shape), n_(static_cast<int>(problem.values.size())) {}

  Solution run() {
    Vector x(n_);
    for (int i = 0; i < n_; ++i) x[i] = p_.values[i].value;
    if (p_.rows.empty()) return finish(x, {});
    const std::vector<int> open = not_given();
    const bool least_change =
        std::all_of(open.begin(), open.end(), [&](int i) { return p_.values[i].guessed; }) || open.empty();
    best_residual_ = std::numeric_limits<double>::infinity();
    std::mt19937 random(20021993);
    for (int guess = 0; guess < most_guesses; ++guess) {
      Vector trial = x;
      // a guess may be a singular pose, or too far away: look around it, further and further
      std::uniform_real_distribution<double> shift(-0.1 * guess, 0.1 * guess);
      for (const int i : open) trial[i] += shift(random);
      const std::vector<int> dependent = choose_dependent(trial, open);
      const std::vector<int>& unknown = least_change ? open : dependent;
      determined_ = static_cast<int>(dependent.size());
      if (newton(trial, unknown)) return finish(trial, unknown);
      if (p_.linear) break;  // a linear problem has no better guess
    }
    fail(open);
  }

 private:
  std::vector<int> not_given() const {
    std::vector<int> open;
    for (int i = 0; i < n_; ++i)
      if (!p_.values[i].given) open.push_back(i);
    return open;
  }

  bool evaluate(const Vector& x) {
    p_.evaluate(x);
    return p_.residual.allFinite() && p_.C.allFinite() && p_.M.allFinite();
  }

  double scaled_residual(int* worst = nullptr) const {
    double largest = 0.0;
    for (int i = 0; i < p_.residual.size(); ++i) {
      const double norm = p_.C.row(i).norm();
      const double value = std::abs(p_.residual[i]) / (norm > 0.0 ? norm : 1.0);
      if (value > largest) {
        largest = value;
        if (worst) *worst = p_.rows[i];
      }
    }
    return largest;
  }

  Matrix columns(const std::vector<int>& which) const {
    Matrix result(p_.C.rows(), which.size());
    for (std::size_t j = 0; j < which.size(); ++j) result.col(j) = p_.C.col(which[j]);
    return result;
  }
  Matrix metric(const std::vector<int>& which) const {
    Matrix result(which.size(), which.size());
    for (std::size_t i = 0; i < which.size(); ++i)
      for (std::size_t j = 0; j < which.size(); ++j) result(i, j) = p_.M(which[i], which[j]);
    return result;
  }

  /// The best conditioned dependent values among the open ones: pivots of QR with column pivoting, columns scaled by
  /// the mass so that units do not matter.
  std::vector<int> choose_dependent(const Vector& x, const std::vector<int>& open) {
    if (open.empty() || !evaluate(x)) return open;
    Matrix A = columns(open);
    for (std::size_t j = 0; j < open.size(); ++j) A.col(j) /= std::sqrt(std::max(p_.M(open[j], open[j]), 1e-300));
    for (int i = 0; i < A.rows(); ++i)
      if (const double norm = A.row(i).norm(); norm > 0.0) A.row(i) /= norm;
    Eigen::ColPivHouseholderQR<Matrix> qr;
    qr.setThreshold(MetricFactor::default_tolerance);
    qr.compute(A);
    std::vector<int> dependent;
    for (int k = 0; k < qr.rank(); ++k) dependent.push_back(open[qr.colsPermutation().indices()[k]]);
    std::sort(dependent.begin(), dependent.end());
    return dependent;
  }

  /// Damped Newton with least-change steps in the unknown values.
  bool newton(Vector& x, const std::vector<int>& unknown) {
    if (!evaluate(x)) return false;
    double residual = scaled_residual();
    remember(x, residual);
    const double size = 1.0 + x.cwiseAbs().maxCoeff();
    if (unknown.empty()) return residual <= acceptable * size;
    MetricFactor factor(static_cast<int>(unknown.size()), static_cast<int>(p_.rows.size()));
    Vector step(unknown.size());
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      if (residual <= tolerance * size) return true;
      if (!factor.compute(metric(unknown), columns(unknown)) &&
          !factor.compute(Matrix::Identity(step.size(), step.size()), columns(unknown)))
        return false;
      factor.least_change(-p_.residual, step);
      const double length = step.cwiseAbs().maxCoeff();
      if (!std::isfinite(length)) return false;
      if (p_.level == Level::position && length > size) step *= size / length;  // stay near the guess
      if (!take(x, unknown, step, residual)) return residual <= acceptable * size;
      remember(x, residual);
    }
    return residual <= acceptable * size;
  }

  /// Moves along the step, halved until the residual decreases; false if it never does.
  bool take(Vector& x, const std::vector<int>& unknown, const Vector& step, double& residual) {
    const Vector start = x;
    const Vector weights = p_.C.rowwise().norm().unaryExpr([](double norm) { return norm > 0.0 ? 1.0 / norm : 1.0; });
    const double merit = p_.residual.cwiseProduct(weights).norm();
    for (double length = 1.0; length > 1e-4; length *= 0.5) {
      for (std::size_t j = 0; j < unknown.size(); ++j) x[unknown[j]] = start[unknown[j]] + length * step[j];
      if (evaluate(x) && p_.residual.cwiseProduct(weights).norm() < (1.0 - 0.1 * length) * merit) {
        residual = scaled_residual();
        return true;
      }
    }
    x = start;
    evaluate(x);
    return false;
  }

  void remember(const Vector& x, double residual) {
    if (!(residual < best_residual_)) return;
    best_residual_ = residual;
    best_ = x;
  }

  Solution finish(const Vector& x, const std::vector<int>& unknown) {
    Solution solution;
    solution.x = x;
    solution.how.assign(n_, How::kept);
    for (int i = 0; i < n_; ++i)
      if (p_.values[i].given) solution.how[i] = How::given;
    for (const int i : unknown) solution.how[i] = How::found;
    solution.free = n_;
    if (p_.rows.empty()) return solution;
    evaluate(x);
    solution.residual = scaled_residual();
    MetricFactor all(n_, static_cast<int>(p_.rows.size()));
    if (all.compute(p_.M, p_.C)) solution.free = n_ - all.rank();
    solution.least_change = static_cast<int>(unknown.size()) > determined_;
    if (!unknown.empty() && !solution.least_change) {
      solution.condition = condition(unknown, determined_);
      if (!(solution.condition < worst_condition)) not_determined(unknown, solution.condition);
    }
    return solution;
  }

  /// How well the constraints determine the unknown values: largest singular value of all columns to the r-th one of
  /// the unknown columns, rows and columns scaled by mass.
  double condition(const std::vector<int>& unknown, int r) const {
    if (r == 0) return 1.0;
    Matrix A = p_.C;
    for (int j = 0; j < n_; ++j) A.col(j) /= std::sqrt(std::max(p_.M(j, j), 1e-300));
    for (int i = 0; i < A.rows(); ++i)
      if (const double norm = A.row(i).norm(); norm > 0.0) A.row(i) /= norm;
    Matrix part(A.rows(), unknown.size());
    for (std::size_t j = 0; j < unknown.size(); ++j) part.col(j) = A.col(unknown[j]);
    const Vector all = Eigen::JacobiSVD<Matrix>(A).singularValues();
    const Vector sigma = Eigen::JacobiSVD<Matrix>(part).singularValues();
    return sigma.size() < r ? std::numeric_limits<double>::infinity() : all[0] / std::max(sigma[r - 1], 1e-300);
  }

  // --- messages ----------------------------------------------------------------------------------------------------

  std::string mark() const { return p_.level == Level::position ? "" : "'"; }

  std::vector<std::string> names(const std::vector<int>& which) const {
    std::vector<std::string> result;
    for (const int i : which) result.push_back(shape_.coordinates[i].name + mark());
    return result;
  }

  std::string given_values() const {
    std::string text;
    for (int i = 0; i < n_; ++i)
      if (p_.values[i].given)
        text += fmt::format("{}{}{} = {:.6g}", text.empty() ? "" : ", ", shape_.coordinates[i].name, mark(),
                            p_.values[i].value);
    return text.empty() ? "nothing" : text;
  }

  [[noreturn]] void not_determined(const std::vector<int>& unknown, double cond) const {
    throw Error(Errc::numerics, {},
                fmt::format("the {} given ({}) do not determine {}: condition {:.1e} at the solution", p_.what,
                            given_values(), list_names(names(unknown)), cond),
                "give another value instead of one of these; maggi chooses if you give none");
  }

  [[noreturn]] void fail(const std::vector<int>& open) {
    if (best_.size() > 0) evaluate(best_);
    if (best_.size() == 0 || !p_.residual.allFinite() || !p_.C.allFinite() || !p_.M.allFinite())
      throw Error(Errc::numerics, {},
                  fmt::format("the {} cannot be found: a formula is not finite at the guess", p_.what),
                  "give a guess where every formula has a value");
    int worst = p_.rows[0];
    const double residual = scaled_residual(&worst);
    const Row& row = shape_.rows[worst];
    MetricFactor all(n_, static_cast<int>(p_.rows.size()));
    const int free = all.compute(p_.M, p_.C) ? n_ - all.rank() : n_ - static_cast<int>(p_.rows.size());
    const int given = n_ - static_cast<int>(open.size());
    const std::string left =
        fmt::format("constraint \"{}\" stays at {:.3g}{} (scaled {:.1e})", row.name, p_.residual[index(worst)],
                    row.unit.empty() ? "" : " " + row.unit + (p_.level == Level::position ? "" : "/s"), residual);
    if (given > free)
      throw Error(
          Errc::numerics, row.where,
          fmt::format("{} {} are given, but only {} can be chosen freely, and they contradict the constraints: {}",
                      given, p_.what, free, left),
          fmt::format("given: {}; write {} of them as a guess", given_values(), given - free));
    if (const std::string conflict = conflicts(all); !conflict.empty())
      throw Error(Errc::numerics, row.where, fmt::format("the {} cannot satisfy all constraints: {}", p_.what, left),
                  fmt::format("near there {}; given: {}", conflict, given_values()));
    throw Error(Errc::numerics, row.where,
                fmt::format("no {} satisfy the constraints near the guesses: {} at best, from {} guesses", p_.what,
                            left, most_guesses),
                fmt::format("given: {}; they may be out of reach, or a better guess for {} is needed", given_values(),
                            list_names(names(open))));
  }

  /// "\"two\" depends on \"one\" and contradicts it", for each dependent row; empty if there is none.
  std::string conflicts(const MetricFactor& factor) const {
    const Matrix combinations = factor.combinations();
    std::string text;
    for (std::size_t i = 0; i < factor.dependent().size(); ++i) {
      std::vector<std::string> others;
      const double smallest = 1e-9 * (factor.rank() > 0 ? combinations.row(i).cwiseAbs().maxCoeff() : 0.0);
      for (int k = 0; k < factor.rank(); ++k)
        if (std::abs(combinations(i, k)) > smallest)
          others.push_back(shape_.rows[p_.rows[factor.independent()[k]]].name);
      text += fmt::format("{}\"{}\" {}", text.empty() ? "" : ", ", shape_.rows[p_.rows[factor.dependent()[i]]].name,
                          others.empty() ? "has no effect"
                                         : fmt::format("depends on {} and contradicts {}", list_names(others),
                                                       others.size() == 1 ? "it" : "them"));
    }
    return text;
  }

  int index(int row) const {
    return static_cast<int>(std::find(p_.rows.begin(), p_.rows.end(), row) - p_.rows.begin());
  }

  Problem& p_;
  const Shape& shape_;
  int n_;
  double best_residual_ = 0.0;
  Vector best_;
  int determined_ = 0;  // how many of the open values the constraints determine; those given may satisfy some alone
};

Problem make_problem(const Dynamics& dynamics, Level level, const std::vector<Start::Value>& values) {
  const Shape& shape = dynamics.shape();
  Problem p;
  p.what = level == Level::position ? "positions" : "velocities";
  p.level = level;
  p.values = values;
  p.linear = level == Level::velocity && std::none_of(shape.rows.begin(), shape.rows.end(), [](const Row& row) {
               return row.level == Level::velocity && row.nonlinear;
             });
  const int count = level == Level::position ? shape.s_p : shape.s_p + shape.s_v;
  for (const int i : dynamics.active_rows())
    if (i < count) p.rows.push_back(i);
  p.residual.resize(p.rows.size());
  p.C.resize(p.rows.size(), shape.n());
  p.M.resize(shape.n(), shape.n());
  return p;
}

/// ‖C v̇ − γ‖∞ over all active rows, each divided by ‖row‖ (1 + ‖v̇‖).
double acceleration_residual(Dynamics& dynamics, const State& state, const Acceleration& a, int& worst) {
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  dynamics.system().acceleration(state, w);
  if (shape.s_a > 0) dynamics.system().nonlinear_rows(state, a.vdot.data(), a.lambda.data(), w);
  Matrix C(shape.m(), shape.n());
  shape.C.scatter(w.terms.C, C);
  const Vector left = C * a.vdot - w.terms.gamma;
  double largest = 0.0;
  for (const int i : dynamics.active_rows()) {
    const double size = C.row(i).norm() * (1.0 + a.vdot.norm());
    const double value = std::abs(left[i]) / (size > 0.0 ? size : 1.0);
    if (value > largest) largest = value, worst = i;
  }
  return largest;
}

}  // namespace

InitialConditions find_initial_conditions(Dynamics& dynamics, const Start& start) {
  const System& system = dynamics.system();
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  InitialConditions result;
  State& state = result.state;
  state.t = start.t;
  state.q = Vector::Zero(shape.nq());
  state.v = Vector::Zero(shape.n());

  // 1  positions: f(q, t₀) = 0
  Problem positions = make_problem(dynamics, Level::position, start.q);
  const RowSelection position_rows(shape, positions.rows);
  positions.evaluate = [&](const Vector& x) {
    state.q = x;
    system.position(state, w);
    shape.M.scatter(w.terms.M, positions.M);
    position_rows.matrix(w.terms.C, positions.C);
    position_rows.vector(w.terms.f, positions.residual);
  };
  const Solution q = Search(positions, shape).run();
  state.q = q.x;

  // 2  velocities: f_q N v + f_t = 0 and φ(q, v, t₀) = 0
  Problem velocities = make_problem(dynamics, Level::velocity, start.v);
  const RowSelection velocity_rows(shape, velocities.rows);
  velocities.evaluate = [&](const Vector& x) {
    state.v = x;
    system.velocity(state, w);
    shape.M.scatter(w.terms.M, velocities.M);
    velocity_rows.matrix(w.terms.C, velocities.C);
    velocity_rows.vector(w.terms.phi, velocities.residual);
  };
  const Solution v = Search(velocities, shape).run();
  state.v = v.x;

  // 3  accelerations and multipliers
  dynamics.decide_rows(state);
  if (!dynamics.solve(state, result.acceleration))
    throw Error(Errc::numerics, {}, "the accelerations at the start cannot be found: " + dynamics.explain(state));
  int worst = -1;
  result.residual_acceleration = acceleration_residual(dynamics, state, result.acceleration, worst);
  if (result.residual_acceleration > 1e-8)
    throw Error(
        Errc::numerics, shape.rows[worst].where,
        fmt::format("constraint \"{}\" contradicts the other constraints: the accelerations that satisfy them leave "
                    "it unsatisfied (relative {:.1e})",
                    shape.rows[worst].name, result.residual_acceleration),
        "it depends on the others; delete it or make it say the same");

  Projection projection(system);
  result.residuals = projection.residuals(state, w);
  result.q = q.how;
  result.v = v.how;
  result.condition_position = q.condition;
  result.condition_velocity = v.condition;
  result.free_positions = q.free;
  result.free_velocities = v.free;
  result.method =
      q.least_change ? "least change of the guesses in the mass metric" : "dependent coordinates solved for";
  return result;
}

}  // namespace maggi
