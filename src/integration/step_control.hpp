#pragma once
#include <algorithm>
#include <cmath>

namespace maggi::integration {

/// Proportional-integral step size control for an error estimate of order h⁵. [HairerNorsettWanner1993, II.4;
/// HairerWanner1996, IV.2]
///
///     h_new = h · 0.9 · err_n^(−α) · err_{n−1}^β,   β = 0.04,  α = 1/5 − 3β/4,   h_new/h between 0.2 and 10
///
/// err is the norm of the estimate in units of the tolerance; a step is good if err ≤ 1.
class StepControl {
 public:
  /// The next step after one of size h with error err ≤ 1.
  double accepted(double h, double err) {
    const double factor = std::clamp(safety * std::pow(err, -alpha) * std::pow(previous_, beta), smallest, largest);
    previous_ = std::max(err, 1e-4);
    const bool grow = !after_rejection_;
    after_rejection_ = false;
    return grow ? h * factor : h * std::min(factor, 1.0);
  }

  /// The step to try instead of one of size h with error err > 1.
  double rejected(double h, double err) {
    after_rejection_ = true;
    return h * std::max(smallest, safety * std::pow(err, -alpha));
  }

  /// The step to try instead of one of size h along which the equations could not be evaluated.
  double failed(double h) {
    after_rejection_ = true;
    return h / 2.0;
  }

 private:
  static constexpr double beta = 0.04, alpha = 0.2 - 0.75 * beta;
  static constexpr double safety = 0.9, smallest = 0.2, largest = 10.0;
  double previous_ = 1e-4;
  bool after_rejection_ = false;
};

}  // namespace maggi::integration
