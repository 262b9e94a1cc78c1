#include "formulation/lanes.hpp"

#include <algorithm>
#include <cmath>

#include "base/clones.hpp"
#include "base/largest.hpp"
#include "formulation/lane_factor.hpp"

namespace maggi {

namespace {

constexpr int lanes = Eight::lanes;

/// result = −x.
void negate(const Eight& x, Eight& result) {
  for (int l = 0; l < lanes; ++l) result.lane[l] = -x.lane[l];
}

/// The lanes in which one of the values is not finite.
LaneSet not_finite(const Eight* values, std::size_t size) {
  double sum[lanes] = {};  // zero, or NaN
  for (std::size_t i = 0; i < size; ++i)
    for (int l = 0; l < lanes; ++l) sum[l] += 0.0 * values[i].lane[l];
  LaneSet result = 0;
  for (int l = 0; l < lanes; ++l)
    if (sum[l] != 0.0) result = static_cast<LaneSet>(result | 1U << l);
  return result;
}

}  // namespace

Lanes::Lanes(const EquationSystem& system)
    : system_(system),
      factor_(std::make_unique<LaneFactor>(system.shape())),
      sides_(shape().n() + shape().m()),
      lambda_(shape().m()),
      row_scales_(shape().m()) {}
Lanes::Lanes(Lanes&&) noexcept = default;
Lanes::~Lanes() = default;

const Eight* Lanes::lambda() const { return lambda_.data(); }

LaneSet Lanes::accelerate(const Eight& t, const Eight* q, const Eight* v, Eight* vdot) {
  const int n = shape().n(), m = shape().m();
  system_.acceleration(t, q, v);
  factor_->compute(system_);
  for (int i = 0; i < n; ++i) sides_[i] = system_.h(i);
  for (int i = 0; i < m; ++i) sides_[n + i] = system_.gamma(i);
  factor_->solve(sides_.data());
  std::copy_n(sides_.data(), n, vdot);
  for (int i = 0; i < m; ++i) negate(sides_[n + i], lambda_[i]);
  return static_cast<LaneSet>(factor_->alarm() | not_finite(sides_.data(), sides_.size()));
}

/// Newton's method with the factor at hand, lane by lane until its scaled residual is at rounding level: the largest
/// |r_i| / ‖row i of C‖ against the largest Σ_j |C_ij x_j| ε / ‖row i of C‖.
template <class Evaluate, class Residual>
LaneSet Lanes::bring_back(int rows, Eight* values, LaneSet which, const Evaluate& evaluate, const Residual& residual) {
  constexpr int most_iterations = 10;
  constexpr double tolerance = 1e-14, acceptable = 10.0, epsilon = 2.220446049250313e-16;
  const int n = shape().n();
  const Pattern& C = shape().C;
  LaneSet left = which;  // still on their way
  double last[lanes];
  std::fill_n(last, lanes, INFINITY);
  for (int iteration = 0; iteration <= most_iterations; ++iteration) {
    evaluate();
    double size[lanes] = {}, rounding[lanes] = {};
    for (int i = 0; i < n; ++i) sides_[i] = Eight{};
    for (int i = 0; i < shape().m(); ++i) {
      if (i < rows)
        negate(residual(i), sides_[n + i]);
      else
        sides_[n + i] = Eight{};
      for (int l = 0; l < lanes; ++l) {
        const double scaled = std::abs(sides_[n + i].lane[l]) * row_scales_[i].lane[l];
        const double counted = scaled < INFINITY ? scaled : INFINITY;  // a NaN stays; larger() would not vectorise
        size[l] = counted > size[l] ? counted : size[l];
      }
    }
    for (int k = 0; k < C.size(); ++k)
      for (int l = 0; l < lanes; ++l) {
        const double part = std::abs(system_.C(k).lane[l] * values[C.col[k]].lane[l]) * row_scales_[C.row[k]].lane[l];
        rounding[l] = std::max(rounding[l], part);
      }
    for (int l = 0; l < lanes; ++l) {
      const double goal = std::max(tolerance, 4 * epsilon * rounding[l]);
      const bool stuck = size[l] > 0.5 * last[l];
      if (within(size[l], stuck ? acceptable * goal : goal)) left = static_cast<LaneSet>(left & ~(1U << l));
      last[l] = size[l];
    }
    if (left == 0 || iteration == most_iterations) break;
    factor_->solve(sides_.data());
    for (int i = 0; i < n; ++i)
      for (int l = 0; l < lanes; ++l) values[i].lane[l] += contains(left, l) ? sides_[i].lane[l] : 0.0;
  }
  return left;
}

void Lanes::find_row_scales() {
  const Pattern& C = shape().C;
  for (Eight& scale : row_scales_) scale = Eight{};
  for (int k = 0; k < C.size(); ++k)
    for (int l = 0; l < lanes; ++l) row_scales_[C.row[k]].lane[l] += system_.C(k).lane[l] * system_.C(k).lane[l];
  for (Eight& scale : row_scales_)
    for (int l = 0; l < lanes; ++l) scale.lane[l] = scale.lane[l] > 0.0 ? 1.0 / std::sqrt(scale.lane[l]) : 1.0;
}

LaneSet Lanes::project(const Eight& t, Eight* q, Eight* v, LaneSet which) {
  const int s_p = shape().s_p, s_v = shape().s_v;
  LaneSet lost = 0;
  if (s_p + s_v > 0) find_row_scales();
  if (s_p > 0)
    lost = bring_back(
        s_p, q, which, [&] { system_.position(t, q); }, [&](int i) { return system_.f(i); });
  if (s_p + s_v > 0)
    lost = static_cast<LaneSet>(
        lost | bring_back(
                   s_p + s_v, v, which, [&] { system_.velocity(t, q, v); }, [&](int i) { return system_.phi(i); }));
  return lost;
}

}  // namespace maggi
