#pragma once
#include "dynamics/linear_laws.hpp"
#include "maggi/expert/equations.hpp"
#include "maggi/mode.hpp"

namespace maggi {

/// law(λ₀ + Λ τ, τ) = 0, for forces in any range: what is left of the laws when the constraints are solved for λ. Keeps
/// its memory, because every step asks.
class ReducedLaws {
 public:
  ReducedLaws(const System& system, const Mode& mode, Workspace& workspace);

  /// λ₀ and Λ from the constraints without laws:  M v̇ = h + G λ + T τ,  C v̇ = γ.
  void reduce(const Equations& equations, const Vector& h, const Matrix& G, const Matrix& T,
              const std::vector<int>& rows);
  const Vector& lambda0() const { return lambda0_; }
  const Matrix& Lambda() const { return Lambda_; }

  void linearise(const Instant& at, const Vector& lambda, const Vector& tau);
  double determinant();                 ///< det(1 + K Λ), linearised
  double determinant(const Matrix& K);  ///< with another K
  const Matrix& K() const { return linear_.K(); }
  void solve(Vector& tau);  ///< (1 + K Λ) τ = τ_given − K λ₀, linearised
  void find_lambda(const Vector& tau, Vector& lambda) const;
  double residual() const { return residual_; }  ///< of the laws where they were linearised

 private:
  void factorise(const Matrix& K);

  const System& system_;
  const Mode& mode_;
  Workspace& workspace_;
  LinearLaws linear_;
  Matrix kkt_, right_, solution_;  // n + m; 1 + laws columns
  Eigen::PartialPivLU<Matrix> kkt_lu_;
  Vector lambda0_;  // m
  Matrix Lambda_;   // m × laws
  Matrix matrix_;   // 1 + K Λ
  Eigen::PartialPivLU<Matrix> lu_;
  Vector side_;
  double residual_ = 0.0;
};

}  // namespace maggi
