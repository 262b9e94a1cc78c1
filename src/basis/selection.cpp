#include "basis/selection.hpp"

#include <algorithm>

#include "base/pivoted_qr.hpp"
#include "basis/metric_factor.hpp"

namespace maggi {

RowChoice choose_rows(const Matrix& C) {
  const auto n = static_cast<int>(C.cols()), m = static_cast<int>(C.rows());
  Matrix rows = C.transpose();
  for (int i = 0; i < m; ++i)
    if (const double norm = rows.col(i).norm(); norm > 0.0) rows.col(i) /= norm;
  PivotedQr qr(n, m);
  qr.compute(rows);
  const int rank = qr.rank(MetricFactor::default_tolerance);
  RowChoice choice{{qr.order().begin(), qr.order().begin() + rank}, {qr.order().begin() + rank, qr.order().end()}};
  std::sort(choice.independent.begin(), choice.independent.end());
  std::sort(choice.dependent.begin(), choice.dependent.end());
  return choice;
}

}  // namespace maggi
