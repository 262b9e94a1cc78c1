#pragma once
#include <string>
#include <vector>

#include "maggi/expert/expression.hpp"

namespace maggi {

/// A matrix of formulas, row by row.
struct FormulaMatrix {
  int rows = 0, cols = 0;
  std::vector<expression::Id> entries{};

  expression::Id& operator()(int i, int j) { return entries[i * cols + j]; }
  expression::Id operator()(int i, int j) const { return entries[i * cols + j]; }
  static FormulaMatrix zero(expression::Graph& graph, int rows, int cols);
};

/// Sets of rows and columns that no entry connects, so that the matrix is block diagonal after a permutation.
struct Block {
  std::vector<int> rows, cols;
};
std::vector<Block> blocks_of(const expression::Graph& graph, const FormulaMatrix& A);

/// The largest block that Cramer's rule writes down: 4! products a determinant are read, 5! are not.
inline constexpr int largest_block = 4;

expression::Id determinant(expression::Graph& graph, const FormulaMatrix& A);

/// X with A X = B by Cramer's rule, block by block: x_j = det(A with column j replaced by b) / det A.
/// false if a block is not square or larger than `largest_block`: then `why` says which.
bool solve_by_cramer(expression::Graph& graph, const FormulaMatrix& A, const FormulaMatrix& B, FormulaMatrix& X,
                     std::string& why);

}  // namespace maggi
