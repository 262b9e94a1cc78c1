#include "formulation/lane_factor.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/clones.hpp"

namespace maggi {

namespace {

constexpr int lanes = Eight::lanes;

/// Which unknowns (velocities, then rows) occur together.
std::vector<std::set<int>> neighbours(const Shape& shape) {
  std::vector<std::set<int>> result(shape.n() + shape.m());
  const auto join = [&](int a, int b) {
    if (a == b) return;
    result[a].insert(b);
    result[b].insert(a);
  };
  for (int k = 0; k < shape.M.size(); ++k) join(shape.M.row[k], shape.M.col[k]);
  for (int k = 0; k < shape.C.size(); ++k) join(shape.n() + shape.C.row[k], shape.C.col[k]);
  return result;
}

}  // namespace

/// Minimum degree: always the unknown with the fewest neighbours, a row only when its velocities are gone.
LaneFactor::LaneFactor(const Shape& shape) {
  const int n = shape.n(), size = n + shape.m();
  std::vector<std::set<int>> left = neighbours(shape);
  std::vector<bool> gone(size, false);
  std::vector<std::vector<int>> columns;  // by pivot: unknowns that come later
  const auto may_go = [&](int unknown) {
    return !gone[unknown] && (unknown < n || std::ranges::none_of(left[unknown], [n](int u) { return u < n; }));
  };
  diagonal_.resize(size);
  for (int step = 0; step < size; ++step) {
    int next = -1;
    for (int u = 0; u < size; ++u)
      if (may_go(u) && (next < 0 || left[u].size() < left[next].size())) next = u;
    gone[next] = true;
    diagonal_[next] = static_cast<std::uint32_t>(step);
    columns.emplace_back(left[next].begin(), left[next].end());
    for (const int a : left[next]) {
      left[a].erase(next);
      for (const int b : left[next])
        if (a != b) left[a].insert(b);
    }
  }
  std::map<std::pair<int, int>, std::uint32_t> place;  // by the unknowns of an entry, the earlier one first
  std::uint32_t places = 0;
  for (std::uint32_t k = 0; k < columns.size(); ++k) {
    const int u = static_cast<int>(std::ranges::find(diagonal_, k) - diagonal_.begin());
    auto& column = columns[k];
    std::ranges::sort(column, {}, [&](int v) { return diagonal_[v]; });
    pivots_.push_back({.unknown = static_cast<std::uint32_t>(u),
                       .place = places,
                       .below = static_cast<std::uint32_t>(column.size()),
                       .first = static_cast<std::uint32_t>(unknowns_.size()),
                       .targets = 0,
                       .sign = u < n ? 1.0 : -1.0,
                       .smallest = u < n ? smallest_velocity_pivot : smallest_row_pivot});
    place[{u, u}] = places++;
    for (const int v : column) place[{u, v}] = places++;
    unknowns_.insert(unknowns_.end(), column.begin(), column.end());
  }
  const auto entry = [&](int a, int b) { return diagonal_[a] <= diagonal_[b] ? place.at({a, b}) : place.at({b, a}); };
  for (std::uint32_t k = 0; k < columns.size(); ++k) {
    pivots_[k].targets = static_cast<std::uint32_t>(targets_.size());
    for (std::size_t r = 0; r < columns[k].size(); ++r)
      for (std::size_t s = 0; s <= r; ++s) targets_.push_back(entry(columns[k][s], columns[k][r]));
  }
  std::vector<bool> given(places, false);
  for (int k = 0; k < shape.M.size(); ++k) given[M_.emplace_back(entry(shape.M.row[k], shape.M.col[k]))] = true;
  for (int k = 0; k < shape.C.size(); ++k) given[C_.emplace_back(entry(n + shape.C.row[k], shape.C.col[k]))] = true;
  for (std::uint32_t p = 0; p < places; ++p)
    if (!given[p]) empty_.push_back(p);
  values_.resize(places);
  column_.resize(size);
  sums_.resize(size);
}

MAGGI_CLONES void LaneFactor::compute(const LaneSystem& system) {
  Eight* const values = values_.data();
  for (std::size_t k = 0; k < M_.size(); ++k) values[M_[k]] = system.M(static_cast<int>(k));
  for (std::size_t k = 0; k < C_.size(); ++k) values[C_[k]] = system.C(static_cast<int>(k));
  for (const std::uint32_t place : empty_) values[place] = Eight{};
  for (std::size_t k = 0; k < pivots_.size(); ++k)  // what a pivot is made of, cancelled or not
    for (int l = 0; l < lanes; ++l) sums_[k].lane[l] = std::abs(values[pivots_[k].place].lane[l]);

  double lost[lanes] = {};
  for (std::size_t k = 0; k < pivots_.size(); ++k) {
    const Pivot& pivot = pivots_[k];
    Eight* const below = values + pivot.place + 1;
    double inverse[lanes];
    for (int l = 0; l < lanes; ++l) {
      const double d = values[pivot.place].lane[l];
      lost[l] = pivot.sign * d > pivot.smallest * sums_[k].lane[l] ? lost[l] : 1.0;
      inverse[l] = 1.0 / d;
    }
    for (int l = 0; l < lanes; ++l) values[pivot.place].lane[l] = inverse[l];
    const std::uint32_t* target = targets_.data() + pivot.targets;
    for (std::uint32_t r = 0; r < pivot.below; ++r) {
      double factor[lanes];
      for (int l = 0; l < lanes; ++l) factor[l] = below[r].lane[l] * inverse[l];
      for (int l = 0; l < lanes; ++l) column_[r].lane[l] = factor[l];
      for (std::uint32_t s = 0; s <= r; ++s) {
        double* const to = values[*target++].lane;
        const double* const a = below[s].lane;
        double rest[lanes];
        for (int l = 0; l < lanes; ++l) rest[l] = to[l] - factor[l] * a[l];
        for (int l = 0; l < lanes; ++l) to[l] = rest[l];
      }
      double* const sum = sums_[diagonal_[unknowns_[pivot.first + r]]].lane;
      double more[lanes];
      for (int l = 0; l < lanes; ++l) more[l] = sum[l] + std::abs(factor[l] * below[r].lane[l]);
      for (int l = 0; l < lanes; ++l) sum[l] = more[l];
    }
    std::copy_n(column_.data(), pivot.below, below);
  }
  alarm_ = 0;
  for (int l = 0; l < lanes; ++l)
    if (lost[l] != 0.0) alarm_ = static_cast<LaneSet>(alarm_ | 1U << l);
}

MAGGI_CLONES void LaneFactor::solve(Eight* sides) const {
  const auto subtract = [](double* to, const double* a, const double* b) {
    double rest[lanes];
    for (int l = 0; l < lanes; ++l) rest[l] = to[l] - a[l] * b[l];
    for (int l = 0; l < lanes; ++l) to[l] = rest[l];
  };
  for (const Pivot& pivot : pivots_) {
    const double* const x = sides[pivot.unknown].lane;
    for (std::uint32_t r = 0; r < pivot.below; ++r)
      subtract(sides[unknowns_[pivot.first + r]].lane, values_[pivot.place + 1 + r].lane, x);
  }
  for (auto pivot = pivots_.rbegin(); pivot != pivots_.rend(); ++pivot) {
    double* const x = sides[pivot->unknown].lane;
    double value[lanes];
    for (int l = 0; l < lanes; ++l) value[l] = x[l] * values_[pivot->place].lane[l];
    for (int l = 0; l < lanes; ++l) x[l] = value[l];
    for (std::uint32_t r = 0; r < pivot->below; ++r)
      subtract(x, values_[pivot->place + 1 + r].lane, sides[unknowns_[pivot->first + r]].lane);
  }
}

}  // namespace maggi
