#include "system/mechanism/rounding/decision.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/largest.hpp"
#include "base/pivoted_qr.hpp"
#include "system/mechanism/rounding/branches.hpp"
#include "system/mechanism/rounding/formula_block.hpp"

namespace maggi::mechanism {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double proposes = 0.05;  // singular values above it are no rounding: real errors up to 0.02 stay below
constexpr double proposes_of_tolerance = 100.0;  // the same in large blocks, whose own values are small, too
constexpr int most_candidates = 6;               // ranks that are followed
constexpr int most_followed = 30;                // velocities of a block whose exact motions are followed, too
constexpr double by_little = 30.0;  // tolerances: a misfit below it is neither a motion nor a singular configuration
constexpr double far_from_motion = 0.02;  // a misfit above it is no error of the data
constexpr double most_change = 1.5;  // in errors of the data: the largest least change of rounded data found is 1.2
constexpr double zero_when_singular = 20.0;  // tolerances
constexpr double most_left = 1e-3;           // of the misfit: a repair that ends above it has not converged
constexpr double exact_part = 1e-4;          // of the tolerance: a misfit below it is not repaired at a branch
constexpr double sharp = 0.05, sharp_on_branch = 0.3;  // tolerance / σ_r of a regular configuration: 3 degrees

template <class Block>
class Decider {
 public:
  using Configuration = typename Block::Configuration;

  Decider(Block& block, double data) : block_(block) {
    result_.data = larger(data, 4.0 * epsilon * block.remoteness());
    result_.tolerance = 3.0 * std::sqrt(static_cast<double>(block.joints().size())) * result_.data;
    if (block.n() > most_followed) proposed_ = std::min(proposes, proposes_of_tolerance * result_.tolerance);
  }

  Decision decide() {
    const Configuration q = block_.reference();
    block_.evaluate(q);
    if (block_.n() == 0 || !within(largest(block_.f()), result_.tolerance) || is_clear()) return result_;
    const SingularValues at(block_.C());
    const int low = at.above(proposed_), high = at.above(arithmetic_noise(block_));
    result_.freedom = block_.n() - high;
    const bool exact_axes = relations_hold();
    if (low == high && exact_axes && moves_exactly(q, high)) return result_;
    bool singular = false;
    for (const int r : candidates(at, low, high)) {
      if (r == block_.n() || singular) break;
      const double w = misfit(follow_all(block_, q, r));
      if (r == high && w > result_.tolerance) result_.freedom = 0;  // no smaller motion is left
      if (w > far_from_motion) continue;
      const bool fits = r == high && w <= rounding_nearby();
      if (fits && exact_axes) return result_;
      if (regular(at, r, sharp) && try_repair({{q, r}})) return result_.kind = Decision::Kind::repaired, result_;
      if (fits) return result_;
      singular = w <= result_.tolerance && !regular(at, r, sharp);
    }
    const bool rigid = high == block_.n() && regular(at, high, sharp);
    if (rigid || missed_by_little()) return with_lock();
    return at_singular_configuration(q);
  }

 private:
  /// What arithmetic leaves of geometry that fits exactly, and is given relative to a point of the block.
  double rounding_nearby() const { return 50.0 * epsilon * std::max(block_.m(), block_.n()); }
  /// The tolerance of what depends on the data of two joints.
  double of_two_joints() const { return 3.0 * std::sqrt(2.0) * result_.data; }

  /// Are all singular values clearly large, or too many of them zero? By pivots, which lie near them: most blocks need
  /// no more. Where the rank is smaller than that, the motion has to show whether the rows are compatible.
  bool is_clear() {
    constexpr double margin = 4.0;
    PivotedQr qr(block_.n(), block_.m());
    qr.compute(block_.C().transpose());
    int rank = 0;
    bool clear = true;
    for (int i = 0; i < qr.steps(); ++i) {
      const double pivot = std::abs(qr.R(i, i));
      clear = clear && (pivot > margin * proposed_ || pivot <= arithmetic_noise(block_));
      rank += pivot > arithmetic_noise(block_) ? 1 : 0;
    }
    result_.redundant = rank < block_.m();
    result_.freedom = block_.n() - rank;
    return clear && (rank == qr.steps() || block_.n() > most_followed);
  }

  /// Do the motions that rank r leaves exist, and exactly? A few long steps show it.
  bool moves_exactly(const Configuration& q, int r) {
    constexpr double long_step = 0.5;
    block_.evaluate(q);
    const Vector u = SingularValues(block_.C()).V.rightCols(block_.n() - r).rowwise().sum();
    return r == block_.n() || follow(block_, q, r, u, long_step).misfit <= rounding_nearby();
  }

  /// Do the axes that nearly stand in a relation do so exactly? Rows that should vanish are as short as what they miss
  /// it by, and have a direction for the decisions after this one.
  bool relations_hold() {
    const Vector none = Vector::Zero(block_.changes());
    Vector values;
    Matrix by_changes;
    Largest worst;
    for (const AxisRelation& relation : find_axis_relations(block_, of_two_joints())) {
      deviations(block_, relation, none, values, by_changes);
      worst.note(values);
    }
    return worst.value() <= rounding_nearby();
  }

  /// Most degrees of freedom first; of many those before the largest gaps.
  static std::vector<int> candidates(const SingularValues& at, int low, int high) {
    std::vector<int> ranks;
    for (int r = low; r <= high; ++r) ranks.push_back(r);
    if (high - low < most_candidates) return ranks;
    const auto gap = [&](int r) { return r == 0 ? 0.0 : r < at.sigma.size() ? at.sigma[r] / at.sigma[r - 1] : 0.0; };
    std::ranges::stable_sort(ranks, {}, gap);
    ranks.resize(most_candidates);
    std::ranges::sort(ranks);
    return ranks;
  }

  bool regular(const SingularValues& at, int r, double bound) const {
    return result_.tolerance < bound * at.of_rank(r);
  }

  /// With all that nearly holds besides the motion, or with as much of it as possible. Of axes in random directions
  /// some pairs are nearly perpendicular or meet by chance; none is parallel.
  bool try_repair(const std::vector<std::pair<Configuration, int>>& from) {
    std::vector<std::vector<AxisRelation>> choices{find_axis_relations(block_, of_two_joints()), {}, {}};
    std::ranges::copy_if(choices[0], std::back_inserter(choices[1]), &AxisRelation::has_two_conditions);
    std::vector<Crossing<Block>> crossings;
    if (from.size() == 1) crossings = find_crossings(block_, from[0].first, from[0].second, result_.tolerance);
    for (std::size_t k = 0; k < choices.size(); ++k) {
      if (k > 0 && choices[k].size() == choices[k - 1].size()) continue;  // the same again
      if (!crossings.empty() && try_repair({from, choices[k], crossings})) return true;
      if (crossings.size() > 1 && try_repair({from, choices[k], {crossings.front()}})) return true;
      if (try_repair({from, choices[k], {}})) return true;
    }
    return false;
  }

  bool try_repair(const Requirements<Block>& wanted) {
    const LeastChange least = find_least_change(block_, wanted);
    const double change = largest(least.p);
    const int freedom = block_.n() - wanted.from.front().second;
    if (within(least.before, result_.tolerance) && within(least.after, most_left * result_.tolerance) &&
        within(change, most_change * result_.data)) {
      result_.freedom = freedom;
      result_.misfit = least.before, result_.left = least.after, result_.change = change, result_.p = least.p;
      return true;
    }
    block_.change(Vector::Zero(block_.changes()));
    if (within(least.after, most_left * change) && (missed_.p.size() == 0 || change < missed_.change)) {
      missed_.freedom_missed = freedom;
      missed_.misfit = least.before, missed_.left = least.after, missed_.change = change, missed_.p = least.p;
      missed_.data_needed = data_needed(missed_, wanted.from.front().second);
    }
    return false;
  }

  /// With this data_tolerance the motion of rank r would be taken.
  double data_needed(const Decision& missed, int r) {
    constexpr double reserve = 1.2;
    const double needed =
        reserve * std::max(missed.misfit * result_.data / result_.tolerance, missed.change / most_change);
    block_.evaluate(block_.reference());
    return needed / result_.data * result_.tolerance < sharp * SingularValues(block_.C()).of_rank(r) ? needed : 0.0;
  }

  bool missed_by_little() const { return missed_.p.size() > 0 && missed_.misfit <= by_little * result_.tolerance; }
  Decision with_lock() {
    if (missed_.p.size() == 0) return result_;
    result_.kind = Decision::Kind::locked;
    result_.freedom_missed = missed_.freedom_missed;
    result_.misfit = missed_.misfit, result_.left = missed_.left, result_.change = missed_.change;
    result_.p = missed_.p, result_.data_needed = missed_.data_needed;
    return result_;
  }

  /// Several motions may lead from here, within the tolerance: each is decided from a configuration on it, and the
  /// repair makes all of them exact.
  Decision at_singular_configuration(const Configuration& q) {
    std::vector<std::pair<Configuration, int>> motions;
    Largest worst;
    for (const Configuration& branch :
         find_branches(block_, q, zero_when_singular * result_.tolerance, result_.tolerance)) {
      block_.evaluate(branch);
      const SingularValues at(block_.C());
      for (int r = at.above(proposed_); r < block_.n() && r <= at.above(arithmetic_noise(block_)); ++r) {
        const double w = misfit(follow_all(block_, branch, r));
        if (!within(w, result_.tolerance) || !regular(at, r, sharp_on_branch)) continue;
        worst.note(w);
        motions.emplace_back(branch, r);
        break;
      }
    }
    if (motions.empty()) {
      if (missed_.p.size() > 0) return with_lock();
      result_.kind = Decision::Kind::shaky;
      result_.freedom = 0;
      return result_;
    }
    if (worst.value() > result_.tolerance * exact_part && try_repair(motions)) result_.kind = Decision::Kind::singular;
    return result_;
  }

  Decision missed_;
  Decision result_;
  Block& block_;
  double proposed_ = proposes;  // singular values up to it propose degrees of freedom
};

}  // namespace

template <class Block>
double arithmetic_noise(const Block& block) {
  return 50.0 * epsilon * std::max(block.m(), block.n()) + 4.0 * epsilon * block.remoteness();
}

template <class Block>
Decision decide(Block& block, double data) {
  return Decider<Block>(block, data).decide();
}

template double arithmetic_noise(const LoopBlock<Planar>&);
template double arithmetic_noise(const LoopBlock<Spatial>&);
template Decision decide(LoopBlock<Planar>&, double);
template Decision decide(LoopBlock<Spatial>&, double);
template double arithmetic_noise(const FormulaBlock&);
template Decision decide(FormulaBlock&, double);

}  // namespace maggi::mechanism
