#pragma once
#include <algorithm>
#include <vector>

#include "maggi/formulation/dynamics.hpp"

namespace maggi::integration {

/// The motion as a first-order system:  y = [q; v],  ẏ = [N(q) v; v̇(q,v,t)].
class RightSide {
 public:
  explicit RightSide(Dynamics& dynamics)
      : dynamics_(dynamics),
        nq_(dynamics.shape().nq()),
        n_(dynamics.shape().n()),
        identity_(dynamics.shape().identity_rates),
        failed_y_(static_cast<std::size_t>(size())) {}

  int nq() const { return nq_; }
  int n() const { return n_; }
  int size() const { return nq_ + n_; }
  Instant instant(double t, const double* y) const { return {t, y, y + nq_}; }

  /// false if there are no accelerations here; failure() is then this instant.
  bool operator()(double t, const double* y, double* ydot) {
    const double* v = y + nq_;
    if (!dynamics_.accelerate({t, y, v}, ydot + nq_)) return note_failure(t, y);
    if (identity_)
      std::copy(v, v + n_, ydot);
    else
      dynamics_.system().coordinate_rates(y, v, ydot);
    return true;
  }

  /// Where the equations could not be evaluated last, since forget_failure().
  bool failed() const { return failed_; }
  Instant failure() const { return instant(failed_t_, failed_y_.data()); }
  void forget_failure() { failed_ = false; }
  bool note_failure(double t, const double* y) {
    failed_t_ = t;
    std::copy(y, y + size(), failed_y_.data());
    failed_ = true;
    return false;
  }

 private:
  Dynamics& dynamics_;
  int nq_, n_;
  bool identity_, failed_ = false;
  double failed_t_ = 0.0;
  std::vector<double> failed_y_;
};

}  // namespace maggi::integration
