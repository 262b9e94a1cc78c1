#include "basis/cramer.hpp"

#include <fmt/format.h>

#include <numeric>

#include "expression/tidy.hpp"

namespace maggi {

using expression::Graph;
using expression::Id;

FormulaMatrix FormulaMatrix::zero(Graph& graph, int rows, int cols) {
  return {rows, cols, std::vector<Id>(static_cast<std::size_t>(rows) * cols, graph.constant(0.0))};
}

std::vector<Block> blocks_of(const Graph& graph, const FormulaMatrix& A) {
  std::vector<int> parent(A.rows + A.cols);  // rows, then columns; a set is named after one of its members
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.cols; ++j)
      if (!graph.is_zero(A(i, j))) parent[root(i)] = root(A.rows + j);
  std::vector<Block> blocks;
  std::vector<int> block_of(parent.size(), -1);
  for (int member = 0; member < A.rows + A.cols; ++member) {
    int& block = block_of[root(member)];
    if (block < 0) {
      block = static_cast<int>(blocks.size());
      blocks.emplace_back();
    }
    if (member < A.rows)
      blocks[block].rows.push_back(member);
    else
      blocks[block].cols.push_back(member - A.rows);
  }
  return blocks;
}

Id determinant(Graph& graph, const FormulaMatrix& A) {
  if (A.rows == 0) return graph.constant(1.0);
  Id sum = graph.constant(0.0);
  for (int j = 0; j < A.cols; ++j) {  // along the first row
    if (graph.is_zero(A(0, j))) continue;
    FormulaMatrix minor{A.rows - 1, A.cols - 1};
    for (int i = 1; i < A.rows; ++i)
      for (int k = 0; k < A.cols; ++k)
        if (k != j) minor.entries.push_back(A(i, k));
    const Id product = graph.multiply(A(0, j), determinant(graph, minor));
    sum = j % 2 == 0 ? graph.add(sum, product) : graph.subtract(sum, product);
  }
  return expression::tidy(graph, sum, expression::Fractions::cancel);
}

bool solve_by_cramer(Graph& graph, const FormulaMatrix& A, const FormulaMatrix& B, FormulaMatrix& X, std::string& why) {
  X = FormulaMatrix::zero(graph, A.cols, B.cols);
  for (const Block& block : blocks_of(graph, A)) {
    const auto size = static_cast<int>(block.rows.size());
    if (block.rows.size() != block.cols.size()) {
      why = "the equations for it are singular everywhere";
      return false;
    }
    if (size > largest_block) {
      why = fmt::format("{} equations hang together, and Cramer's rule is written out for {} at most", size,
                        largest_block);
      return false;
    }
    FormulaMatrix a{size, size};
    for (const int i : block.rows)
      for (const int j : block.cols) a.entries.push_back(A(i, j));
    const Id det = determinant(graph, a);
    for (int column = 0; column < B.cols; ++column)
      for (int j = 0; j < size; ++j) {
        FormulaMatrix replaced = a;
        for (int i = 0; i < size; ++i) replaced(i, j) = B(block.rows[i], column);
        X(block.cols[j], column) =
            expression::tidy(graph, graph.divide(determinant(graph, replaced), det), expression::Fractions::cancel);
      }
  }
  return true;
}

}  // namespace maggi
