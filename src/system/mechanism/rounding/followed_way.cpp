#include "system/mechanism/rounding/followed_way.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/largest.hpp"
#include "system/mechanism/rounding/formula_block.hpp"

namespace maggi::mechanism {

namespace {

constexpr double shortest_step = longest_step / 32;
constexpr int corrections = 4;
constexpr double converged = 1e-7;  // of the last correction; Newton's, so that what is left is its square
constexpr double enough = 0.1;      // a misfit that no rounding explains
constexpr double singular_part =
    0.1;  // of σ_r, after `singular_from`: the motion itself comes to a singular configuration
constexpr double singular_from = 0.3;
constexpr double over = 3.0;  // steps, from close to a singular configuration over it

/// Combinations of the free motions, the same in every run.
std::vector<Vector> directions(const Matrix& free) {
  const auto k = static_cast<int>(free.cols());
  std::vector<Vector> result;
  for (int i = 0; i < (k == 1 ? 1 : 3); ++i) {
    Vector along(k);
    for (int j = 0; j < k; ++j) along[j] = k == 1 ? 1.0 : std::cos(1.0 + 2.4 * i + 3.7 * j + 1.3 * i * j);
    const Vector u = free * along;
    result.push_back(u);
    result.push_back(-u);
  }
  return result;
}

}  // namespace

template <class Block>
Way<Block> follow(Block& block, typename Block::Configuration q, int r, const Vector& u, double step, double length,
                  bool through) {
  Way<Block> way;
  block.evaluate(q);
  const double first = SingularValues(block.C()).of_rank(r);
  Vector t = u / largest(u);
  Largest worst;
  double h = step;
  for (double way_length = 0.0; way_length < length;) {
    auto tried = q;
    Vector moved = h * t;
    block.move(tried, moved);
    double last = 0.0;
    for (int k = 0; k < corrections; ++k) {
      block.evaluate(tried);
      const Vector correction = SingularValues(block.C()).correction(r, block.f());
      block.move(tried, -correction);
      moved -= correction;
      last = largest(correction);
      if (!(last < 1.0)) break;
    }
    const double distance = largest(moved);
    if (!(last <= converged) || distance < h / 2 || distance > 2 * h) {
      h /= 2;
      if (h < shortest_step) return way.misfit = std::numeric_limits<double>::infinity(), way;
      continue;
    }
    q = tried;
    way_length += distance;
    h = std::min(step, 2 * h);
    block.evaluate(q);
    way.passed.push_back(q);
    worst.note(block.f());
    way.misfit = worst.value();
    if (way.misfit > enough) return way;
    const SingularValues now(block.C());
    way.sigma.push_back(now.of_rank(r) / first);
    way.singular = way.sigma.back() < singular_part && way_length > singular_from;
    if (way.singular && !through) return way;
    if (way.singular) {
      t = moved / largest(moved);
      h = over * step;
      continue;
    }
    const Matrix free = now.V.rightCols(block.n() - r);
    t = free * (free.transpose() * moved);
    t /= largest(t);
  }
  return way;
}

template <class Block>
std::vector<Way<Block>> follow_all(Block& block, const typename Block::Configuration& q, int r) {
  block.evaluate(q);
  const SingularValues at(block.C());
  std::vector<Way<Block>> ways;
  for (const Vector& u : directions(at.V.rightCols(block.n() - r))) {
    ways.push_back(follow(block, q, r, u));
    if (ways.back().misfit > enough) break;
  }
  return ways;
}

template <class Block>
double misfit(const std::vector<Way<Block>>& ways) {
  Largest worst;
  for (const Way<Block>& way : ways) worst.note(way.misfit);
  return worst.value();
}

template Way<LoopBlock<Planar>> follow(LoopBlock<Planar>&, LoopBlock<Planar>::Configuration, int, const Vector&, double,
                                       double, bool);
template Way<LoopBlock<Spatial>> follow(LoopBlock<Spatial>&, LoopBlock<Spatial>::Configuration, int, const Vector&,
                                        double, double, bool);
template std::vector<Way<LoopBlock<Planar>>> follow_all(LoopBlock<Planar>&, const LoopBlock<Planar>::Configuration&,
                                                        int);
template std::vector<Way<LoopBlock<Spatial>>> follow_all(LoopBlock<Spatial>&, const LoopBlock<Spatial>::Configuration&,
                                                         int);
template double misfit(const std::vector<Way<LoopBlock<Planar>>>&);
template double misfit(const std::vector<Way<LoopBlock<Spatial>>>&);
template Way<FormulaBlock> follow(FormulaBlock&, FormulaBlock::Configuration, int, const Vector&, double, double, bool);
template std::vector<Way<FormulaBlock>> follow_all(FormulaBlock&, const FormulaBlock::Configuration&, int);
template double misfit(const std::vector<Way<FormulaBlock>>&);

}  // namespace maggi::mechanism
