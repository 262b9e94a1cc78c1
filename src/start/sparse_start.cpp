#include "start/sparse_start.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/largest.hpp"
#include "maggi/expert/recursion.hpp"
#include "start/newton_limits.hpp"
#include "start/start_problem.hpp"

namespace maggi::integration {

namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;
using Entry = Eigen::Triplet<double>;

// as in Search
constexpr double epsilon = 1e-10;  // in (1): a step leaves as much of r, and rounding in the factor is 1e-16 / ε
constexpr double no_rank = 1e-13;  // of eigenvalues of AᵀA, rows of length 1: what is less may be rounding

bool usable(const Start::Value& value) {
  return value.given || (value.guessed && (value.weight == 1.0 || rather_stays(value)));
}

/// Largest eigenvalue of a symmetric operator, from below; the same vector to begin with every time.
template <class Apply>
double largest_eigenvalue(Eigen::Index size, const Apply& apply) {
  constexpr int iterations = 60;
  Vector x(size);
  for (Eigen::Index i = 0; i < size; ++i) x[i] = 1.0 + 0.5 * std::sin(1.7 * static_cast<double>(i));
  x.normalize();
  double value = 0.0;
  for (int k = 0; k < iterations; ++k) {
    const Vector y = apply(x);
    value = y.norm();
    if (!(value > 0.0) || !std::isfinite(value)) return value;
    x = y / value;
  }
  return value;
}

}  // namespace

SparseStart::SparseStart(const System& system, Workspace& w, const Start& start, const std::vector<int>& rows,
                         bool let_stay)
    : system_(system),
      shape_(system.shape()),
      w_(w),
      position_(level(false, rows, start.q, let_stay)),
      velocity_(level(true, rows, start.v, let_stay)) {}

bool SparseStart::fits(const Shape& shape, const Start& start) {
  return shape.n() + shape.m() > Recursion::small_system && std::ranges::all_of(start.q, usable) &&
         std::ranges::all_of(start.v, usable);
}

SparseStart::Level SparseStart::level(bool velocity, const std::vector<int>& rows,
                                      const std::vector<Start::Value>& values, bool let_stay) const {
  Level result{velocity, {}, {}, std::vector<int>(shape_.m(), -1), {}, {}};
  std::vector<int> of_level;
  for (const int i : rows)
    if (i < (velocity ? shape_.s_p + shape_.s_v : shape_.s_p)) {
      result.row_at[i] = static_cast<int>(of_level.size());
      of_level.push_back(i);
    }
  result.rows = RowSelection(shape_, std::move(of_level));
  const std::vector<std::vector<int>> occurrences = coordinates_of_rows(shape_, result.row_at, result.rows.size());
  std::vector<int> open;
  for (int j = 0; j < shape_.n(); ++j)
    if (!values[j].given && !(let_stay && rather_stays(values[j]))) open.push_back(j);
  result.blocks.emplace(occurrences, open, shape_.n());
  std::erase_if(open, [&](int j) { return !result.blocks->related(j); });
  result.open_at.resize(shape_.n());
  result.change_only(std::move(open));
  return result;
}

void SparseStart::Level::change_only(std::vector<int> some) {
  open = std::move(some);
  std::ranges::fill(open_at, -1);
  for (std::size_t k = 0; k < open.size(); ++k) open_at[open[k]] = static_cast<int>(k);
}

bool SparseStart::positions(State& state, Found& found) {
  if (!newton(position_, state)) return false;
  found = judge(position_);
  return true;
}

bool SparseStart::velocities(State& state, Found& found) {
  if (!newton(velocity_, state)) return false;
  found = judge(velocity_);
  return true;
}

/// Fills r and the lengths of the rows; the largest scaled residual, infinite if something is not finite.
double SparseStart::evaluate(const Level& level, const State& state) {
  const Terms& terms = w_.terms;
  level.velocity ? system_.velocity(state, w_) : system_.position(state, w_);
  const RowSelection& rows = level.rows;
  r_.resize(rows.size());
  rows.vector(level.velocity ? terms.phi : terms.f, r_);
  lengths_.resize(rows.size());
  rows.squared_lengths(terms.C, lengths_);
  lengths_ = lengths_.cwiseSqrt();
  Largest scaled;
  for (int i = 0; i < rows.size(); ++i)
    if (scaled.note(r_[i] / (lengths_[i] > 0.0 ? lengths_[i] : 1.0))) worst_ = rows.rows()[i];
  return residual_ = scaled.value();
}

bool SparseStart::newton(Level level, State& state) {
  const Vector& x = level.velocity ? state.v : state.q;
  const double size = 1.0 + largest(x);
  evaluate(level, state);
  const Vector scaled = r_.cwiseQuotient(lengths_.unaryExpr([](double l) { return l > 0.0 ? l : 1.0; }));
  level.change_only(level.blocks->disturbed(level.open, scaled, newton_tolerance * size));
  LastStep last;
  for (int iteration = 0; iteration < newton_most_iterations; ++iteration) {
    if (!std::isfinite(residual_)) return false;
    if (within(residual_, newton_tolerance * size) && last.is_done(residual_, size)) return true;
    last.note(residual_);
    if (level.open.empty() || !step(level, state)) break;
  }
  return within(residual_, newton_acceptable * size);
}

/// One step of (1), shortened until the residual decreases; false if it never does.
bool SparseStart::step(const Level& level, State& state) {
  const Terms& terms = w_.terms;
  const auto n = static_cast<int>(level.open.size()), m = level.rows.size();
  const SparseMatrix C = scaled_rows(level, false);
  Vector scale(n);  // 1 / √M_jj
  std::vector<Entry> entries;
  for (int k = 0; k < shape_.M.size(); ++k) {
    const int i = level.open_at[shape_.M.row[k]], j = level.open_at[shape_.M.col[k]];
    if (i >= 0 && i == j) scale[i] = 1.0 / std::sqrt(terms.M[k]);
  }
  if (!scale.allFinite()) return false;
  for (int k = 0; k < shape_.M.size(); ++k) {
    const int i = level.open_at[shape_.M.row[k]], j = level.open_at[shape_.M.col[k]];
    if (i >= 0 && j >= 0) entries.emplace_back(std::max(i, j), std::min(i, j), scale[i] * terms.M[k] * scale[j]);
  }
  Vector right = Vector::Zero(n + m), lengths = Vector::Zero(m);
  for (int k = 0; k < shape_.C.size(); ++k) {
    const int i = level.row_at[shape_.C.row[k]], j = level.open_at[shape_.C.col[k]];
    if (i >= 0 && j >= 0) lengths[i] += std::pow(terms.C[k] * scale[j], 2);
  }
  for (int i = 0; i < m; ++i) {
    if (lengths[i] > 0.0) right[n + i] = -r_[i] / std::sqrt(lengths[i]);
    entries.emplace_back(n + i, n + i, -epsilon);
  }
  for (int j = 0; j < C.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(C, j); it; ++it)
      entries.emplace_back(n + static_cast<int>(it.row()), j, it.value());
  SparseMatrix K(n + m, n + m);
  K.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<SparseMatrix> factor(K);
  if (factor.info() != Eigen::Success) return false;
  const Vector solution = factor.solve(right);
  Vector delta = Vector::Zero(shape_.n());
  for (int j = 0; j < n; ++j) delta[level.open[j]] = solution[j] * scale[j];
  if (!delta.allFinite()) return false;
  const double length = largest(delta);
  const double size = 1.0 + largest(state.q);
  if (!level.velocity && length > size) delta *= size / length;  // stay near the guess
  return take(level, state, delta);
}

bool SparseStart::take(const Level& level, State& state, const Vector& delta) {
  const State from = state;
  const Vector weights = lengths_.unaryExpr([](double length) { return length > 0.0 ? 1.0 / length : 1.0; });
  const double merit = r_.cwiseProduct(weights).norm();
  for (double part = 1.0; part > 1e-4; part *= 0.5) {
    const Vector move = part * delta;
    state = from;
    if (level.velocity)
      state.v += move;
    else
      system_.move(state.q.data(), move.data());
    evaluate(level, state);
    if (r_.cwiseProduct(weights).norm() < (1.0 - 0.1 * part) * merit) return true;
  }
  state = from;
  evaluate(level, state);
  return false;
}

/// Rows of length 1 in the metric of diag M, at the state evaluated last; of the open columns, or of all.
SparseMatrix SparseStart::scaled_rows(const Level& level, bool all) const {
  const Terms& terms = w_.terms;
  Vector diagonal = Vector::Zero(shape_.n()), squares = Vector::Zero(level.rows.size());
  for (int k = 0; k < shape_.M.size(); ++k)
    if (shape_.M.row[k] == shape_.M.col[k]) diagonal[shape_.M.row[k]] = terms.M[k];
  std::vector<Entry> entries;
  for (int k = 0; k < shape_.C.size(); ++k) {
    const int i = level.row_at[shape_.C.row[k]], j = shape_.C.col[k], column = all ? j : level.open_at[j];
    if (i < 0 || column < 0) continue;
    entries.emplace_back(i, column, terms.C[k] / std::sqrt(std::max(diagonal[j], 1e-300)));
    squares[i] += entries.back().value() * entries.back().value();
  }
  for (Entry& e : entries)
    if (squares[e.row()] > 0.0) e = Entry(e.row(), e.col(), e.value() / std::sqrt(squares[e.row()]));
  SparseMatrix A(squares.size(), all ? shape_.n() : static_cast<int>(level.open.size()));
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// With fewer rows than open values something can be chosen. Otherwise the smallest singular value of their columns
/// tells, beside the largest of all columns; both by iteration on AᵀA.
SparseStart::Found SparseStart::judge(const Level& level) const {
  Found found;
  found.solved_for.assign(shape_.n(), false);
  for (const int j : level.open) found.solved_for[j] = true;
  if (static_cast<int>(level.open.size()) > level.rows.size()) return found;
  found.least_change = false;
  if (level.open.empty()) return found;
  const SparseMatrix all = scaled_rows(level, true), open = scaled_rows(level, false);
  const SparseMatrix square = SparseMatrix(open.transpose()) * open;
  const double largest =
      largest_eigenvalue(all.cols(), [&](const Vector& x) -> Vector { return all.transpose() * (all * x); });
  const Eigen::SimplicialLDLT<SparseMatrix> factor(square);
  const double inverse =
      factor.info() == Eigen::Success
          ? largest_eigenvalue(open.cols(), [&](const Vector& x) -> Vector { return factor.solve(x); })
          : std::numeric_limits<double>::infinity();
  if (largest * inverse < 1.0 / no_rank)
    found.condition = std::sqrt(largest * inverse);
  else
    found.least_change = true;
  return found;
}

}  // namespace maggi::integration
