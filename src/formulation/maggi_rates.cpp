#include "formulation/maggi_rates.hpp"

namespace maggi {

bool MaggiRates::find_d0(const Equations& equations, Vector& d0) {
  if (!basis_->rate(equations.rate, Ddot_)) return refuse("this basis has no time derivative");
  u_.resize(Ddot_.cols());
  basis_->tangent(equations.v, u_);
  const Vector turning = Ddot_ * u_;
  basis_->particular(equations.gamma - equations.C * turning, d0);
  d0 += turning;
  return true;
}

}  // namespace maggi
