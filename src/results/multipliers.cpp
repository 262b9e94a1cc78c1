#include "results/multipliers.hpp"

#include "dynamics/law_solutions.hpp"
#include "dynamics/open_controls.hpp"

namespace maggi {

namespace {
std::vector<int> with_reaction(const Shape& shape, const std::vector<int>& rows) {
  std::vector<int> result;
  for (const int i : rows)
    if (shape.rows[i].has_multiplier()) result.push_back(i);
  return result;
}
}  // namespace

Matrix undetermined_multipliers(Dynamics& dynamics, const Instant& at) {
  const Shape& shape = dynamics.shape();
  const Matrix by_controls = open_controls(dynamics, at);
  if (dynamics.dependent_rows().empty()) return by_controls;
  Workspace& w = dynamics.workspace();
  Matrix C(shape.m(), shape.n());
  dynamics.system().acceleration(at, w);
  shape.C.scatter(w.terms.C, C);
  const Matrix by_rows = open_multipliers(std::move(C), with_reaction(shape, dynamics.rows().rows()),
                                          with_reaction(shape, dynamics.dependent_rows()));
  Matrix open = Matrix::Zero(by_controls.rows(), by_rows.cols() + by_controls.cols());
  open.topLeftCorner(shape.m(), by_rows.cols()) = by_rows;
  open.rightCols(by_controls.cols()) = by_controls;
  return open;
}

}  // namespace maggi
