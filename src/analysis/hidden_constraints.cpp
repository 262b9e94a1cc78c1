#include "analysis/hidden_constraints.hpp"

#include <fmt/format.h>
#include "base/decompositions.hpp"
#include "base/largest.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "analysis/minor.hpp"
#include "analysis/probe.hpp"
#include "analysis/servo_condition.hpp"
#include "base/names.hpp"
#include "expression/expand.hpp"
#include "expression/substitute.hpp"
#include "maggi/expert/print.hpp"
#include "manifold/projection.hpp"

namespace maggi {

namespace {

using expression::Graph;
using expression::Id;

constexpr double rank_tolerance = 1e-7;  // a start found together with its speeds is that exact
constexpr double distance = 1e-2;        // of configurations nearby, relative to 1 + |q|
constexpr double smallest_share = 1e-6;  // of a combination of unit rows: below it is rounding
constexpr std::size_t most_constraints = 8;

/// The rows of position and velocity level at one state.
class VelocityRows {
 public:
  VelocityRows(const System& system, Workspace& w)
      : system_(system),
        w_(w),
        selection_(system.shape(), rows_of_levels(system.shape(), 2)),
        M_(system.shape().n(), system.shape().n()),
        C_(selection_.size(), system.shape().n()),
        factor_(system.shape().n(), std::max(1, selection_.size()), rank_tolerance) {}

  const MetricFactor& at(const State& state) {
    system_.velocity(state, w_);
    system_.shape().M.scatter(w_.terms.M, M_);
    selection_.matrix(w_.terms.C, C_);
    if (!factor_.compute(M_, C_)) factor_.compute(Matrix::Identity(M_.rows(), M_.rows()), C_);
    return factor_;
  }
  const Matrix& C() const { return C_; }

 private:
  const System& system_;
  Workspace& w_;
  RowSelection selection_;
  Matrix M_, C_;
  MetricFactor factor_;
};

class Explorer {
 public:
  Explorer(const WrittenSystem& written, const State& start, std::string& unfinished)
      : written_(written),
        system_(written.system),
        unfinished_(unfinished),
        shape_(system_.shape()),
        workspace_(system_.workspace()),
        start_(start),
        rows_(system_, *workspace_) {}

  /// The next hidden constraint; nothing if there is none.
  std::optional<HiddenConstraint> find() {
    if (shape_.s_p + shape_.s_v == 0 || start_.v.isZero(1e-9)) return std::nullopt;  // at rest nothing is asked
    find_nearby();
    const MetricFactor& here = rows_.at(start_);
    const int rank = here.rank();
    const std::vector<int> independent(here.independent().begin(), here.independent().end());
    const std::vector<int> dependent(here.dependent().begin(), here.dependent().end());
    const Matrix combinations = here.combinations(), C = rows_.C();
    int rank_nearby = rank;
    for (const State& state : nearby_) rank_nearby = std::max(rank_nearby, rows_.at(state).rank());
    if (rank_nearby == rank) return std::nullopt;
    for (std::size_t i = 0; i < dependent.size(); ++i) {
      std::vector<int> rows = partners(independent, combinations.row(static_cast<Eigen::Index>(i)), C);
      if (rows.size() + 1 > analysis::largest_minor) {
        unfinished_ = fmt::format(
            "\"{}\" depends on {} other constraints where the system moves; a formula can be made "
            "from {} at most",
            shape_.rows[dependent[i]].name, rows.size(), analysis::largest_minor - 1);
        continue;
      }
      if (auto hidden = minor_of(rows, dependent[i], C)) {
        hidden->speeds = shape_.n() - rank;
        hidden->speeds_elsewhere = shape_.n() - rank_nearby;
        return hidden;
      }
    }
    return std::nullopt;
  }

 private:
  /// Configurations around the start that satisfy the position constraints.
  void find_nearby() {
    Projection projection(system_);
    std::mt19937 random(19942007);
    std::uniform_real_distribution<double> uniform(-distance, distance);
    for (int k = 0; k < 8; ++k) {
      State state = start_;
      for (Eigen::Index i = 0; i < state.q.size(); ++i) state.q[i] += uniform(random) * (1.0 + std::abs(state.q[i]));
      if (projection.positions(state, *workspace_)) nearby_.push_back(state);
    }
  }

  /// The rows that take part in a combination.
  static std::vector<int> partners(const std::vector<int>& independent, const Eigen::RowVectorXd& factors,
                                   const Matrix& C) {
    std::vector<int> rows;
    Vector share(factors.size());
    for (Eigen::Index k = 0; k < share.size(); ++k) share[k] = std::abs(factors[k]) * C.row(independent[k]).norm();
    const double smallest = smallest_share * largest(share);
    for (Eigen::Index k = 0; k < share.size(); ++k)
      if (share[k] > smallest) rows.push_back(independent[k]);
    return rows;
  }

  /// (1) for the best conditioned block of the rows.
  std::optional<HiddenConstraint> minor_of(std::vector<int> rows, int dependent, const Matrix& C) {
    std::vector<int> block;
    if (!rows.empty()) {
      const Eigen::ColPivHouseholderQR<Matrix> qr(Matrix(C(rows, Eigen::all)));
      for (std::size_t k = 0; k < rows.size(); ++k)
        block.push_back(static_cast<int>(qr.colsPermutation().indices()[static_cast<Eigen::Index>(k)]));
    }
    rows.push_back(dependent);
    std::sort(rows.begin(), rows.end());
    const DerivedEquations& e = written_.derived;
    Graph graph = e.graph;
    for (int j = 0; j < shape_.n(); ++j) {
      if (std::find(block.begin(), block.end(), j) != block.end()) continue;
      std::vector<int> columns = block;
      columns.push_back(j);
      std::sort(columns.begin(), columns.end());
      analysis::SymbolicMatrix matrix;
      for (const int row : rows) {
        matrix.emplace_back();
        for (const int column : columns) matrix.back().push_back(e.C[row * shape_.n() + column]);
      }
      Id minor = analysis::determinant(graph, matrix);
      minor = expression::expand_trigonometric(graph, minor, e.parameters);
      if (graph.is_zero(minor) || vanishes_nearby(graph, minor)) continue;
      HiddenConstraint hidden;
      hidden.constraint.level = graph.depends_on(minor, e.v) ? Level::velocity : Level::position;
      hidden.constraint.formula = Formula(expression::print(graph, expression::substitute(graph, minor, e.spelling)));
      for (const int row : rows) {
        hidden.from.push_back(shape_.rows[row].name);
        if (!shape_.rows[row].has_multiplier()) hidden.constraint.servo = true;
        hidden.constraint.where = shape_.rows[row].where;
      }
      return hidden;
    }
    return std::nullopt;
  }

  bool vanishes_nearby(const Graph& graph, Id expression) const {
    analysis::Probe probe(written_, graph, expression);
    const auto value = [&](const State& state) { return std::abs(probe(state)); };
    constexpr double vanishing = 1e-9;
    const double here = value(start_);
    return std::all_of(nearby_.begin(), nearby_.end(),
                       [&](const State& state) { return value(state) <= vanishing + 1e3 * here; });
  }

  const WrittenSystem& written_;
  const System& system_;
  std::string& unfinished_;
  const Shape& shape_;
  std::unique_ptr<Workspace> workspace_;
  const State& start_;
  VelocityRows rows_;
  std::vector<State> nearby_;
};

/// "hidden_1", or the next that is free.
std::string free_name(const Model& model) {
  int number = 1;
  std::string name;
  do name = fmt::format("hidden_{}", number++);
  while (std::any_of(model.constraints.begin(), model.constraints.end(),
                     [&](const Constraint& c) { return c.name == name; }));
  return name;
}

/// How often the rows that a condition follows from are differentiated until it appears: rows of velocity level from
/// the motion, rows of acceleration level from the controls.
int count_derivatives(const HiddenConstraint& hidden, const Shape& shape, const std::vector<HiddenConstraint>& before) {
  int most = 0;
  for (const std::string& name : hidden.from) {
    const auto row = std::ranges::find(shape.rows, name, &Row::name);
    int derivatives = hidden.cause == HiddenConstraint::Cause::control
                          ? static_cast<int>(Level::acceleration) - static_cast<int>(row->level)
                          : (row->level == Level::position ? 1 : 0);
    for (const HiddenConstraint& h : before)
      if (h.constraint.name == name) derivatives += h.derivatives;
    most = std::max(most, derivatives);
  }
  return most;
}

}  // namespace

bool find_next_hidden_constraint(const WrittenSystem& system, const State& state, Model& model,
                                 HiddenConstraints& hidden) {
  std::optional<HiddenConstraint> next = Explorer(system, state, hidden.unfinished).find();
  if (!next) next = analysis::find_servo_condition(system, state, hidden.unfinished);
  if (!next) return false;
  if (hidden.found.size() == most_constraints) {
    hidden.unfinished = fmt::format("{} hidden constraints were found, and there are more", most_constraints);
    return false;
  }
  next->constraint.name = free_name(model);
  next->constraint.hidden = true;
  next->derivatives = count_derivatives(*next, system.system.shape(), hidden.found);
  model.constraints.push_back(next->constraint);
  hidden.found.push_back(std::move(*next));
  return true;
}

}  // namespace maggi
