#include "integration/singular/gauss_points.hpp"

#include <cmath>
#include <numbers>

namespace maggi::integration {

GaussPoints::GaussPoints(int count) : xi_(count), weight_(count) {
  for (int j = 0; j < count; ++j) {
    double x = -std::cos(std::numbers::pi * (j + 0.75) / (count + 0.5)), slope = 1.0;
    for (int k = 0; k < 10; ++k) {  // Newton's method, from a guess that is good to 1e-3
      const std::vector<double> P = legendre(count, x);
      slope = count * (x * P[count] - P[count - 1]) / (x * x - 1.0);
      x -= P[count] / slope;
    }
    xi_[j] = x;
    weight_[j] = 1.0 / ((1.0 - x * x) * slope * slope);
  }
}

std::vector<double> GaussPoints::legendre(int count, double xi) {
  std::vector<double> P{1.0, xi};
  for (int k = 1; k < count; ++k) P.push_back(((2 * k + 1) * xi * P[k] - k * P[k - 1]) / (k + 1));
  return P;
}

/// ℓ_j = w_j Σ_k (2k+1) P_k(ξ_j) P_k; `part` stands for the last factor.
template <class Part>
Vector GaussPoints::combine(const Part& part) const {
  Vector result = Vector::Zero(size());
  for (int j = 0; j < size(); ++j) {
    const std::vector<double> P = legendre(size(), xi_[j]);
    for (int k = 0; k < size(); ++k) result[j] += weight_[j] * (2 * k + 1) * P[k] * part(k);
  }
  return result;
}

Vector GaussPoints::values(double theta) const {
  const std::vector<double> P = legendre(size(), 2 * theta - 1);
  return combine([&](int k) { return P[k]; });
}

Vector GaussPoints::integrals(double theta) const {
  const std::vector<double> P = legendre(size(), 2 * theta - 1);
  return combine([&](int k) { return k == 0 ? theta : (P[k + 1] - P[k - 1]) / (2 * (2 * k + 1)); });
}

Vector GaussPoints::highest() const {
  return combine([&](int k) { return k == size() - 1 ? 1.0 : 0.0; });
}

}  // namespace maggi::integration
