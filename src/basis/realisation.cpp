#include "maggi/basis/realisation.hpp"

#include <Eigen/QR>
#include <algorithm>

#include "maggi/base/cholesky.hpp"
#include "maggi/basis/metric_factor.hpp"

namespace maggi {

namespace {

using PivotedColumns = Eigen::ColPivHouseholderQR<Matrix>;

/// Columns of unit length; returns what they were divided by.
Vector normalise(Matrix& columns) {
  const Vector length = columns.colwise().norm().transpose().unaryExpr([](double x) { return x > 0.0 ? x : 1.0; });
  columns *= length.cwiseInverse().asDiagonal();
  return length;
}

/// How many columns stand out; the columns have at most unit length, so the tolerance needs no scale.
int rank_of(const PivotedColumns& qr) {
  const auto diagonal = qr.matrixQR().diagonal().cwiseAbs();
  return static_cast<int>(
      std::count_if(diagonal.begin(), diagonal.end(), [](double x) { return x > Realisation::tolerance; }));
}

/// Z with A Z = 0, a column for every column of A beyond the rank.
Matrix combinations(const PivotedColumns& qr, int rank) {
  const Eigen::Index cols = qr.cols();
  if (rank == cols) return Matrix(cols, 0);
  Matrix Z = Matrix::Zero(cols, cols - rank);
  const Matrix R = qr.matrixQR().topRows(rank);
  Z.topRows(rank) = -R.leftCols(rank).triangularView<Eigen::Upper>().solve(R.rightCols(cols - rank));
  Z.bottomRows(cols - rank).setIdentity();
  return qr.colsPermutation() * Z;
}

}  // namespace

Realisation::Realisation(const Matrix& M, const Matrix& C1, const Matrix& C2, const Matrix& B) {
  const Eigen::Index n = M.rows();
  MetricFactor factor(static_cast<int>(n), static_cast<int>(std::max<Eigen::Index>(1, C1.rows())));
  Matrix L = M;
  factor.compute(M, C1);
  independent_.assign(factor.independent().begin(), factor.independent().end());
  Matrix H(n, static_cast<Eigen::Index>(independent_.size()));
  for (std::size_t i = 0; i < independent_.size(); ++i) H.col(i) = C1.row(independent_[i]).transpose();
  if (!cholesky(L)) {  // the same motion by the metric M + σ ĈᵀĈ
    L = M + std::max(M.diagonal().cwiseAbs().maxCoeff(), 1e-300) * H *
                H.colwise().squaredNorm().cwiseInverse().asDiagonal() * H.transpose();
    cholesky(L);
  }
  Matrix rows = C2.transpose(), forces = B;
  for (Matrix* columns : {&H, &rows, &forces})
    for (Eigen::Index j = 0; j < columns->cols(); ++j) solve_lower(L, columns->col(j));
  const Vector row_length = normalise(rows), force_length = normalise(forces);
  if (H.cols() > 0) {
    const Matrix Q = Eigen::HouseholderQR<Matrix>(H).householderQ() * Matrix::Identity(n, H.cols());
    forces -= Q * (Q.transpose() * forces);
  }

  const PivotedColumns acting(forces);
  without_effect_ = force_length.cwiseInverse().asDiagonal() * combinations(acting, rank_of(acting));
  const PivotedColumns qr(forces.transpose() * rows);  // Sᵀ
  const int rank = rank_of(qr);
  for (int i = 0; i < rank; ++i) served_.push_back(static_cast<int>(qr.colsPermutation().indices()[i]));
  std::sort(served_.begin(), served_.end());
  unreached_ = row_length.cwiseInverse().asDiagonal() * combinations(qr, rank);
}

std::vector<int> Realisation::unreached_rows() const {
  std::vector<int> rows;
  if (unreached_.cols() == 0) return rows;
  for (Eigen::Index i = 0; i < unreached_.rows(); ++i)
    if (unreached_.row(i).cwiseAbs().maxCoeff() > 1e-9 * unreached_.cwiseAbs().maxCoeff())
      rows.push_back(static_cast<int>(i));
  return rows;
}

}  // namespace maggi
