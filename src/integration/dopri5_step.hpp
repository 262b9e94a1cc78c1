#pragma once
#include <vector>

#include "integration/form.hpp"

namespace maggi::integration {

/// One step of the pair of Dormand and Prince, orders 5 and 4, seven stages of which the last is the first of the next
/// step, with a continuous extension of order 4. [DormandPrince1980; HairerNorsettWanner1993, II.5, II.6]
///
/// The caller sets y() and k1() = ẏ(t, y) and advances with advance(); all memory is allocated at construction.
class Dopri5Step {
 public:
  explicit Dopri5Step(int size);

  int size() const { return size_; }
  double* y() { return y_; }
  const double* y() const { return y_; }
  double* k1() { return k_[0]; }
  const double* y_new() const { return y_new_; }
  double* y_kept() { return y_kept_; }  ///< where the caller keeps y_new on the constraints
  double* k_kept() { return k_kept_; }  ///< and evaluates ẏ there, the k1 of the next step

  /// All stages of a step of size h from t; false if the right side fails.
  bool compute(Form& form, double t, double h);

  /// Root mean square of the error estimate over atol + rtol max(|y|, |y_new|).
  double error(double atol, double rtol) const;
  /// The entry with the largest part in error().
  int largest_error(double atol, double rtol) const;

  /// Makes the continuous extension of the step; interpolate() may then be called for times within.
  void prepare_interpolation();
  void interpolate(double t, double* y) const;

  /// y ← y_kept, k1 ← k_kept.
  void advance();
  /// k_kept ← the last stage, which is ẏ at y_new: if y_new is kept as it is.
  void reuse_last_stage();

 private:
  double estimate(int i) const;

  int size_;
  std::vector<double> memory_;
  double *y_, *y_new_, *y_kept_, *k_kept_, *stage_;
  double* k_[7];
  double* r_[4];  // y(t + θh) = y + θ (r0 + (1−θ)(r1 + θ (r2 + (1−θ) r3)))
  double t_ = 0.0, h_ = 0.0;
};

}  // namespace maggi::integration
