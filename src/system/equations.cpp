#include "maggi/system/equations.hpp"

#include <cassert>

namespace maggi {

RowSelection::RowSelection(const Shape& shape, std::vector<int> rows) : rows_(std::move(rows)) {
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

std::vector<int> rows_of_levels(const Shape& shape, int levels) {
  const int count = levels == 1 ? shape.s_p : levels == 2 ? shape.s_p + shape.s_v : shape.m();
  std::vector<int> rows = shape.constraints();
  std::erase_if(rows, [count](int i) { return i >= count; });
  return rows;
}

}  // namespace maggi
