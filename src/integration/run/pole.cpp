#include "integration/run/pole.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <optional>

namespace maggi::integration {

namespace {

/// The time of a pole of g just in front of t; g is looked at some way before, where differences resolve it.
std::optional<double> find_pole(const std::function<double(double)>& g, double t, double span) {
  constexpr double least_order = 0.3, most_order = 12.0;
  const auto length = [&](double at, double step) {  // g / ġ
    const double before = g(at - step), after = g(at + step);
    return (after + before) / 2 * (2 * step) / (after - before);
  };
  for (const double back : {1e-5, 1e-4, 1e-3, 1e-2}) {
    const double at = t - back * span, step = 1e-4 * back * span;
    const double L = length(at, step), L_before = length(at - 0.1 * back * span, step);
    const double order = 0.1 * back * span / (L_before - L), pole = at + order * L;
    constexpr double near = 0.02;  // of the way back
    if (L > 0.0 && order > least_order && order < most_order && std::abs(pole - t) < near * back * span) return pole;
  }
  return std::nullopt;
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
