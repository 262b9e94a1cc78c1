#pragma once
#include <complex>
#include <limits>

#include "base/decompositions.hpp"
#include "integration/method/one_step.hpp"

namespace maggi::integration {

/// One step of Radau IIA of order 5: collocation at three points, the last at the end, stable however stiff the motion
/// is. [HairerWanner1996, IV.5, IV.8]
///
///     Z = h (A ⊗ I) F(Z),   F_i = ẏ(t + c_i h, y + Z_i),   y_new = y + Z₃                                        (1)
///
/// by Newton's method with one J = ∂ẏ/∂y for all stages. With T⁻¹A⁻¹T = Λ = diag(γ, [α β; −β α]) and Z = T W, (1)
/// falls apart into a real system and a complex one, of W₂ + iW₃ with α − iβ, each of the size of y:
///
///     (Λ/h − J) ΔW = T⁻¹F − Λ W / h                                                                            (2)
///
/// J is that of the form, exact where it has one. It is kept as long as (2) converges well, its factors as long as h
/// stays the same. The error is that of an embedded formula of order 3 with the rate at the begin, in which the real
/// factor damps what is stiff:
///
///     error = (γ/h − J)⁻¹ (ẏ(t, y) + Σ e_i Z_i / h)                                                             (3)
///
/// In between: the polynomial of degree 3 through y and the stages, which also predicts the stages of the next step.
class Radau5 final : public OneStep {
 public:
  Radau5(int size, Tolerance tolerance);

  const StepRule& rule() const override;
  bool compute(Form& form, double t, double h) override;
  double error() const override { return error_; }
  double error(int i) const override { return std::abs(estimate_[i]) / scale(i); }
  void interpolate(Form& form, double t, double* y) override;
  double stretch() const override { return spread_ * h_; }
  void forget() override;

 private:
  bool find_jacobian(Form& form);
  void find_spread();
  void factorise();
  void predict();
  bool iterate(Form& form);
  bool estimate_error(Form& form);
  double norm(const Matrix& x) const;

  Matrix J_;
  double of_J_ = std::numeric_limits<double>::quiet_NaN();  // the time that J is of
  bool wanted_ = true;                                      // another J
  double spread_ = 0.0;                                     // largest |λ| of J
  double factored_ = 0.0;                                   // the h of the factors
  Matrix Z_, F_, W_, R_;                                    // size × 3
  Matrix before_;                                           // Z of the last step
  double before_h_ = std::numeric_limits<double>::quiet_NaN();
  bool again_ = false;  // the step is tried again
  double error_ = 0.0;
  Matrix shifted_;
  Eigen::MatrixXcd shifted_pair_;
  Eigen::PartialPivLU<Matrix> real_;
  Eigen::PartialPivLU<Eigen::MatrixXcd> pair_;
  Vector part_;
  Eigen::VectorXcd part_pair_, right_pair_;
  Vector estimate_, stage_, direction_, image_;
};

}  // namespace maggi::integration
