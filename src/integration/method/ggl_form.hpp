#pragma once
#include <vector>

#include "dynamics/dynamics.hpp"

namespace maggi::integration {

/// The equations of motion as an implicit system of index 2, stabilised after Gear, Gupta and Leimkuhler: position
/// constraints are kept at position and at velocity level, for the price of one more multiplier each.
/// [GearLeimkuhlerGupta1985; HairerWanner1996, VII.2]
///
///     y = [q; v; λ; μ]        q̇ = N (v − C_pᵀ μ)              μ = 0 in the exact solution                   (1)
///                             M v̇ = h + Cᵀλ                                                                 (2)
///                             φ = 0    f_q N v + f_t and φ, velocity level of position and velocity rows    (3)
///                             ψ = 0    acceleration rows                                                    (4)
///                             f = 0    position rows                                                        (5)
///
/// Only the rows take part that the dynamics found independent; its formulation is not used.
class GglForm {
 public:
  explicit GglForm(Dynamics& dynamics);

  int size() const { return nq_ + n_ + m_ + m_p_; }

  /// y and ẏ from a consistent state [q; v]; false if there are no accelerations.
  bool begin(double t, const double* state, double* y, double* ydot);
  /// Left minus right sides of (1) … (5); false if something is not finite.
  bool residual(double t, const double* y, const double* ydot, double* r);

 private:
  Dynamics& dynamics_;
  const Shape& shape_;
  RowSelection rows_;
  int nq_, n_, m_, m_p_ = 0, m_pv_ = 0;  // rows selected: all, position, position and velocity level
  bool nonlinear_ = false;
  Matrix M_, C_;
  Vector vdot_, lambda_, lambda_all_, mu_, speed_, balance_, psi_;
};

}  // namespace maggi::integration
