#include "integration/impact.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "integration/active_rows.hpp"

namespace maggi::integration {

std::string explain_gap(Dynamics& dynamics, const Mode& next, const State& state, double tolerance) {
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  dynamics.system().position(state, w);
  Vector squares = Vector::Zero(shape.m());
  for (int e = 0; e < shape.C.size(); ++e)
    if (shape.C.row[e] < shape.s_p) squares[shape.C.row[e]] += w.terms.C[e] * w.terms.C[e];
  for (int i = 0; i < shape.s_p; ++i) {
    if (!next.rows[i] || dynamics.mode().rows[i] || std::abs(w.terms.f[i]) <= tolerance * std::sqrt(squares[i]))
      continue;
    const Row& row = shape.rows[i];
    return fmt::format("cannot switch on \"{}\": it is not met there, the gap is {:.6g}{}{}", row.name, w.terms.f[i],
                       row.unit.empty() ? "" : " ", row.unit);
  }
  return "";
}

bool apply_impact(Dynamics& dynamics, const Mode& before, Projection& projection, State& state,
                  std::vector<EventRecord>& records) {
  const Shape& shape = dynamics.shape();
  const std::vector<int> rows = active_rows(dynamics, shape.s_p + shape.s_v);
  if (std::ranges::all_of(rows, [&](int i) { return before.rows[i]; })) return true;

  Workspace& w = dynamics.workspace();
  const Vector v = state.v;
  const double kinetic = dynamics.system().energy(state, w).kinetic;
  if (!projection.velocities(state, w)) return false;
  constexpr double rounding = 1e-12;
  const Vector jump = state.v - v;
  if (jump.lpNorm<Eigen::Infinity>() <= rounding * (1.0 + v.lpNorm<Eigen::Infinity>())) return true;

  const auto record = std::ranges::find_if(records, [](const EventRecord& each) { return !each.on.empty(); });
  if (record == records.end()) return true;
  Matrix M(shape.n(), shape.n()), C(rows.size(), shape.n());
  dynamics.system().velocity(state, w);
  shape.M.scatter(w.terms.M, M);
  RowSelection(shape, rows).matrix(w.terms.C, C);
  const Vector impulse = C.transpose().completeOrthogonalDecomposition().solve(M * jump);
  for (std::size_t i = 0; i < rows.size(); ++i) record->impulses.emplace_back(shape.rows[rows[i]].name, impulse[i]);
  record->energy_lost = kinetic - dynamics.system().energy(state, w).kinetic;
  return true;
}

}  // namespace maggi::integration
