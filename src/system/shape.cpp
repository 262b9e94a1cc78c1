#include "maggi/system/shape.hpp"

#include <cassert>

namespace maggi {

void Pattern::scatter(const Vector& values, Matrix& dense) const {
  assert(values.size() == size() && dense.rows() == rows && dense.cols() == cols);
  dense.setZero();
  for (int k = 0; k < size(); ++k) {
    dense(row[k], col[k]) = values[k];
    if (symmetric) dense(col[k], row[k]) = values[k];
  }
}

}  // namespace maggi
