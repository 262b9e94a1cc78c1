#include "start/start_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "base/decompositions.hpp"

namespace maggi::integration {

namespace {

using Proof = Conflict::Proof;

std::vector<Interval> box_of(const std::vector<Start::Value>& values) {
  std::vector<Interval> box;
  for (const Start::Value& value : values) box.push_back(value.given ? Interval::point(value.value) : Interval{});
  return box;
}

/// "never above -0.3 m", "between 1.2 and 4", "without a value".
std::string words(const Interval& range, const std::string& unit) {
  const std::string suffix = unit.empty() ? "" : " " + unit;
  if (range.empty()) return "without a value";
  if (range.low > 0.0) return fmt::format("never below {:.6g}{}", range.low, suffix);
  return fmt::format("never above {:.6g}{}", range.high, suffix);
}

/// A condition that no values can meet; empty if there is none.
std::string out_of_reach(const System& system, const Workspace& w, const Start& start, const std::vector<int>& rows,
                         Stage stage) {
  const Shape& shape = system.shape();
  const std::vector<Interval> q = box_of(start.q), v = box_of(start.v);
  for (const int i : rows)
    for (const Level level : {Level::position, Level::velocity}) {
      const bool exists = level == Level::position ? i < shape.s_p : i < shape.s_p + shape.s_v;
      if (!exists || (stage == Stage::positions && level == Level::velocity)) continue;
      const Interval range = system.bounds(i, level, start.t, q, v, w);
      const bool rate = level == Level::velocity && i < shape.s_p;
      const std::string unit = shape.rows[i].unit.empty() || !rate ? shape.rows[i].unit : shape.rows[i].unit + "/s";
      if (!range.contains(0.0))
        return fmt::format("proven: {}\"{}\" is {}, whatever the values that are not given",
                           rate ? "the time derivative of " : "", shape.rows[i].name, words(range, unit));
    }
  return "";
}

/// Whether the conditions are linear in what is not given, and contradict each other.
/// Constant derivatives are seen at random points: a formula made of pieces could hide between them.
bool linear_conflict(StartProblem& problem, const Vector& x) {
  constexpr double same = 1e-9, clear = 1e-7;  // derivatives of linear conditions are constant, but for rounding
  std::vector<Eigen::Index> open;
  for (std::size_t i = 0; i < problem.unknowns().size(); ++i)
    if (!problem.unknowns()[i].start.given) open.push_back(static_cast<Eigen::Index>(i));
  if (!problem.evaluate(x)) return false;
  const Matrix J = problem.J()(Eigen::all, open);
  const Vector b = problem.residual();
  std::mt19937 random(19942002);
  for (const double range : {1.0, 10.0, 100.0}) {
    std::uniform_real_distribution<double> uniform(-range, range);
    Vector other = x;
    for (const Eigen::Index i : open) other[i] = uniform(random);
    if (!problem.evaluate(other)) return false;
    const Matrix there = problem.J()(Eigen::all, open);
    if (!((there - J).cwiseAbs().array() <= same * (1.0 + J.cwiseAbs().array())).all()) return false;
  }
  // the part of b that J cannot produce, each row in units of its length
  const Vector scale = J.rowwise().norm().unaryExpr([](double norm) { return norm > 0.0 ? 1.0 / norm : 1.0; });
  const Vector rhs = scale.asDiagonal() * b;
  if (open.empty()) return rhs.norm() > clear * (1.0 + x.norm());
  const Matrix A = scale.asDiagonal() * J;
  const Vector left = rhs - A * Eigen::CompleteOrthogonalDecomposition<Matrix>(A).solve(rhs);
  return left.norm() > clear * (1.0 + rhs.norm());
}

}  // namespace

std::string prove(const System& system, Workspace& w, const Start& start, const Demands& demands,
                  const StartAttempt& attempt, Proof& proof) {
  const std::string reach = out_of_reach(system, w, start, demands.rows, attempt.stage());
  if (!reach.empty()) {
    proof = Proof::reach;
    return reach;
  }
  const bool modes =
      attempt.stage() == Stage::everything &&
      std::ranges::any_of(system.shape().contacts, [&](const Contact& c) { return demands.laws[c.laws[0]]; });
  if (!modes && attempt.found().finite) {
    const Vector no_sense = Vector::Ones(static_cast<Eigen::Index>(system.shape().laws.size()));
    StartProblem problem(system, w, start, demands, no_sense, attempt.stage(), attempt.state());
    if (linear_conflict(problem, attempt.found().x)) {
      proof = Proof::linear;
      return "proven: the conditions are linear in the values that are not given, and have no solution";
    }
  }
  proof = Proof::search;
  const int starts = attempt.found().starts;
  return fmt::format("not proven: no solution was found from {} {}", starts, starts == 1 ? "start" : "starts");
}

}  // namespace maggi::integration
