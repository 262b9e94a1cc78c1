#include "system/mechanism/rounding/branches.hpp"

#include <cmath>
#include <numbers>

#include "base/largest.hpp"
#include "system/mechanism/rounding/formula_block.hpp"

namespace maggi::mechanism {

namespace {

constexpr double start_distance = 0.2, nearest = 0.06, farthest = 0.6;
constexpr double same_direction = 0.97;  // cosine
constexpr int closing_steps = 40;

/// Directions on half of the unit sphere of `dimension` axes, the same in every run.
std::vector<Vector> half_sphere(int dimension) {
  std::vector<Vector> result;
  if (dimension == 1) return {Vector::Ones(1)};
  if (dimension == 2) {
    for (int k = 0; k < 24; ++k) {
      const double angle = std::numbers::pi * k / 24;
      result.emplace_back(Eigen::Vector2d(std::cos(angle), std::sin(angle)));
    }
    return result;
  }
  for (int k = 0; k < 72; ++k) {
    Vector u(dimension);
    for (int j = 0; j < dimension; ++j) u[j] = std::sin(1.0 + 12.9898 * k + 78.233 * j + 0.618 * k * j);
    result.push_back(u.normalized());
  }
  return result;
}

/// Levenberg-Marquardt on all rows from q; moves `moved` with it. The damping falls with the square of the misfit, so
/// that the iteration converges quadratically to sets of solutions, and stops at rounding.
template <class Block>
bool close_rows(Block& block, typename Block::Configuration& q, double tolerance, Vector& moved) {
  for (int k = 0; k < closing_steps; ++k) {
    block.evaluate(q);
    const double size = largest(block.f());
    if (size <= 0.3 * tolerance) return true;
    const SingularValues svd(block.C());
    const double mu = 0.09 * size * size + tolerance * tolerance;
    const auto r = std::min(block.m(), block.n());
    const Vector sigma = svd.sigma.head(r);
    const Vector step = svd.V.leftCols(r) * (svd.U.leftCols(r).transpose() * block.f())
                                                .cwiseProduct(sigma)
                                                .cwiseQuotient((sigma.array().square() + mu).matrix());
    block.move(q, -step);
    moved -= step;
    if (!(largest(moved) < 2 * farthest)) return false;
  }
  return false;
}

}  // namespace

template <class Block>
std::vector<typename Block::Configuration> find_branches(Block& block, const typename Block::Configuration& q,
                                                         double small, double tolerance) {
  block.evaluate(q);
  const SingularValues at(block.C());
  const Matrix free = at.V.rightCols(block.n() - at.above(small));
  std::vector<typename Block::Configuration> result;
  std::vector<Vector> secants;
  for (const Vector& direction : half_sphere(static_cast<int>(free.cols())))
    for (const double sign : {1.0, -1.0}) {
      const Vector u = free * direction;
      Vector moved = sign * start_distance / largest(u) * u;
      auto tried = q;
      block.move(tried, moved);
      if (!close_rows(block, tried, tolerance, moved)) continue;
      if (const double distance = largest(moved); distance < nearest || distance > farthest) continue;
      moved.normalize();
      bool known = false;
      for (const Vector& secant : secants) known = known || std::abs(secant.dot(moved)) > same_direction;
      if (known) continue;
      secants.push_back(moved);
      result.push_back(tried);
    }
  return result;
}

template std::vector<LoopBlock<Planar>::Configuration> find_branches(LoopBlock<Planar>&,
                                                                     const LoopBlock<Planar>::Configuration&, double,
                                                                     double);
template std::vector<LoopBlock<Spatial>::Configuration> find_branches(LoopBlock<Spatial>&,
                                                                      const LoopBlock<Spatial>::Configuration&, double,
                                                                      double);
template std::vector<FormulaBlock::Configuration> find_branches(FormulaBlock&, const FormulaBlock::Configuration&,
                                                                double, double);

}  // namespace maggi::mechanism
