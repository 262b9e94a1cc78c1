#include "start/assemblies.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "base/largest.hpp"
#include "start/start_search.hpp"

namespace maggi {

namespace {

using integration::Found;
using integration::Search;
using integration::Stage;
using integration::StartProblem;

constexpr double turn = 2.0 * std::numbers::pi;
constexpr double same_pose = 1e-5;  // a double root of f = 0 is found within √1e-13 = 3e-7 only
constexpr unsigned fixed_seed = 20021994;

class Explorer {
 public:
  Explorer(Dynamics& dynamics, const Start& start, const State& at)
      : at_(at),
        problem_(dynamics.system(), dynamics.workspace(), start, {dynamics.active_rows(), {}, {}}, {}, Stage::positions,
                 at) {}

  Assemblies run(int starts) {
    result_.starts = starts;
    result_.dependent = Search(problem_).choose_dependent(at_.q);
    result_.periodic.assign(at_.q.size(), false);
    for (const int i : result_.dependent) result_.periodic[i] = is_periodic(i);
    add(Search(problem_).solve(at_.q, result_.dependent));
    result_.found.front().hits = 0;
    if (result_.dependent.empty()) return std::move(result_);
    const double range = 2.0 * (1.0 + largest_length());
    for (int k = 0; k < starts; ++k) {
      Vector q = at_.q;
      for (const int i : result_.dependent)
        q[i] = result_.periodic[i] ? uniform(-0.5 * turn, 0.5 * turn) : q[i] + uniform(-range, range);
      const Found found = Search(problem_).solve(q, result_.dependent);
      if (!found.success) continue;
      ++result_.hits;
      add(found);
    }
    return std::move(result_);
  }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  double largest_length() const {
    Largest length;
    for (const int i : result_.dependent)
      if (!result_.periodic[i]) length.note(at_.q[i]);
    return length.value();
  }

  /// f(q + 2π e_i) = f(q), tried at a few random configurations.
  bool is_periodic(int i) {
    constexpr double rounding = 1e-9;
    for (int k = 0; k < 3; ++k) {
      Vector q = at_.q.unaryExpr([&](double value) { return value + uniform(-1.0, 1.0); });
      if (!problem_.evaluate(q)) return false;
      const Vector here = problem_.residual();
      q[i] += turn;
      if (!problem_.evaluate(q)) return false;
      if (!within(largest(problem_.residual() - here), rounding * (1.0 + largest(here)))) return false;
    }
    return true;
  }

  /// Angles within half a turn of zero, those of the start as they are.
  void add(const Found& found) {
    Vector q = found.x;
    for (std::size_t i = 0; i < result_.periodic.size(); ++i)
      if (result_.periodic[i] && !result_.found.empty()) q[i] = std::remainder(q[i], turn);
    for (Assembly& known : result_.found)
      if (within(distance(known.q, q), same_pose * (1.0 + largest(q)))) {
        ++known.hits;
        return;
      }
    result_.found.push_back({std::move(q), found.residual, 1});
  }

  double distance(const Vector& a, const Vector& b) const {
    Largest apart;
    for (Eigen::Index i = 0; i < a.size(); ++i)
      apart.note(result_.periodic[i] ? std::remainder(a[i] - b[i], turn) : a[i] - b[i]);
    return apart.value();
  }

  const State& at_;
  StartProblem problem_;
  std::mt19937 random_{fixed_seed};
  Assemblies result_;
};

}  // namespace

Assemblies find_assemblies(Dynamics& dynamics, const Start& start, const State& at, int starts) {
  return Explorer(dynamics, start, at).run(starts);
}

}  // namespace maggi
