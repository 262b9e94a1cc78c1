#pragma once
#include <algorithm>
#include <cmath>

namespace maggi::integration {

/// What the local error of a step is compared with.
struct Tolerance {
  double atol, rtol;

  double scale(double y) const { return atol + rtol * std::abs(y); }
  double scale(double y, double y_new) const { return atol + rtol * std::max(std::abs(y), std::abs(y_new)); }
};

/// How the step size of a method follows its error estimate.
struct StepRule {
  int order;                 ///< the estimate is of order h^order
  double beta;               ///< of the integral part; 0: proportional control
  double smallest, largest;  ///< h_new/h
  double worth = 1.0;        ///< growth by less than this is left: the method works cheaper with the step it had
};

/// Proportional-integral step size control. [HairerNorsettWanner1993, II.4; HairerWanner1996, IV.2]
///
///     h_new = h · 0.9 · err_n^(−α) · err_{n−1}^β,   α = 1/order − 3β/4
///
/// err is the norm of the estimate in units of the tolerance; a step is good if err ≤ 1.
class StepControl {
 public:
  explicit StepControl(const StepRule& rule) : rule_(rule), alpha_(1.0 / rule.order - 0.75 * rule.beta) {}

  /// The next step after one of size h with error err ≤ 1.
  double accepted(double h, double err) {
    double factor = safety * std::pow(err, -alpha_);
    if (rule_.beta > 0.0) factor *= std::pow(previous_, rule_.beta);
    factor = std::clamp(factor, rule_.smallest, rule_.largest);
    previous_ = std::max(err, 1e-4);
    if (after_rejection_) factor = std::min(factor, 1.0);
    after_rejection_ = false;
    return factor > 1.0 && factor < rule_.worth ? h : h * factor;
  }

  /// The step to try instead of one of size h with error err > 1.
  double rejected(double h, double err) {
    after_rejection_ = true;
    return h * std::max(rule_.smallest, safety * std::pow(err, -alpha_));
  }

  /// The step to try instead of one of size h along which the equations could not be evaluated.
  double failed(double h) {
    after_rejection_ = true;
    return h / 2.0;
  }

 private:
  static constexpr double safety = 0.9;
  StepRule rule_;
  double alpha_;
  double previous_ = 1e-4;
  bool after_rejection_ = false;
};

}  // namespace maggi::integration
