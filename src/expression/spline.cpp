#include "maggi/expert/spline.hpp"

#include <array>

namespace maggi::expression {

namespace {

/// y'' in the points, zero in the first and the last: h_{i−1} y''_{i−1} + 2 (h_{i−1} + h_i) y''_i + h_i y''_{i+1} = 6
/// (s_i − s_{i−1}) with the widths h and the slopes s of the pieces, solved by elimination without pivoting: the
/// diagonal rules.
std::vector<double> curvatures(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<double> diagonal(n, 1.0), right(n, 0.0), result(n, 0.0);
  const auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  const auto slope = [&](std::size_t i) { return (y[i + 1] - y[i]) / h(i); };
  for (std::size_t i = 1; i + 1 < n; ++i) {
    diagonal[i] = 2.0 * (h(i - 1) + h(i));
    right[i] = 6.0 * (slope(i) - slope(i - 1));
    if (i == 1) continue;
    const double factor = h(i - 1) / diagonal[i - 1];
    diagonal[i] -= factor * h(i - 1);
    right[i] -= factor * right[i - 1];
  }
  for (std::size_t i = n - 2; i > 0; --i) result[i] = (right[i] - h(i) * result[i + 1]) / diagonal[i];
  return result;
}

}  // namespace

Id spline(Graph& graph, const Table& table, Id x) {
  const std::vector<double>&X = table.x, &Y = table.y, curvature = curvatures(X, Y);
  const std::size_t n = X.size();
  // x_i, a_i, b_i, c_i, d_i of the pieces; before the first and behind the last a straight line
  std::vector<std::array<double, 5>> pieces;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double h = X[i + 1] - X[i], slope = (Y[i + 1] - Y[i]) / h;
    pieces.push_back({X[i], Y[i], slope - h * (2.0 * curvature[i] + curvature[i + 1]) / 6.0, curvature[i] / 2.0,
                      (curvature[i + 1] - curvature[i]) / (6.0 * h)});
  }
  const double h = X[n - 1] - X[n - 2], slope = (Y[n - 1] - Y[n - 2]) / h;
  pieces.push_back({X[n - 1], Y[n - 1], slope + h * curvature[n - 2] / 6.0, 0.0, 0.0});
  const std::array<double, 5> before{X[0], Y[0], pieces[0][2], 0.0, 0.0};

  std::array<Id, 5> chosen{};
  for (int k = 0; k < 5; ++k) chosen[k] = graph.constant(before[k]);
  for (const std::array<double, 5>& piece : pieces) {
    const Id begun = graph.binary(Op::less_equal, graph.constant(piece[0]), x);
    for (int k = 0; k < 5; ++k) chosen[k] = graph.select(begun, graph.constant(piece[k]), chosen[k]);
  }
  const Id u = graph.subtract(x, chosen[0]);
  Id result = chosen[4];
  for (int k = 3; k > 0; --k) result = graph.add(chosen[k], graph.multiply(u, result));
  return result;
}

}  // namespace maggi::expression
