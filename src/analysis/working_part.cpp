#include "analysis/working_part.hpp"

#include <algorithm>

#include "base/cholesky.hpp"
#include "basis/metric_factor.hpp"

namespace maggi {

std::optional<WorkingPart> working_part(const Matrix& M, const Matrix& C, const Vector& r) {
  MetricFactor factor(static_cast<int>(M.rows()), std::max(1, static_cast<int>(C.rows())));
  Matrix L = M;
  if (!factor.compute(M, C) || !factor.regular() || !cholesky(L)) return std::nullopt;
  WorkingPart part{.w = r};
  factor.enter_metric(part.w);
  part.whole = part.w.norm();
  factor.take_off_rows(part.w);
  part.size = part.w.norm();
  solve_lower_transposed(L, part.w);
  return part;
}

}  // namespace maggi
