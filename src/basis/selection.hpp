#pragma once
#include <vector>

#include "maggi/expert/linear.hpp"

namespace maggi {

/// The rows of a matrix that the others follow from, by QR with pivoting on rows of unit length; both lists increasing.
struct RowChoice {
  std::vector<int> independent, dependent;
};
RowChoice choose_rows(const Matrix& C);

}  // namespace maggi
