#include "analysis/mobility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/nearby.hpp"
#include "analysis/redundancy.hpp"
#include "base/cholesky.hpp"
#include "base/largest.hpp"
#include "base/pivoted_qr.hpp"
#include "basis/projective.hpp"

namespace maggi {

namespace {

/// D (E D)⁻¹ for any basis D of the admissible motions, where E picks the independent velocities.
Matrix free_motions(const Matrix& C, const std::vector<int>& independent) {
  const auto n = C.cols();
  const auto k = static_cast<Eigen::Index>(independent.size());
  if (k == 0) return Matrix(n, 0);
  if (C.rows() == 0) return Matrix::Identity(n, n);
  PivotedQr qr(static_cast<int>(n), static_cast<int>(C.rows()));
  qr.compute(C.transpose());
  Matrix D(n, k), picked(k, k);
  qr.basis(static_cast<int>(n - k), D);
  for (Eigen::Index i = 0; i < k; ++i) picked.row(i) = D.row(independent[i]);
  PivotedQr of_picked(static_cast<int>(k), static_cast<int>(k));
  of_picked.compute(picked.transpose());
  Matrix motions(n, k);  // motionsᵀ solves pickedᵀ x = Dᵀ, column by column
  for (Eigen::Index i = 0; i < n; ++i) {
    Vector x = D.row(i);
    of_picked.apply_Qt(x);
    of_picked.solve_R(static_cast<int>(k), x);
    for (Eigen::Index j = 0; j < k; ++j) motions(i, of_picked.order()[j]) = x[j];
  }
  const double rounding = 1e-12 * largest(motions);
  return motions.unaryExpr([&](double x) { return within(std::abs(x), rounding) ? 0.0 : x; });
}

/// How many of the active rows tie velocities: those of position and velocity level, which are the first.
Eigen::Index rows_of_velocities(const Dynamics& dynamics) {
  const Shape& shape = dynamics.shape();
  return std::ranges::count_if(dynamics.active_rows(), [&](int row) { return row < shape.s_p + shape.s_v; });
}

}  // namespace

Mobility find_mobility(Dynamics& dynamics, const State& at, const Acceleration& acceleration) {
  if (const Shape& shape = dynamics.shape(); shape.n() + shape.m() > most_for_certificate)
    return {.constrained = {},
            .independent = {},
            .motions = {},
            .left_out = fmt::format("with {} coordinates and {} constraints these are more than {} together", shape.n(),
                                    shape.m(), most_for_certificate)};
  const analysis::Rows rows = analysis::rows_at(dynamics, at, acceleration);
  const Matrix C = rows.C.topRows(rows_of_velocities(dynamics));
  Matrix L = rows.M;
  const bool metric = cholesky(L);
  Mobility result;
  if (metric) result.constrained = cosines_squared(rows.M, C);
  result.independent = free_coordinates(metric ? rows.M : Matrix::Identity(rows.M.rows(), rows.M.cols()), C);
  std::sort(result.independent.begin(), result.independent.end());
  result.motions = free_motions(C, result.independent);
  return result;
}

std::vector<PartialMobility> find_mobility_of(const std::vector<std::vector<int>>& groups, Dynamics& dynamics,
                                              const State& at, const Acceleration& acceleration) {
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  dynamics.system().acceleration(at, w);
  if (shape.s_a > 0) dynamics.system().nonlinear_rows(at, acceleration.vdot.data(), acceleration.lambda.data(), w);
  std::vector<std::vector<int>> entries(shape.m());  // of each row
  for (int k = 0; k < shape.C.size(); ++k) entries[shape.C.row[k]].push_back(k);
  std::vector<PartialMobility> result;
  for (const std::vector<int>& rows : groups) {
    std::vector<int> columns;
    for (const int i : rows)
      for (const int k : entries[i]) columns.push_back(shape.C.col[k]);
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    PartialMobility& found = result.emplace_back();
    found.velocities = static_cast<int>(columns.size());
    Matrix unit = Matrix::Zero(found.velocities, static_cast<Eigen::Index>(rows.size()));  // rows of unit length
    Eigen::Index count = 0;
    for (const int i : rows) {
      if (!dynamics.mode().rows[i]) continue;
      for (const int k : entries[i])
        unit(std::ranges::lower_bound(columns, shape.C.col[k]) - columns.begin(), count) = w.terms.C[k];
      if (const double length = unit.col(count).norm(); length > 0.0) unit.col(count++) /= length;
    }
    if (count == 0) continue;
    PivotedQr qr(found.velocities, static_cast<int>(count));
    qr.compute(unit.leftCols(count));
    found.rank = qr.rank(1e-10);  // as the rank of all rows is decided
  }
  return result;
}

}  // namespace maggi
