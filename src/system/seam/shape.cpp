#include "maggi/expert/shape.hpp"

#include <array>
#include <cassert>

namespace maggi {

Shape::Shape() = default;
Shape::Shape(const Shape&) = default;
Shape::Shape(Shape&&) noexcept = default;
Shape& Shape::operator=(const Shape&) = default;
Shape& Shape::operator=(Shape&&) noexcept = default;
Shape::~Shape() = default;

const RowKindFacts& facts_of(RowKind kind) {
  static constexpr std::array<RowKindFacts, row_kinds> all{{
      // in the order of RowKind
      {.name = "ideal", .has_multiplier = true, .of_model = true},
      {.name = "with law", .has_multiplier = true, .of_model = true},
      {.name = "servo", .has_multiplier = false, .of_model = true, .no_lambda = "kept by controls"},
      {.name = "sticking", .has_multiplier = true, .of_model = false, .no_lambda = "sticks"},
  }};
  return all[static_cast<std::size_t>(kind)];
}

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
    if (rows[i].of_model()) result.push_back(i);
  return result;
}

}  // namespace maggi
