#include "dynamics/multiplier_share.hpp"

#include "maggi/expert/bases.hpp"

namespace maggi {

MultiplierShare::MultiplierShare(const Shape& shape) : shape_(shape) {}

void MultiplierShare::divide(const RowSelection& rows, const Terms& terms, const Vector& reaction, Vector& lambda) {
  if (!basis_) basis_ = make_basis("qr", shape_.n(), shape_.m());
  equations_.C.resize(rows.size(), shape_.n());
  rows.matrix(terms.C, equations_.C);
  basis_->compute(equations_);
  share_.resize(rows.size());
  basis_->multipliers(reaction, share_);
  rows.expand(share_, lambda);
}

}  // namespace maggi
