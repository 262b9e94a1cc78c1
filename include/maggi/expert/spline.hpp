#pragma once
#include <memory>
#include <string>
#include <vector>

#include "maggi/expert/expression.hpp"

namespace maggi::expression {

/// Points that a smooth curve passes through; x increases. Or the reason why they could not be read.
struct Table {
  std::vector<double> x, y;
  std::string problem{}, help{};
};

/// The natural cubic spline of the table at `x`: two continuous derivatives, straight on before the first and behind
/// the last point. In the piece that begins at x_i, with u = x − x_i,
///
///     y = a_i + u (b_i + u (c_i + u d_i))
///
/// The coefficients are picked by comparisons, so that the derivatives of the formula are those of the pieces.
Id spline(Graph& graph, const Table& table, Id x);

}  // namespace maggi::expression
