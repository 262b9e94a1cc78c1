#include "analysis/minor.hpp"

#include <unordered_map>

namespace maggi::analysis {

namespace {

using expression::Graph;
using expression::Id;

class Expansion {
 public:
  Expansion(Graph& graph, const SymbolicMatrix& matrix) : graph_(graph), matrix_(matrix) {}

  /// Of the rows from `row` on and the columns in `left`, a set of bits; there are as many.
  Id minor(std::size_t row, unsigned left) {
    if (row == matrix_.size()) return graph_.constant(1.0);
    if (const auto found = known_.find(left); found != known_.end()) return found->second;
    Id sum = graph_.constant(0.0);
    bool negative = false;
    for (std::size_t j = 0; j < matrix_.size(); ++j) {
      if ((left >> j & 1u) == 0) continue;
      if (const Id entry = matrix_[row][j]; !graph_.is_zero(entry)) {
        const Id term = graph_.multiply(entry, minor(row + 1, left & ~(1u << j)));
        sum = negative ? graph_.subtract(sum, term) : graph_.add(sum, term);
      }
      negative = !negative;
    }
    return known_[left] = sum;
  }

 private:
  Graph& graph_;
  const SymbolicMatrix& matrix_;
  std::unordered_map<unsigned, Id> known_;
};

}  // namespace

Id determinant(Graph& graph, const SymbolicMatrix& matrix) {
  return Expansion(graph, matrix).minor(0, (1u << matrix.size()) - 1);
}

}  // namespace maggi::analysis
