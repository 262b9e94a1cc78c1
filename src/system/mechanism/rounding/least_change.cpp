#include "system/mechanism/rounding/least_change.hpp"

#include <limits>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "system/mechanism/rounding/formula_block.hpp"

namespace maggi::mechanism {

namespace {

constexpr int most_iterations = 12;
constexpr std::size_t configurations_of_way = 8;
constexpr double exact = 2e-15;  // a misfit of rounding
constexpr double lost = 0.1;     // a misfit from which no repair begins
// Singular values of the conditions below a part of the first are left out: what they ask for is mostly of second order
// in the change, and would be divided by them. The part falls where the misfit does not, but not below the misfit.
constexpr double strong = 1e-3, weakest = 1e-9, weaker = 0.1, weak_of_misfit = 10.0, falls = 0.1;

/// The conditions on p, stacked.
struct Conditions {
  std::vector<Matrix> A;
  std::vector<Vector> y;

  Vector least(double cut) const {
    Eigen::Index rows = 0;
    for (const Matrix& block : A) rows += block.rows();
    Matrix all(rows, A.front().cols());
    Vector right(rows);
    rows = 0;
    for (std::size_t k = 0; k < A.size(); ++k) {
      all.middleRows(rows, A[k].rows()) = A[k];
      right.segment(rows, y[k].size()) = y[k];
      rows += A[k].rows();
    }
    const Eigen::JacobiSVD<Matrix> svd(all, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Vector& sigma = svd.singularValues();
    Vector x = svd.matrixU().transpose() * right;
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = sigma[i] > cut * sigma[0] ? x[i] / sigma[i] : 0.0;
    return svd.matrixV() * x;
  }
};

template <class Block>
void add_conditions(Block& block, const Way<Block>& way, int r, Conditions& conditions) {
  const std::size_t count = std::min(way.passed.size(), configurations_of_way);
  for (std::size_t k = 1; k <= count; ++k) {
    block.evaluate(way.passed[k * way.passed.size() / count - 1]);
    const Matrix Z = SingularValues(block.C()).U.rightCols(block.m() - r);
    conditions.A.emplace_back(Z.transpose() * block.f_by_changes());
    conditions.y.emplace_back(-Z.transpose() * block.f());
  }
}

}  // namespace

template <class Block>
LeastChange find_least_change(Block& block, Requirements<Block> wanted) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  LeastChange best{Vector::Zero(block.changes()), infinity, infinity};
  Vector p = best.p;
  double part = strong, last = infinity;
  for (int k = 0; k < most_iterations; ++k) {
    block.change(p);
    Largest worst;
    Conditions conditions;
    for (const auto& [q, r] : wanted.from)
      for (const Way<Block>& way : follow_all(block, q, r)) {
        worst.note(way.misfit);
        add_conditions(block, way, r, conditions);
      }
    if (k == 0) best.before = worst.value();
    for (const AxisRelation& relation : wanted.relations) {
      deviations(block, relation, p, conditions.y.emplace_back(), conditions.A.emplace_back());
      conditions.y.back() *= -1.0;
      worst.note(conditions.y.back());
    }
    for (Crossing<Block>& crossing : wanted.crossings) {
      worst.note(settle(block, crossing));
      crossing_conditions(block, crossing, p, conditions.A.emplace_back(), conditions.y.emplace_back());
    }
    if (worst.value() < best.after) best.after = worst.value(), best.p = p;
    if (worst.value() < exact || !(worst.value() < lost) || conditions.A.empty()) break;
    if (worst.value() > falls * last) part = larger(weakest, weaker * part);
    last = worst.value();
    p += conditions.least(larger(part, weak_of_misfit * last));
  }
  block.change(best.p);
  return best;
}

template LeastChange find_least_change(LoopBlock<Planar>&, Requirements<LoopBlock<Planar>>);
template LeastChange find_least_change(LoopBlock<Spatial>&, Requirements<LoopBlock<Spatial>>);
template LeastChange find_least_change(FormulaBlock&, Requirements<FormulaBlock>);

}  // namespace maggi::mechanism
