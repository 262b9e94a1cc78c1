#include "integration/form/coordinate_rates.hpp"

namespace maggi::integration {

void CoordinateRates::compute(const System& system, const double* q, const double* v) {
  const int nq = system.shape().nq(), n = system.shape().n();
  by_q_.setZero(nq, nq);
  if (system.shape().identity_rates) {
    N_.setIdentity(n, n);
    plus_.setIdentity(n, n);
    return;
  }
  N_.resize(nq, n);
  plus_.resize(n, nq);
  unit_.setZero(n);
  for (int j = 0; j < n; ++j) {
    unit_[j] = 1.0;
    system.coordinate_rates(q, unit_.data(), N_.col(j).data());
    unit_[j] = 0.0;
    plus_.row(j) = N_.col(j).transpose() / N_.col(j).squaredNorm();
  }
  unit_.setZero(nq);
  at_zero_.resize(nq);
  system.coordinate_rates(unit_.data(), v, at_zero_.data());
  for (int i = 0; i < nq; ++i) {
    unit_[i] = 1.0;
    system.coordinate_rates(unit_.data(), v, by_q_.col(i).data());
    by_q_.col(i) -= at_zero_;
    unit_[i] = 0.0;
  }
}

}  // namespace maggi::integration
