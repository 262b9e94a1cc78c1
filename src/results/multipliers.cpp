#include "maggi/results/multipliers.hpp"

#include <Eigen/QR>
#include <cmath>

namespace maggi {

Matrix undetermined_multipliers(Dynamics& dynamics, const Instant& at) {
  const Shape& shape = dynamics.shape();
  const std::vector<int>& dependent = dynamics.dependent_rows();
  const std::vector<int>& independent = dynamics.rows().rows();
  Matrix Z = Matrix::Zero(shape.m(), static_cast<Eigen::Index>(dependent.size()));
  if (dependent.empty()) return Z;

  Workspace& w = dynamics.workspace();
  dynamics.system().acceleration(at, w);
  Matrix C(shape.m(), shape.n());
  shape.C.scatter(w.terms.C, C);

  // rows in different units: compare directions, not lengths
  const Vector length = C.rowwise().norm().unaryExpr([](double norm) { return norm > 0.0 ? norm : 1.0; });
  C.array().colwise() /= length.array();

  Matrix columns(shape.n(), static_cast<Eigen::Index>(independent.size()));
  for (Eigen::Index j = 0; j < columns.cols(); ++j) columns.col(j) = C.row(independent[j]).transpose();
  Eigen::ColPivHouseholderQR<Matrix> qr;
  if (columns.cols() > 0) qr.compute(columns);  // Eigen's has no answer without columns

  // c_i = Σ w_j c_j gives z = e_i − Σ w_j e_j; parts below this are rounding of the solve, not dependence
  constexpr double negligible = 1e-9;
  for (Eigen::Index k = 0; k < Z.cols(); ++k) {
    const int i = dependent[k];
    Z(i, k) = 1.0 / length[i];
    if (columns.cols() == 0) continue;
    const Vector weights = qr.solve(C.row(i).transpose());
    for (Eigen::Index j = 0; j < columns.cols(); ++j)
      if (std::abs(weights[j]) > negligible) Z(independent[j], k) = -weights[j] / length[independent[j]];
  }
  return Z;
}

}  // namespace maggi
