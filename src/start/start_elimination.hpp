#pragma once
#include <vector>

#include "base/decompositions.hpp"
#include "maggi/expert/linear.hpp"

namespace maggi::integration {

/// The linearised conditions without the unknowns that follow, here y:
///
///     J_x δx + J_y δy = −r,   J_y = [Q₁ Q₂] [R; 0]   ⟹   Q₂ᵀJ_x δx = −Q₂ᵀr,   δy = −J_y⁺(r + J_x δx)      (1)
///
/// Rows and columns of J_y are scaled first, so that the rank does not depend on units. Without y nothing changes.
class Elimination {
 public:
  Elimination(std::vector<int> leaders, std::vector<int> followers)
      : leaders_(std::move(leaders)), followers_(std::move(followers)) {}

  void compute(const Matrix& J, const Vector& r);

  const Matrix& J() const { return reduced_J_; }  ///< Q₂ᵀJ_x: a column for every leader
  const Vector& r() const { return reduced_r_; }  ///< Q₂ᵀr

  /// δy of least norm for a change of all leaders.
  Vector follow(const Vector& delta) const;

  const std::vector<int>& leaders() const { return leaders_; }
  const std::vector<int>& followers() const { return followers_; }

 private:
  std::vector<int> leaders_, followers_;
  Matrix J_x_, reduced_J_;  // J_x with its rows scaled
  Vector r_, reduced_r_, column_scale_;
  Eigen::CompleteOrthogonalDecomposition<Matrix> qr_;
};

/// Scales a row or column of this length to length 1; one of zeros stays as it is.
inline double scale_of_length(double norm) { return norm > 0.0 ? 1.0 / norm : 1.0; }

}  // namespace maggi::integration
