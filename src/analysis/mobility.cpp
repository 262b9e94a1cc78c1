#include "maggi/analysis/mobility.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/nearby.hpp"
#include "maggi/base/cholesky.hpp"
#include "maggi/base/pivoted_qr.hpp"
#include "maggi/basis/projective.hpp"

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
  const double rounding = 1e-12 * motions.cwiseAbs().maxCoeff();
  return motions.unaryExpr([&](double x) { return std::abs(x) > rounding ? x : 0.0; });
}

}  // namespace

Mobility find_mobility(Dynamics& dynamics, const State& at, const Acceleration& acceleration) {
  const analysis::Rows rows = analysis::rows_at(dynamics, at, acceleration);
  Matrix L = rows.M;
  const bool metric = cholesky(L);
  Mobility result;
  if (metric) result.constrained = cosines_squared(rows.M, rows.C);
  result.independent = free_coordinates(metric ? rows.M : Matrix::Identity(rows.M.rows(), rows.M.cols()), rows.C);
  std::sort(result.independent.begin(), result.independent.end());
  result.motions = free_motions(rows.C, result.independent);
  return result;
}

PartialMobility find_mobility_of(const std::vector<int>& rows, Dynamics& dynamics, const State& at,
                                 const Acceleration& acceleration) {
  const analysis::Rows all = analysis::rows_at(dynamics, at, acceleration);
  const Shape& shape = dynamics.shape();
  PartialMobility result;
  std::vector<bool> contains(shape.n(), false);
  for (int k = 0; k < shape.C.size(); ++k)
    if (std::ranges::find(rows, shape.C.row[k]) != rows.end()) contains[shape.C.col[k]] = true;
  result.velocities = static_cast<int>(std::ranges::count(contains, true));
  Matrix unit(shape.n(), rows.size());  // rows of unit length, as columns
  Eigen::Index place = 0, columns = 0;
  for (int i = 0; i < shape.m(); ++i) {
    if (!dynamics.mode().rows[i]) continue;
    const double length = all.C.row(place).norm();
    if (length > 0.0 && std::ranges::find(rows, i) != rows.end()) unit.col(columns++) = all.C.row(place) / length;
    ++place;
  }
  if (columns == 0) return result;
  PivotedQr qr(shape.n(), static_cast<int>(columns));
  qr.compute(unit.leftCols(columns));
  result.rank = qr.rank(1e-10);  // as the rank of all rows is decided
  return result;
}

}  // namespace maggi
