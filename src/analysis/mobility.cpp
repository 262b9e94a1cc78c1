#include "maggi/analysis/mobility.hpp"

#include <algorithm>

#include "analysis/nearby.hpp"
#include "maggi/base/cholesky.hpp"
#include "maggi/basis/projective.hpp"

namespace maggi {

Mobility find_mobility(Dynamics& dynamics, const State& at, const Acceleration& acceleration) {
  const analysis::Rows rows = analysis::rows_at(dynamics, at, acceleration);
  Matrix L = rows.M;
  const bool metric = cholesky(L);
  Mobility result;
  if (metric) result.constrained = cosines_squared(rows.M, rows.C);
  result.independent = free_coordinates(metric ? rows.M : Matrix::Identity(rows.M.rows(), rows.M.cols()), rows.C);
  std::sort(result.independent.begin(), result.independent.end());
  return result;
}

}  // namespace maggi
