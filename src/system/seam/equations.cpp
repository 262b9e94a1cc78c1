#include "maggi/expert/equations.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/largest.hpp"

namespace maggi {

RowSelection::RowSelection(const Shape& shape, std::vector<int> rows) : rows_(std::move(rows)), cols_(shape.n()) {
  std::vector<int> place(shape.m(), -1);
  for (int i = 0; i < size(); ++i) place[rows_[i]] = i;
  for (int k = 0; k < shape.C.size(); ++k)
    if (place[shape.C.row[k]] >= 0) entries_.push_back({k, place[shape.C.row[k]], shape.C.col[k]});
}

void RowSelection::matrix(const Vector& packed, Matrix& C) const {
  assert(C.rows() == size());
  C.setZero();
  for (const Entry& entry : entries_) C(entry.row, entry.col) = packed[entry.source];
}

void RowSelection::vector(const Vector& all, Vector& selected) const {
  assert(selected.size() == size());
  for (int i = 0; i < size(); ++i) selected[i] = all[rows_[i]];
}

void RowSelection::expand(const Vector& selected, Vector& all) const {
  all.setZero();
  for (int i = 0; i < size(); ++i) all[rows_[i]] = selected[i];
}

void RowSelection::squared_lengths(const Vector& packed, Vector& squares) const {
  squares.setZero();
  for (const Entry& entry : entries_) squares[entry.row] += packed[entry.source] * packed[entry.source];
}

double RowSelection::largest_sum(const Vector& packed, const Vector& x, const Vector& squares) const {
  double largest = 0.0, sum = 0.0;
  const bool own = x.size() == cols_;
  const double most = own ? 0.0 : maggi::largest(x);
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const Entry& entry = entries_[k];
    sum += std::abs(packed[entry.source]) * (own ? std::abs(x[entry.col]) : most);
    if (k + 1 < entries_.size() && entries_[k + 1].row == entry.row) continue;
    if (squares[entry.row] > 0.0) largest = std::max(largest, sum / std::sqrt(squares[entry.row]));
    sum = 0.0;
  }
  return largest;
}

void RowSelection::rates(const Vector& packed, const Eigen::Ref<const Vector>& v, Vector& result) const {
  result.setZero();
  for (const Entry& entry : entries_) result[entry.row] += packed[entry.source] * v[entry.col];
}

void RowSelection::reaction(const Vector& packed, const Vector& lambda, Vector& force) const {
  force.setZero();
  for (const Entry& entry : entries_) force[entry.col] += packed[entry.source] * lambda[entry.row];
}

double RowSelection::power(const Vector& packed, const Vector& lambda, const Eigen::Ref<const Vector>& v) const {
  double sum = 0.0;
  for (const Entry& entry : entries_) sum += packed[entry.source] * lambda[entry.row] * v[entry.col];
  return sum;
}

std::vector<int> rows_of_levels(const Shape& shape, int levels) {
  const int count = levels == 1 ? shape.s_p : levels == 2 ? shape.s_p + shape.s_v : shape.m();
  std::vector<int> rows = shape.constraints();
  std::erase_if(rows, [count](int i) { return i >= count; });
  return rows;
}

}  // namespace maggi
