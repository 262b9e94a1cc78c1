#include "system/mechanism/rounding/crossing.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "system/mechanism/rounding/formula_block.hpp"

namespace maggi::mechanism {

namespace {

constexpr double full_turn = 6.4;         // [rad]: a motion of one degree of freedom that comes back does so within it
constexpr int most_turned = 16;           // velocities of blocks that are followed that far
constexpr int settling_steps = 20;        // of Gauss-Newton
constexpr double longest_settling = 0.3;  // step
constexpr double settled = 1e-13;         // step
constexpr double clear_value = 1e-3;      // σ at `rank`: what is 0 is far below it
constexpr int largest_fall = 3;           // of the rank
constexpr double difference = 1e-5;       // central differences of functions of size 1: 1e-10
constexpr double no_direction = 1e-6;     // singular values of (1) by the configuration: it does not act

/// The rows of (1) at a configuration, with the subspaces of another one close to it.
class CrossingRows {
 public:
  CrossingRows(const SingularValues& at, int rank)
      : U2_(at.U.rightCols(at.U.cols() - rank)), V2_(at.V.rightCols(at.V.cols() - rank)) {}

  template <class Block>
  Vector at(Block& block, const typename Block::Configuration& q) const {
    block.evaluate(q);
    const Matrix products = U2_.transpose() * block.C() * V2_;
    Vector rows(U2_.cols() + products.size());
    rows << U2_.transpose() * block.f(), products.reshaped();
    return rows;
  }
  template <class Block>
  Vector moved(Block& block, typename Block::Configuration q, const Vector& displacement) const {
    block.move(q, displacement);
    return at(block, q);
  }
  /// ∂rows/∂q V₂
  template <class Block>
  Matrix slopes(Block& block, const typename Block::Configuration& q) const {
    Matrix result(U2_.cols() * (1 + V2_.cols()), V2_.cols());
    for (Eigen::Index k = 0; k < V2_.cols(); ++k)
      result.col(k) =
          (moved(block, q, difference * V2_.col(k)) - moved(block, q, -difference * V2_.col(k))) / (2 * difference);
    return result;
  }
  const Matrix& V2() const { return V2_; }

 private:
  Matrix U2_, V2_;
};

/// From a way that came close to a singular configuration; the fall of the rank is found by trial, the largest first:
/// errors of the data may split one configuration into several of higher rank.
template <class Block>
std::optional<Crossing<Block>> crossing_near(Block& block, const typename Block::Configuration& end, int r,
                                             double tolerance) {
  for (int rank = std::max(0, r - largest_fall); rank < r; ++rank) {
    Crossing<Block> crossing{end, rank};
    if (!within(settle(block, crossing), tolerance)) continue;
    block.evaluate(crossing.q);
    if (SingularValues(block.C()).of_rank(rank) > clear_value) return crossing;
  }
  return std::nullopt;
}

/// Where σ_r is smaller than before and after: steps may pass over a singular configuration.
std::vector<std::size_t> dips(const std::vector<double>& sigma) {
  constexpr double low = 0.5;  // of σ_r at the beginning
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < sigma.size(); ++k)
    if (sigma[k] < low && (k == 0 || sigma[k] < sigma[k - 1]) && (k + 1 == sigma.size() || sigma[k] <= sigma[k + 1]))
      result.push_back(k);
  return result;
}

/// Angles may differ by full turns: a motion that comes back passes its crossings from both sides.
template <class Block>
bool is_new(const Crossing<Block>& crossing, const std::vector<Crossing<Block>>& known) {
  constexpr double same = 1e-3;
  for (const Crossing<Block>& other : known) {
    Largest apart;
    for (std::size_t i = 0; i < crossing.q.size(); ++i)
      apart.note(std::remainder(crossing.q[i] - other.q[i], 2.0 * std::numbers::pi));
    if (apart.value() < same) return false;
  }
  return true;
}

}  // namespace

template <class Block>
std::vector<Crossing<Block>> find_crossings(Block& block, const typename Block::Configuration& q, int r,
                                            double tolerance) {
  std::vector<Crossing<Block>> result;
  if (block.n() - r != 1) return result;
  block.evaluate(q);
  const Vector u = SingularValues(block.C()).V.col(r);
  for (const double sign : {1.0, -1.0}) {
    const bool all_round = block.n() <= most_turned;
    const Way<Block> way = follow(block, q, r, sign * u, longest_step, all_round ? full_turn : reach, all_round);
    for (const std::size_t place : dips(way.sigma))
      if (auto crossing = crossing_near(block, way.passed[place], r, tolerance); crossing && is_new(*crossing, result))
        result.push_back(std::move(*crossing));
  }
  return result;
}

template <class Block>
double settle(Block& block, Crossing<Block>& crossing) {
  double left = std::numeric_limits<double>::infinity();
  for (int k = 0; k < settling_steps; ++k) {
    block.evaluate(crossing.q);
    const SingularValues at(block.C());
    Vector displacement = -at.correction(crossing.rank, block.f());
    const CrossingRows rows(at, crossing.rank);
    const Vector e = rows.moved(block, crossing.q, displacement);
    const Matrix slopes = rows.slopes(block, crossing.q);
    displacement -= rows.V2() * slopes.completeOrthogonalDecomposition().solve(e);
    const double size = largest(displacement);
    if (!(size < std::numeric_limits<double>::infinity())) return size;
    if (size > longest_settling) displacement *= longest_settling / size;
    block.move(crossing.q, displacement);
    block.evaluate(crossing.q);
    Largest worst;
    worst.note(block.f());
    worst.note(CrossingRows(SingularValues(block.C()), crossing.rank).at(block, crossing.q));
    left = worst.value();
    if (size < settled) break;
  }
  return left;
}

template <class Block>
void crossing_conditions(Block& block, const Crossing<Block>& crossing, const Vector& p, Matrix& A, Vector& y) {
  block.evaluate(crossing.q);
  const SingularValues at(block.C());
  const CrossingRows rows(at, crossing.rank);
  const Matrix F = block.f_by_changes();
  const Vector e = rows.at(block, crossing.q);
  const Matrix slopes = rows.slopes(block, crossing.q);
  Matrix by_changes = Matrix::Zero(e.size(), block.changes());
  for (int joint = 0; joint < static_cast<int>(block.joints().size()); ++joint) {
    if (block.held(joint)) continue;
    const auto& part = block.part(joint);
    for (int c = part.first; c < part.first + part.count(); ++c) {
      const auto changed = [&](double step) {  // the configuration follows, so that the other rows are met
        block.change(p + step * Vector::Unit(p.size(), c));
        return rows.moved(block, crossing.q, -step * at.correction(crossing.rank, F.col(c)));
      };
      by_changes.col(c) = (changed(difference) - changed(-difference)) / (2 * difference);
    }
  }
  block.change(p);
  const Eigen::JacobiSVD<Matrix> svd(slopes, Eigen::ComputeFullU);
  const int acting = static_cast<int>((svd.singularValues().array() > no_direction).count());
  const Matrix free = svd.matrixU().rightCols(e.size() - acting);
  A = free.transpose() * by_changes;
  y = -free.transpose() * e;
}

template std::vector<Crossing<LoopBlock<Planar>>> find_crossings(LoopBlock<Planar>&,
                                                                 const LoopBlock<Planar>::Configuration&, int, double);
template std::vector<Crossing<LoopBlock<Spatial>>> find_crossings(LoopBlock<Spatial>&,
                                                                  const LoopBlock<Spatial>::Configuration&, int,
                                                                  double);
template double settle(LoopBlock<Planar>&, Crossing<LoopBlock<Planar>>&);
template double settle(LoopBlock<Spatial>&, Crossing<LoopBlock<Spatial>>&);
template void crossing_conditions(LoopBlock<Planar>&, const Crossing<LoopBlock<Planar>>&, const Vector&, Matrix&,
                                  Vector&);
template void crossing_conditions(LoopBlock<Spatial>&, const Crossing<LoopBlock<Spatial>>&, const Vector&, Matrix&,
                                  Vector&);
template std::vector<Crossing<FormulaBlock>> find_crossings(FormulaBlock&, const FormulaBlock::Configuration&, int,
                                                            double);
template double settle(FormulaBlock&, Crossing<FormulaBlock>&);
template void crossing_conditions(FormulaBlock&, const Crossing<FormulaBlock>&, const Vector&, Matrix&, Vector&);

}  // namespace maggi::mechanism
