#pragma once
#include <memory>

#include "maggi/expert/basis.hpp"
#include "maggi/expert/equations.hpp"

namespace maggi {

/// How redundant rows share their reaction r: the λ of least norm of all that give r = Cᵀλ.
class MultiplierShare {
 public:
  explicit MultiplierShare(const Shape& shape);

  /// λ of `rows`, the others of `lambda` are zero; C from the terms.
  void divide(const RowSelection& rows, const Terms& terms, const Vector& reaction, Vector& lambda);

 private:
  const Shape& shape_;
  std::unique_ptr<Basis> basis_;  // once it is needed
  Equations equations_;           // only C
  Vector share_;
};

}  // namespace maggi
