#pragma once
#include <vector>

#include "maggi/expert/expression.hpp"

namespace maggi::analysis {

/// Rows of expressions, all of one length.
using SymbolicMatrix = std::vector<std::vector<expression::Id>>;

/// Larger ones have more than 2^n parts; they are not formed.
constexpr std::size_t largest_minor = 14;

/// The determinant of a square matrix by expansion along its rows; each minor of the lower rows is formed once.
expression::Id determinant(expression::Graph& graph, const SymbolicMatrix& matrix);

}  // namespace maggi::analysis
