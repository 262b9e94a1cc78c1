#pragma once

#include "base/decompositions.hpp"
#include "maggi/expert/formulation.hpp"

namespace maggi {

/// The balance projected on the admissible motions, beside the constraints. [BlajerBestleSchiehlen1994 (5),(6)]
///
///     [ DᵀM ] v̇ = [ Dᵀh ]        n × n, regular if DᵀMD > 0 and C has full rank
///     [  C  ]      [  γ  ]
class Minimal final : public Formulation {
 public:
  Minimal(int n, std::unique_ptr<Basis> basis);
  std::string_view name() const override { return "minimal"; }
  const Basis* basis() const override { return basis_.get(); }
  bool solve(const Equations& equations, Vector& vdot, Vector& lambda) override;

 private:
  std::unique_ptr<Basis> basis_;
  Matrix K_;
  Vector right_, r_;
  Eigen::PartialPivLU<Matrix> lu_;
};

}  // namespace maggi
