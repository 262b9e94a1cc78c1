#include "integration/run/pole.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <optional>

namespace maggi::integration {

namespace {

/// The time of the pole of g in front of t, if it is closer than a small part of the run.
std::optional<double> find_pole(const std::function<double(double)>& g, double t, double span) {
  constexpr double close = 0.02, fewest = 0.3, most = 12.0;  // parts of the run; orders
  const auto length = [&](double at, double step) {          // g / ġ
    const double before = g(at - step), after = g(at + step);
    return (after + before) / 2 * (2 * step) / (after - before);
  };
  double L = 1e-3 * span;
  for (int k = 0; k < 12; ++k) {  // the step follows the length that is measured
    const double next = length(t, 1e-3 * L);
    if (!(next > 0.0) || !std::isfinite(next)) return std::nullopt;
    if (std::abs(next - L) < 1e-3 * L) break;
    L = next;
  }
  const double before = length(t - L, 1e-3 * L), order = L / (before - L);
  if (!(order > fewest && order < most) || !(order * L < close * span)) return std::nullopt;
  const double far = length(t - 4 * L, 1e-3 * L), order_far = 3 * L / (far - before);
  if (!(std::abs(order_far - order) < 0.3 * order)) return std::nullopt;  // not of this kind
  return t + order * L;
}

}  // namespace

std::string explain_pole(Dynamics& dynamics, const State& at, double span) {
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  if (!at.q.allFinite() || !at.v.allFinite()) return "";
  State there = at;
  for (const int i : dynamics.active_rows()) {
    if (i >= shape.s_p + shape.s_v || !shape.rheonomic) continue;
    there.v.setZero();
    const auto rate = [&](double t) {
      there.t = t;
      dynamics.system().velocity(there, w);
      return w.terms.phi[i];
    };
    if (const std::optional<double> t = find_pole(rate, at.t, span))
      return fmt::format("\"{}\" grows without bound: a formula has a pole at t = {:.6g} s", shape.rows[i].owner, *t);
  }
  for (int i = 0; i < shape.n(); ++i) {
    const auto force = [&](double t) {
      there = at;
      there.t = t;
      const Vector way = (t - at.t) * at.v;
      dynamics.system().move(there.q.data(), way.data());
      dynamics.system().acceleration(there, w);
      return w.terms.h[i];
    };
    if (const std::optional<double> t = find_pole(force, at.t, span))
      return fmt::format("the force on \"{}\" grows without bound: a formula has a pole at t = {:.6g} s",
                         shape.velocities[i].name, *t);
  }
  return "";
}

}  // namespace maggi::integration
