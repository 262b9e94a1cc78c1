#pragma once
#include "maggi/expert/system.hpp"

namespace maggi::integration {

/// q̇ = N(q) v at one instant, linearised.
class CoordinateRates {
 public:
  void compute(const System& system, const double* q, const double* v);

  const Matrix& N() const { return N_; }           ///< n_q × n
  const Matrix& inverse() const { return plus_; }  ///< N⁺, n × n_q: the columns of N are orthogonal
  const Matrix& by_q() const { return by_q_; }     ///< ∂(N v)/∂q; N is affine in q

 private:
  Matrix N_, plus_, by_q_;
  Vector unit_, at_zero_;
};

}  // namespace maggi::integration
