#pragma once
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "integration/form/form.hpp"
#include "integration/method/step_control.hpp"

namespace maggi::integration {

/// One step of a one-step method: from y(t), and its rate there, to y_new ≈ y(t + h), with an estimate of the error
/// and values in between. The loop around it is that of AdaptiveRun.
///
/// The caller sets y() and k1() = ẏ(t, y), writes to y_kept() what becomes of y_new() on the constraints and to
/// k_kept() the rate there, and goes on with advance(). Nothing is allocated after construction.
class OneStep {
 public:
  OneStep(int size, Tolerance tolerance, int vectors);
  virtual ~OneStep() = default;

  int size() const { return size_; }
  double* y() { return y_; }
  const double* y() const { return y_; }
  double* k1() { return k1_; }
  const double* y_new() const { return y_new_; }
  double* y_kept() { return y_kept_; }
  double* k_kept() { return k_kept_; }

  virtual const StepRule& rule() const = 0;

  /// A step of size h from t; false if the right side fails, or the stages are not found.
  virtual bool compute(Form& form, double t, double h) = 0;
  /// Of the last step, in units of the tolerance: a root mean square over atol + rtol max(|y|, |y_new|).
  virtual double error() const = 0;
  /// The part that one entry of y has in it.
  virtual double error(int i) const = 0;

  /// ẏ at y_new, if the method has evaluated it; otherwise none.
  virtual const double* rate_at_end() const { return nullptr; }

  /// y at a time within the step, when y_kept() and k_kept() are known. Not finite if the rates that it needs besides
  /// cannot be evaluated.
  virtual void interpolate(Form& form, double t, double* y) = 0;

  /// |λ|h of the fastest part of the motion, where the method sees it, and how large it may be for the method to be
  /// stable: where both are alike, stability holds the step back, not accuracy.
  virtual double stretch() const { return 0.0; }
  virtual double stable_stretch() const { return HUGE_VAL; }

  /// y is no longer what the last step led to.
  virtual void forget() {}

  /// y ← y_kept, k1 ← k_kept.
  void advance() {
    std::swap(y_, y_kept_);
    std::swap(k1_, k_kept_);
  }

 protected:
  double* take() { return std::exchange(next_, next_ + stride_); }  ///< one of the `vectors` of this method
  double scale(int i) const { return tolerance_.scale(y_[i], y_new_[i]); }

  Tolerance tolerance_;
  double t_ = std::numeric_limits<double>::quiet_NaN(), h_ = 0.0;  // of the last step

 private:
  int size_;
  std::size_t stride_;  // each vector begins on a cache line of its own
  std::vector<double> memory_;
  double* next_;

 protected:
  double *y_, *y_new_, *y_kept_, *k1_, *k_kept_;
};

}  // namespace maggi::integration
