#include "maggi/results/multipliers.hpp"

#include "maggi/formulation/law_solutions.hpp"

namespace maggi {

Matrix undetermined_multipliers(Dynamics& dynamics, const Instant& at) {
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  Matrix C(shape.m(), shape.n());
  dynamics.system().acceleration(at, w);
  shape.C.scatter(w.terms.C, C);
  return open_multipliers(std::move(C), dynamics.rows().rows(), dynamics.dependent_rows());
}

}  // namespace maggi
