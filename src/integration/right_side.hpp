#pragma once
#include <algorithm>

#include "maggi/formulation/dynamics.hpp"

namespace maggi::integration {

/// The motion as a first-order system:  y = [q; v],  ẏ = [N(q) v; v̇(q,v,t)].
class RightSide {
 public:
  explicit RightSide(Dynamics& dynamics)
      : dynamics_(dynamics),
        nq_(dynamics.shape().nq()),
        n_(dynamics.shape().n()),
        identity_(dynamics.shape().identity_rates) {}

  int nq() const { return nq_; }
  int n() const { return n_; }
  int size() const { return nq_ + n_; }
  Instant instant(double t, const double* y) const { return {t, y, y + nq_}; }

  /// false if there are no accelerations here; Dynamics::explain() says why.
  bool operator()(double t, const double* y, double* ydot) {
    const double* v = y + nq_;
    if (!dynamics_.accelerate({t, y, v}, ydot + nq_)) return false;
    if (identity_)
      std::copy(v, v + n_, ydot);
    else
      dynamics_.system().coordinate_rates(y, v, ydot);
    return true;
  }

 private:
  Dynamics& dynamics_;
  int nq_, n_;
  bool identity_;
};

}  // namespace maggi::integration
