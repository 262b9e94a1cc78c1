#include "analysis/redundancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/nearby.hpp"
#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "maggi/error.hpp"
#include "manifold/projection.hpp"

namespace maggi {

namespace {

using analysis::rows_at;

constexpr double smallest_factor = 1e-9;         // of the largest in a combination of unit rows: below it is rounding
constexpr double smallest_factor_nearby = 1e-6;  // there rows are off by 1e-11 / sine
constexpr double largest_conflict = 1e-8;        // the consistent start promises less

Matrix pick(const Matrix& C, const std::vector<int>& rows) {
  Matrix result(rows.size(), C.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) result.row(i) = C.row(rows[i]);
  return result;
}

int rank_of(const analysis::Rows& at, const std::vector<int>& rows) {
  MetricFactor factor(static_cast<int>(at.M.rows()), static_cast<int>(rows.size()), analysis::rank_tolerance);
  return factor.compute(at.M, pick(at.C, rows)) ? factor.rank() : 0;
}

/// Factors on the rows `of`, without those that are rounding when every row has unit length.
std::vector<Dependency::Term> significant(const Vector& factors, const std::vector<int>& of, const Matrix& C,
                                          double smallest_of_largest = smallest_factor) {
  Vector size(factors.size());
  for (Eigen::Index i = 0; i < size.size(); ++i) size[i] = std::abs(factors[i]) * C.row(of[i]).norm();
  const double smallest = smallest_of_largest * largest(size);
  std::vector<Dependency::Term> terms;
  for (Eigen::Index i = 0; i < size.size(); ++i)
    if (size[i] > smallest) terms.push_back({of[i], factors[i]});
  std::sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
  return terms;
}

/// C_row = Σ factor C_i over independent rows i; solved for rows of unit length.
class Solver {
 public:
  Solver(const Matrix& C, const std::vector<int>& independent) : C_(C), norm_(independent.size()) {
    Matrix unit = pick(C, independent);
    for (Eigen::Index i = 0; i < unit.rows(); ++i) {
      norm_[i] = unit.row(i).norm();
      unit.row(i) /= norm_[i];
    }
    if (unit.rows() > 0) qr_.compute(unit.transpose());
  }
  Vector factors(int row) const {
    if (norm_.size() == 0) return {};
    return Vector(qr_.solve(C_.row(row).transpose())).cwiseQuotient(norm_);
  }
  /// Of the factors when every row has unit length.
  Vector shares(int row) const { return factors(row).cwiseProduct(norm_) / C_.row(row).norm(); }

 private:
  const Matrix& C_;
  Vector norm_;
  Eigen::ColPivHouseholderQR<Matrix> qr_;
};

/// Rows of unit length as combinations of the independent ones, c_d = Σ share_di c_i, in which rows can be exchanged.
class Shares {
 public:
  Shares(const Matrix& C, std::vector<int> independent) : independent_(std::move(independent)) {
    std::ranges::sort(independent_);
    const Solver solver(C, independent_);
    for (int row = 0; row < C.rows(); ++row)
      if (!std::ranges::binary_search(independent_, row) && C.row(row).norm() > 0.0) dependent_.push_back(row);
    share_.resize(static_cast<Eigen::Index>(dependent_.size()), static_cast<Eigen::Index>(independent_.size()));
    for (Eigen::Index d = 0; d < share_.rows(); ++d) share_.row(d) = solver.shares(dependent_[d]).transpose();
  }

  /// The first dependent row that can take the place of one after it in the sense of `later`, the last of these.
  template <class Later>
  bool exchange_one(const Later& later) {
    constexpr double large_share = 0.1;
    int d = -1, i = -1;
    for (int row = 0; row < share_.rows(); ++row)
      for (int column = 0; column < share_.cols(); ++column)
        if (later(independent_[column], dependent_[row]) && std::abs(share_(row, column)) >= large_share &&
            (d < 0 || dependent_[row] < dependent_[d] || (row == d && independent_[column] > independent_[i])))
          d = row, i = column;
    if (d < 0) return false;
    exchange(d, i);
    return true;
  }
  const std::vector<int>& independent() const { return independent_; }

 private:
  void exchange(int d, int i) {
    const double pivot = share_(d, i);
    const Vector column = share_.col(i);
    const Eigen::RowVectorXd row = share_.row(d) / pivot;
    share_.noalias() -= column * row;
    share_.col(i) = column / pivot;
    share_.row(d) = -row;
    share_(d, i) = 1.0 / pivot;
    std::swap(dependent_[d], independent_[i]);
  }

  std::vector<int> independent_, dependent_;
  Matrix share_;
};

/// Pivoting calls any row redundant; a reader expects it of the later one, and of a servo row rather than of one with
/// a reaction. Rows are exchanged as long as that is possible without losing accuracy; sorted.
std::vector<int> prefer_early_rows(const Matrix& C, const std::vector<bool>& servo, std::vector<int> independent) {
  const auto later = [&](int i, int j) { return servo[i] != servo[j] ? servo[i] : i > j; };
  Shares shares(C, std::move(independent));
  while (shares.exchange_one(later)) {}
  std::vector<int> result = shares.independent();
  std::ranges::sort(result);
  return result;
}

/// C in coordinates in each of which M has a 1: whether rows can be exchanged without losing accuracy is no question of
/// units, in which the lengths of a small mechanism nearly vanish beside its angles.
Matrix in_natural_units(const analysis::Rows& rows) {
  const Vector scale = rows.M.diagonal().unaryExpr([](double m) { return m > 0.0 ? 1.0 / std::sqrt(m) : 1.0; });
  return rows.C * scale.asDiagonal();
}

/// What a certificate is about.
struct Subject {
  const Shape& shape;
  const std::vector<int>& active;  ///< rows of the shape
  analysis::Rows here;             ///< the active ones
  double size;                     ///< 1 + ‖v̇‖
  std::function<std::vector<analysis::Rows>()> nearby;
  std::optional<int> rank{};  ///< if it is known
};

Acceleration acceleration_at(Dynamics& dynamics, const State& at) {
  Acceleration acceleration;
  if (!dynamics.solve(at, acceleration))
    throw Error(Errc::numerics, {}, "the accelerations cannot be found: " + dynamics.explain(at));
  return acceleration;
}

/// The rank decision; where the rank is known from the equations that are solved, at the tolerance that gives the same.
bool compute(MetricFactor& factor, const Matrix& M, const Matrix& C, std::optional<int> rank) {
  if (!factor.compute(M, C)) return false;
  constexpr double a_little = 1e-12;  // above the rounding of a quotient
  while (rank && factor.rank() > *rank && factor.compute(M, C, (1.0 + a_little) * factor.distance_to_singularity())) {}
  while (rank && factor.rank() < *rank && factor.largest_rejected() > 0.0 &&
         factor.compute(M, C, (1.0 - a_little) * factor.largest_rejected())) {}
  return true;
}

/// The certificate in rows of C, which are the active ones.
class Certificate {
 public:
  explicit Certificate(Subject subject) : subject_(std::move(subject)), here_(subject_.here) {}

  Redundancy make() {
    MetricFactor factor(n(), std::max<int>(1, static_cast<int>(here_.C.rows())));
    if (!compute(factor, here_.M, here_.C, subject_.rank))
      throw Error(Errc::model, {}, "a motion that the constraints allow has no inertia",
                  "give it a mass in the kinetic energy, or constrain it");
    result_.rank = result_.rank_nearby = factor.rank();
    result_.distance_to_singularity = factor.distance_to_singularity();
    result_.largest_rejected = factor.largest_rejected();
    result_.tolerance = factor.tolerance();
    const std::vector<int> independent = prefer_early_rows(in_natural_units(here_), servo_rows(),
                                                           {factor.independent().begin(), factor.independent().end()});
    combine(independent);
    for (Dependency& d : result_.dependencies) {
      d.conflict = conflict(d, here_);
      d.compatible = d.conflict <= largest_conflict;
    }
    result_.unique = unique_at(here_, rank_without_servo(), MetricFactor::default_tolerance, smallest_factor);
    result_.unique_nearby = result_.unique;
    if (!result_.dependencies.empty()) decide_permanence(independent);
    to_shape();
    return std::move(result_);
  }

 private:
  std::vector<bool> servo_rows() const {
    std::vector<bool> servo;
    for (const int i : subject_.active) servo.push_back(!subject_.shape.rows[i].has_multiplier());
    return servo;
  }

  void combine(const std::vector<int>& independent) {
    const Solver solver(here_.C, independent);
    for (int row = 0; row < here_.C.rows(); ++row) {
      if (std::binary_search(independent.begin(), independent.end(), row)) continue;
      Dependency d;
      d.row = row;
      if (here_.C.row(row).norm() > 0.0) d.combination = significant(solver.factors(row), independent, here_.C);
      result_.dependencies.push_back(std::move(d));
    }
  }

  int n() const { return static_cast<int>(here_.C.cols()); }

  /// The rank is known for all rows; servo rows depend on each other only in models that are refused.
  std::optional<int> rank_without_servo() const {
    if (!subject_.rank) return std::nullopt;
    int servo = 0;
    for (const bool each : servo_rows()) servo += each;
    return servo == 0 ? subject_.rank : std::nullopt;
  }

  /// (2), among the rows that have a multiplier: servo rows have none.
  std::vector<bool> unique_at(const analysis::Rows& at, std::optional<int> rank, double tolerance,
                              double negligible) const {
    std::vector<bool> unique(at.C.rows(), true);
    std::vector<int> rows;
    const std::vector<bool> servo = servo_rows();
    for (int i = 0; i < at.C.rows(); ++i)
      if (!servo[i]) rows.push_back(i);
    MetricFactor factor(n(), std::max<int>(1, static_cast<int>(rows.size())), tolerance);
    if (!compute(factor, at.M, pick(at.C, rows), rank)) return unique;
    std::vector<int> independent;
    for (const int i : factor.independent()) independent.push_back(rows[i]);
    const Solver solver(at.C, independent);
    for (const int i : factor.dependent()) {
      unique[rows[i]] = false;
      if (at.C.row(rows[i]).norm() == 0.0) continue;
      for (const Dependency::Term& term : significant(solver.factors(rows[i]), independent, at.C, negligible))
        unique[term.row] = false;
    }
    return unique;
  }

  /// A row is added to the independent ones if it stands out of their span anywhere nearby; the rest is permanent.
  void decide_permanence(std::vector<int> independent) {
    const std::vector<analysis::Rows> nearby = subject_.nearby();
    if (nearby.empty()) return;
    for (const analysis::Rows& rows : nearby) {
      const std::vector<bool> there = unique_at(rows, std::nullopt, analysis::rank_tolerance, smallest_factor_nearby);
      for (std::size_t i = 0; i < there.size(); ++i)
        if (!there[i]) result_.unique_nearby[i] = false;
    }
    const auto grows = [&](const std::vector<int>& from, const std::vector<int>& to) {
      return std::ranges::any_of(nearby,
                                 [&](const analysis::Rows& rows) { return rank_of(rows, to) > rank_of(rows, from); });
    };
    std::vector<int> all = independent;  // mostly none stands out: asked once, as there may be hundreds
    for (const Dependency& d : result_.dependencies) all.push_back(d.row);
    const bool all_lasting = !grows(independent, all);
    for (Dependency& d : result_.dependencies) {
      std::vector<int> enlarged = independent;
      enlarged.push_back(d.row);
      d.permanent = all_lasting || !grows(independent, enlarged);
      if (!*d.permanent) independent = std::move(enlarged);
    }
    result_.rank_nearby = static_cast<int>(independent.size());
    if (result_.singular_pose()) prefer_lasting_combinations(independent, nearby);
    find_hidden_conditions(independent, nearby);
  }

  /// In a singular configuration a row depends on others in many ways; the one with constant factors that holds nearby,
  /// too, is what the user wants to know.
  void prefer_lasting_combinations(const std::vector<int>& independent, const std::vector<analysis::Rows>& nearby) {
    const Eigen::Index n = here_.C.cols(), m = here_.C.rows();
    Matrix stacked(n * static_cast<Eigen::Index>(nearby.size() + 1), m);
    stacked.topRows(n) = here_.C.transpose();
    for (std::size_t i = 0; i < nearby.size(); ++i) stacked.middleRows(n * (i + 1), n) = nearby[i].C.transpose();
    Matrix basis(stacked.rows(), independent.size());
    for (std::size_t j = 0; j < independent.size(); ++j) basis.col(j) = stacked.col(independent[j]);
    const Eigen::ColPivHouseholderQR<Matrix> qr(basis);
    for (Dependency& d : result_.dependencies) {
      if (!*d.permanent || d.combination.empty()) continue;
      const Vector factors = qr.solve(stacked.col(d.row));
      const double left = (basis * factors - stacked.col(d.row)).norm();
      if (left < smallest_factor * stacked.col(d.row).norm())
        d.combination = significant(factors, independent, here_.C);
    }
  }

  double conflict(const Dependency& d, const analysis::Rows& rows) const {
    double left = rows.gamma[d.row];
    for (const Dependency::Term& term : d.combination) left -= term.factor * rows.gamma[term.row];
    const double norm = rows.C.row(d.row).norm();
    const double size = norm > 0.0 ? norm : 1.0;
    return std::max(std::abs(left) / (size * subject_.size), rows.residual[d.row] / size);
  }

  /// A permanent dependency must stay compatible, with the factors it has there.
  void find_hidden_conditions(const std::vector<int>& independent, const std::vector<analysis::Rows>& nearby) {
    for (const analysis::Rows& rows : nearby) {
      const Solver solver(rows.C, independent);
      for (Dependency& d : result_.dependencies) {
        if (!*d.permanent || !d.compatible) continue;
        Dependency there = d;
        there.combination = significant(solver.factors(d.row), independent, rows.C);
        if (conflict(there, rows) > largest_conflict) d.hides_condition = true;
      }
    }
  }

  /// From rows of C to rows of the shape.
  void to_shape() {
    for (Dependency& d : result_.dependencies) {
      d.row = subject_.active[d.row];
      for (Dependency::Term& term : d.combination) term.row = subject_.active[term.row];
    }
    for (std::vector<bool>* marks : {&result_.unique, &result_.unique_nearby}) {
      std::vector<bool> of_all(subject_.shape.m(), true);
      for (std::size_t i = 0; i < subject_.active.size(); ++i) of_all[subject_.active[i]] = (*marks)[i];
      *marks = std::move(of_all);
    }
  }

  Subject subject_;
  const analysis::Rows& here_;
  Redundancy result_;
};

/// Along the joints: the smallest sine between a row and those eliminated before it; nothing where rows depend on each
/// other, or come close to it.
std::optional<double> distance_to_dependence(Dynamics& dynamics, const State& at) {
  Acceleration acceleration;
  if (!dynamics.recursion() || !dynamics.dependent_rows().empty() || !dynamics.solve(at, acceleration) ||
      !dynamics.solved_recursively())
    return std::nullopt;
  return dynamics.recursion()->weakest().sine;
}

Redundancy independent(const Shape& shape, double distance) {
  Redundancy result;
  for (const Row& row : shape.rows) result.rank += row.active_at_start;
  result.rank_nearby = result.rank;
  result.distance_to_singularity = distance;
  result.tolerance = MetricFactor::default_tolerance;
  result.unique.assign(shape.m(), true);
  result.unique_nearby = result.unique;
  return result;
}

/// The answer for a large system, along the joints of `dynamics`; Error if only matrices could tell. None: ask these.
std::optional<Redundancy> without_matrices(const Shape& shape, Dynamics& dynamics, const State& at) {
  const int size = shape.n() + shape.m();
  if (size <= Recursion::small_system) return std::nullopt;
  if (const std::optional<double> distance = distance_to_dependence(dynamics, at)) return independent(shape, *distance);
  if (size <= most_for_certificate) return std::nullopt;
  throw Error(Errc::numerics, {},
              fmt::format("which of the {} constraints depend on each other is not looked for: with {} coordinates "
                          "these are more than {} together",
                          shape.m(), shape.n(), most_for_certificate),
              "check a part of the model");
}

}  // namespace

Redundancy find_redundancy(Dynamics& dynamics, const State& at) {
  if (const auto known = without_matrices(dynamics.shape(), dynamics, at)) return *known;
  const Acceleration acceleration = acceleration_at(dynamics, at);
  return Certificate({.shape = dynamics.shape(),
                      .active = dynamics.active_rows(),
                      .here = rows_at(dynamics, at, acceleration),
                      .size = 1.0 + acceleration.vdot.norm(),
                      .nearby = [&] { return analysis::nearby_rows(dynamics, at, acceleration); }})
      .make();
}

Redundancy find_redundancy_of_all(analysis::AllRows& all, Dynamics& dynamics, const State& at) {
  if (const auto known = without_matrices(all.shape(), dynamics, at)) return *known;
  const Acceleration acceleration = acceleration_at(dynamics, at);
  return Certificate({.shape = all.shape(),
                      .active = all.active(),
                      .here = all.at(at, acceleration),
                      .size = 1.0 + acceleration.vdot.norm(),
                      .nearby = [&] { return all.nearby(at); },
                      .rank = all.shape().n() - dynamics.freedom()})
      .make();
}

}  // namespace maggi
