#include "system/formulas/readable.hpp"

#include "expression/tidy.hpp"

namespace maggi {

namespace {

using Ids = std::vector<expression::Id>;

/// Some blocks of `size` entries; those from `first` to `last` are there.
Ids blocks(const Ids& all, std::size_t size, const std::vector<int>& rows, int first, int last) {
  Ids some;
  for (const int row : rows) {
    if (row < first || row >= last) continue;
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(size) * (row - first);
    some.insert(some.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  return some;
}

}  // namespace

DerivedEquations readable(DerivedEquations e) {
  for (auto* formulas : {&e.M, &e.h, &e.f, &e.phi, &e.psi, &e.C, &e.Cdot, &e.gamma, &e.T, &e.B, &e.law, &e.x, &e.J,
                         &e.Jdot, &e.Mdot, &e.outputs})
    for (expression::Id& formula : *formulas) formula = expression::tidy(e.graph, formula);
  return e;
}

DerivedEquations with_rows(DerivedEquations e, const Shape& shape, const std::vector<int>& rows) {
  const int positions = shape.s_p, velocities = shape.s_p + shape.s_v, m = shape.m();
  const std::size_t n = e.v.size(), n_x = e.x.size();
  e.f = blocks(e.f, 1, rows, 0, positions);
  e.phi = blocks(e.phi, 1, rows, 0, velocities);
  e.psi = blocks(e.psi, 1, rows, velocities, m);
  e.gamma = blocks(e.gamma, 1, rows, 0, m);
  e.C = blocks(e.C, n, rows, 0, m);
  e.Cdot = blocks(e.Cdot, n, rows, 0, m);
  if (n_x == 0) return e;
  e.local.C = blocks(e.local.C, n_x, rows, 0, m);
  std::vector<bool> complete;
  for (const int row : rows) complete.push_back(e.local.complete[row]);
  e.local.complete = std::move(complete);
  return e;
}

}  // namespace maggi
