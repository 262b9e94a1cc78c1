#include "results/multipliers.hpp"

#include "dynamics/law_solutions.hpp"

namespace maggi {

namespace {
std::vector<int> with_reaction(const Shape& shape, const std::vector<int>& rows) {
  std::vector<int> result;
  for (const int i : rows)
    if (shape.rows[i].kind != RowKind::servo) result.push_back(i);
  return result;
}
}  // namespace

Matrix undetermined_multipliers(Dynamics& dynamics, const Instant& at) {
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  if (dynamics.dependent_rows().empty()) return Matrix(shape.m(), 0);
  Matrix C(shape.m(), shape.n());
  dynamics.system().acceleration(at, w);
  shape.C.scatter(w.terms.C, C);
  return open_multipliers(std::move(C), with_reaction(shape, dynamics.rows().rows()),
                          with_reaction(shape, dynamics.dependent_rows()));
}

}  // namespace maggi
