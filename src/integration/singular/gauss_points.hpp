#pragma once
#include <vector>

#include "maggi/expert/linear.hpp"

namespace maggi::integration {

/// Collocation at Gauss's points c_j of [0, 1]: the polynomial of degree s − 1 through s rates k_j, and its integral.
/// [HairerNorsettWanner1993, II.7]
///
///     ẏ(t₀ + θH) = Σ_j ℓ_j(θ) k_j        y(t₀ + θH) = y(t₀) + H Σ_j a_j(θ) k_j,   a_j = ∫₀^θ ℓ_j
///
/// With an even number of points none lies in the middle. At θ = 1 the error is O(H^(2s+1)).
class GaussPoints {
 public:
  explicit GaussPoints(int count);

  int size() const { return static_cast<int>(xi_.size()); }
  double operator[](int j) const { return (1.0 + xi_[j]) / 2; }  ///< c_j, in increasing order

  Vector values(double theta) const;     ///< ℓ_j(θ)
  Vector integrals(double theta) const;  ///< a_j(θ)
  Vector highest() const;                ///< of the part of degree s − 1: what is missing beyond it is smaller

 private:
  /// P_0 … P_count at ξ = 2θ − 1.
  static std::vector<double> legendre(int count, double xi);
  template <class Part>
  Vector combine(const Part& part) const;

  std::vector<double> xi_, weight_;  // on [−1, 1]; Σ weights = 1
};

}  // namespace maggi::integration
