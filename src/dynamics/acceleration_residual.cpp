#include "dynamics/acceleration_residual.hpp"

#include <cmath>

namespace maggi {

double acceleration_residual(Dynamics& dynamics, const Instant& at, const Acceleration& a, int& worst) {
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  dynamics.system().acceleration(at, w);
  if (shape.s_a > 0) dynamics.system().nonlinear_rows(at, a.vdot.data(), a.lambda.data(), w);
  const RowSelection rows(shape, dynamics.active_rows());
  Vector rates(rows.size()), gamma(rows.size()), squares(rows.size());
  rows.rates(w.terms.C, a.vdot, rates);
  rows.vector(w.terms.gamma, gamma);
  rows.squared_lengths(w.terms.C, squares);
  const double size_of_vdot = 1.0 + a.vdot.norm();
  double largest = 0.0;
  worst = -1;
  for (int i = 0; i < rows.size(); ++i) {
    const double size = std::sqrt(squares[i]) * size_of_vdot;
    const double value = std::abs(rates[i] - gamma[i]) / (size > 0.0 ? size : 1.0);
    if (!(value <= largest)) largest = value, worst = rows.rows()[i];
    if (std::isnan(value)) break;
  }
  return largest;
}

}  // namespace maggi
