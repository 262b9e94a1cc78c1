#include "system/mechanism/rounding/crossing.hpp"

#include <limits>
#include <optional>

#include "base/decompositions.hpp"
#include "base/largest.hpp"

namespace maggi::mechanism {

namespace {

constexpr double full_turn = 6.4;      // [rad]: a motion of one degree of freedom that comes back does so within it
constexpr int most_turned = 16;        // velocities of blocks that are followed that far
constexpr int settling_steps = 20;         // of Gauss-Newton
constexpr double longest_settling = 0.3;  // step
constexpr double settled = 1e-13;      // step
constexpr double clear_value = 1e-3;   // σ at `rank`: what is 0 is far below it
constexpr int largest_fall = 3;        // of the rank
constexpr double difference = 1e-5;    // central differences of functions of size 1: 1e-10
constexpr double no_direction = 1e-6;  // singular values of (1) by the configuration: it does not act

/// The rows of (1) at a configuration, with the subspaces of another one close to it.
class CrossingRows {
 public:
  CrossingRows(const SingularValues& at, int rank)
      : U2_(at.U.rightCols(at.U.cols() - rank)), V2_(at.V.rightCols(at.V.cols() - rank)) {}

  template <class Space>
  Vector at(LoopBlock<Space>& block, const typename LoopBlock<Space>::Configuration& q) const {
    block.evaluate(q);
    const Matrix products = U2_.transpose() * block.C() * V2_;
    Vector rows(U2_.cols() + products.size());
    rows << U2_.transpose() * block.f(), products.reshaped();
    return rows;
  }
  template <class Space>
  Vector moved(LoopBlock<Space>& block, typename LoopBlock<Space>::Configuration q, const Vector& displacement) const {
    block.move(q, displacement);
    return at(block, q);
  }
  /// ∂rows/∂q V₂
  template <class Space>
  Matrix slopes(LoopBlock<Space>& block, const typename LoopBlock<Space>::Configuration& q) const {
    Matrix result(U2_.cols() * (1 + V2_.cols()), V2_.cols());
    for (Eigen::Index k = 0; k < V2_.cols(); ++k)
      result.col(k) = (moved(block, q, difference * V2_.col(k)) - moved(block, q, -difference * V2_.col(k))) / (2 * difference);
    return result;
  }
  const Matrix& V2() const { return V2_; }

 private:
  Matrix U2_, V2_;
};

/// From a way that ended close to a singular configuration; the fall of the rank is found by trial.
template <class Space>
std::optional<Crossing<Space>> crossing_near(LoopBlock<Space>& block,
                                             const typename LoopBlock<Space>::Configuration& end, int r,
                                             double tolerance) {
  for (int rank = r - 1; rank >= std::max(0, r - largest_fall); --rank) {
    Crossing<Space> crossing{end, rank};
    if (!within(settle(block, crossing), tolerance)) continue;
    block.evaluate(crossing.q);
    if (SingularValues(block.C()).of_rank(rank) > clear_value) return crossing;
  }
  return std::nullopt;
}

}  // namespace

template <class Space>
std::vector<Crossing<Space>> find_crossings(LoopBlock<Space>& block, const typename LoopBlock<Space>::Configuration& q,
                                            int r, double tolerance) {
  std::vector<Crossing<Space>> result;
  if (block.n() - r != 1) return result;
  block.evaluate(q);
  const Vector u = SingularValues(block.C()).V.col(r);
  for (const double sign : {1.0, -1.0}) {
    const Way<Space> way =
        follow(block, q, r, sign * u, longest_step, block.n() <= most_turned ? full_turn : reach);
    if (!way.singular) continue;
    if (auto crossing = crossing_near(block, way.passed.back(), r, tolerance)) result.push_back(std::move(*crossing));
  }
  return result;
}

template <class Space>
double settle(LoopBlock<Space>& block, Crossing<Space>& crossing) {
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

template <class Space>
void crossing_conditions(LoopBlock<Space>& block, const Crossing<Space>& crossing, const Vector& p, Matrix& A,
                         Vector& y) {
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

template std::vector<Crossing<Planar>> find_crossings(LoopBlock<Planar>&, const LoopBlock<Planar>::Configuration&, int,
                                                      double);
template std::vector<Crossing<Spatial>> find_crossings(LoopBlock<Spatial>&, const LoopBlock<Spatial>::Configuration&,
                                                       int, double);
template double settle(LoopBlock<Planar>&, Crossing<Planar>&);
template double settle(LoopBlock<Spatial>&, Crossing<Spatial>&);
template void crossing_conditions(LoopBlock<Planar>&, const Crossing<Planar>&, const Vector&, Matrix&, Vector&);
template void crossing_conditions(LoopBlock<Spatial>&, const Crossing<Spatial>&, const Vector&, Matrix&, Vector&);

}  // namespace maggi::mechanism
