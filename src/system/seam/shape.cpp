#include "maggi/expert/shape.hpp"

#include <cassert>

namespace maggi {

Shape::Shape() = default;
Shape::Shape(const Shape&) = default;
Shape::Shape(Shape&&) noexcept = default;
Shape& Shape::operator=(const Shape&) = default;
Shape& Shape::operator=(Shape&&) noexcept = default;
Shape::~Shape() = default;

void Pattern::scatter(const Vector& values, Matrix& dense) const {
  assert(values.size() == size() && dense.rows() == rows && dense.cols() == cols);
  dense.setZero();
  for (int k = 0; k < size(); ++k) {
    dense(row[k], col[k]) = values[k];
    if (symmetric) dense(col[k], row[k]) = values[k];
  }
}

std::vector<int> Shape::constraints() const {
  std::vector<int> result;
  for (int i = 0; i < m(); ++i)
    if (rows[i].kind != RowKind::sticking) result.push_back(i);
  return result;
}

}  // namespace maggi
