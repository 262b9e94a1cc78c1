#pragma once
#include "maggi/expert/formulation.hpp"

namespace maggi {

/// Maggi's equations with any basis D of the admissible motions. [Blajer1993 (2.10)-(2.12), PennestriValentini2007
/// (15)]
///
///     v̇ = D y + d₀,   C d₀ = γ,   (DᵀMD) y = Dᵀ(h − M d₀)
///
/// D is used algebraically: it needs neither a derivative nor continuity. M may be singular if DᵀMD > 0.
class Maggi : public Formulation {
 public:
  Maggi(int n, std::unique_ptr<Basis> basis);
  std::string_view name() const override { return "maggi"; }
  const Basis* basis() const override { return basis_.get(); }
  bool solve(const Equations& equations, Vector& vdot, Vector& lambda) final;

 protected:
  /// d₀ for the basis just computed; false if there is none, why() says the reason.
  virtual bool find_d0(const Equations& equations, Vector& d0);

  std::unique_ptr<Basis> basis_;

 private:
  Matrix MD_, projected_;  // n × k, k × k in the leading columns
  Vector d0_, y_, rest_;
};

}  // namespace maggi
