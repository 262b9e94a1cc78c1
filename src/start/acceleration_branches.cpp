#include "start/acceleration_branches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "base/largest.hpp"
#include "base/names.hpp"
#include "dynamics/acceleration_residual.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

namespace {

constexpr std::size_t most_branches = 12;  // more than these are no isolated ones
constexpr double on_rows = 1e-8;           // relative residual of an acceleration that satisfies the rows

std::vector<std::string> nonlinear_rows_in_force(const Dynamics& dynamics) {
  std::vector<std::string> names;
  for (const int i : dynamics.active_rows())
    if (const Row& row = dynamics.shape().rows[i]; row.level == Level::acceleration && row.nonlinear)
      names.push_back(row.name);
  return names;
}

/// Where the search begins: the acceleration v̇₀, along every axis from there, and at random, on several scales.
std::vector<Vector> seeds(const Vector& first) {
  constexpr int directions = 12;
  constexpr Eigen::Index most_axes = 20;
  const Eigen::Index n = first.size();
  std::mt19937 random(18291829);
  std::normal_distribution<double> normal;
  std::vector<Vector> result{first};
  for (const double scale : {1.0, 10.0, 0.1, 100.0, 1e3, 1e4}) {
    const double length = scale * (1.0 + largest(first));
    for (Eigen::Index i = 0; i < std::min(n, most_axes); ++i)
      for (const double sign : {1.0, -1.0}) result.emplace_back(first + sign * length * Vector::Unit(n, i));
    for (int k = 0; k < directions && n > 1; ++k)
      result.emplace_back(first + length * Vector::NullaryExpr(n, [&] { return normal(random); }).normalized());
  }
  return result;
}

/// The acceleration to which Newton's method leads from a seed; nothing if it leads to none.
std::optional<Acceleration> solve_from(Dynamics& dynamics, const State& state, const Vector& seed) {
  try {
    dynamics.begin_near(seed);
    dynamics.decide_rows(state);
    Acceleration a;
    if (!dynamics.solve(state, a)) return std::nullopt;
    dynamics.begin_near(a.vdot);
    dynamics.decide_rows(state);  // rows that depend on each other at the seed need not do so here
    int worst = -1;
    if (!dynamics.solve(state, a) || !within(acceleration_residual(dynamics, state, a, worst), on_rows))
      return std::nullopt;
    return a;
  } catch (const Error&) { return std::nullopt; }  // a formula has no value there, or nothing resists a motion
}

/// ½ v̇ᵀM v̇ − hᵀv̇
double constraint_of(Dynamics& dynamics, const State& state, const Vector& vdot) {
  const Shape& shape = dynamics.shape();
  Matrix M(shape.n(), shape.n());
  dynamics.system().acceleration(state, dynamics.workspace());
  shape.M.scatter(dynamics.workspace().terms.M, M);
  return vdot.dot(0.5 * M * vdot - dynamics.workspace().terms.h);
}

bool is_same(double a, double b) {
  constexpr double part = 1e-9;  // what Newton's method leaves of a difference
  return std::abs(a - b) <= part * (1.0 + std::abs(a) + std::abs(b));
}

/// "x'' = 4, y'' = 0"
std::string in_words(const Shape& shape, const Vector& vdot) {
  std::string text;
  for (int i = 0; i < shape.n(); ++i) {
    if (shape.n() > 1 && std::abs(vdot[i]) <= 1e-12 * (1.0 + largest(vdot))) continue;  // rounding
    text += fmt::format("{}{}' = {:.6g}", text.empty() ? "" : ", ", shape.velocities[i].name, vdot[i]);
  }
  return text.empty() ? "no acceleration" : text;
}

std::string in_words(const Shape& shape, std::span<const AccelerationBranch> branches) {
  constexpr std::size_t listed = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(branches.size(), listed); ++k)
    text += (k == 0 ? "" : "; or ") + in_words(shape, branches[k].a.vdot);
  return text + (branches.size() > listed ? "; and others" : "");
}

}  // namespace

bool is_nonlinear_in_accelerations(const Dynamics& dynamics) { return !nonlinear_rows_in_force(dynamics).empty(); }

std::vector<AccelerationBranch> find_acceleration_branches(Dynamics& dynamics, const State& state) {
  std::vector<AccelerationBranch> branches;
  for (const Vector& seed : seeds(Vector::Zero(dynamics.shape().n()))) {
    const std::optional<Acceleration> a = solve_from(dynamics, state, seed);
    if (!a) continue;
    const bool known = std::ranges::any_of(branches, [&](const AccelerationBranch& other) {
      constexpr double same = 1e-6;  // a double root is found to the square root of rounding
      return (other.a.vdot - a->vdot).norm() <= same * (1.0 + a->vdot.norm());
    });
    if (!known) branches.push_back({*a, constraint_of(dynamics, state, a->vdot)});
    if (branches.size() > most_branches) break;
  }
  std::ranges::stable_sort(branches, {}, &AccelerationBranch::constraint);
  return branches;
}

Acceleration take_acceleration_branch(Dynamics& dynamics, const State& state, std::string& others) {
  const Shape& shape = dynamics.shape();
  const std::vector<std::string> rows = nonlinear_rows_in_force(dynamics);
  const std::vector<AccelerationBranch> branches = find_acceleration_branches(dynamics, state);
  const auto where = std::ranges::find(shape.rows, rows.front(), &Row::name)->where;
  if (branches.empty())
    throw Error(Errc::numerics, where,
                fmt::format("no accelerations were found at the start that satisfy {}", list_names(rows)),
                fmt::format("{} nonlinear in the accelerations: check whether the formula has a solution, and whether "
                            "its derivatives by the accelerations differ from zero there",
                            rows.size() == 1 ? "it is" : "they are"));
  const auto equal = std::ranges::count_if(
      branches, [&](const AccelerationBranch& each) { return is_same(each.constraint, branches[0].constraint); });
  if (equal > 1)
    throw Error(Errc::numerics, where,
                fmt::format("{} {} met by more than one acceleration at the start, and nothing selects one: {}",
                            list_names(rows), rows.size() == 1 ? "is" : "are",
                            in_words(shape, std::span(branches).first(static_cast<std::size_t>(equal)))),
                fmt::format("give the acceleration of a coordinate: {} = {{ acceleration = {:.6g} }}",
                            shape.coordinates[0].name, branches[0].a.vdot[0]));
  if (branches.size() > 1)
    others = fmt::format("{}; {} also met by {}", in_words(shape, branches[0].a.vdot) + " is taken (least constraint)",
                         list_names(rows) + (rows.size() == 1 ? " is" : " are"),
                         in_words(shape, std::span(branches).subspan(1)));
  dynamics.begin_near(branches[0].a.vdot);
  dynamics.decide_rows(state);
  Acceleration a;
  if (!dynamics.solve(state, a)) return branches[0].a;
  return a;
}

}  // namespace maggi::integration
