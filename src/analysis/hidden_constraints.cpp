#include "maggi/analysis/hidden_constraints.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "maggi/expression/expand.hpp"
#include "maggi/expression/print.hpp"
#include "maggi/expression/tape.hpp"

namespace maggi {

namespace {

using expression::Graph;
using expression::Id;

constexpr double rank_tolerance = 1e-7;   // a start found together with its speeds is that exact
constexpr double distance = 1e-2;         // of poses nearby, relative to 1 + |q|
constexpr double smallest_factor = 1e-6;  // of a combination of unit rows: below it is rounding
constexpr std::size_t largest_minor = 7;  // k! terms at most
constexpr int most_constraints = 5;       // levels at which something may hide

/// The rows of position and velocity level at one state.
class VelocityRows {
 public:
  VelocityRows(const EquationSystem& system, Workspace& w)
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
  const EquationSystem& system_;
  Workspace& w_;
  RowSelection selection_;
  Matrix M_, C_;
  MetricFactor factor_;
};

/// The determinant of some rows and columns of C, by expansion along the first row.
Id determinant(Graph& graph, const DerivedEquations& e, const std::vector<int>& rows, const std::vector<int>& columns,
               std::size_t first = 0) {
  if (first == rows.size()) return graph.constant(1.0);
  Id sum = graph.constant(0.0);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Id entry = e.C[rows[first] * e.q.size() + columns[j]];
    if (graph.is_zero(entry)) continue;
    std::vector<int> others = columns;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(j));
    const Id term = graph.multiply(entry, determinant(graph, e, rows, others, first + 1));
    sum = j % 2 == 0 ? graph.add(sum, term) : graph.subtract(sum, term);
  }
  return sum;
}

class Explorer {
 public:
  Explorer(const EquationSystem& system, const State& start)
      : system_(system),
        shape_(system.shape()),
        workspace_(system.workspace()),
        start_(start),
        rows_(system, *workspace_) {}

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
      if (rows.size() + 1 > largest_minor) continue;
      if (auto hidden = minor_of(rows, dependent[i], C)) {
        hidden->speeds = shape_.n() - rank;
        hidden->speeds_elsewhere = shape_.n() - rank_nearby;
        return hidden;
      }
    }
    return std::nullopt;
  }

 private:
  /// Poses around the start that satisfy the position constraints.
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
    for (Eigen::Index k = 0; k < share.size(); ++k)
      if (share[k] > smallest_factor * share.maxCoeff()) rows.push_back(independent[k]);
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
    const DerivedEquations& e = system_.derived();
    Graph graph = e.graph;
    for (int j = 0; j < shape_.n(); ++j) {
      if (std::find(block.begin(), block.end(), j) != block.end()) continue;
      std::vector<int> columns = block;
      columns.push_back(j);
      std::sort(columns.begin(), columns.end());
      Id minor = determinant(graph, e, rows, columns);
      minor = expression::expand_trigonometric(graph, minor, e.parameters);
      if (graph.is_zero(minor) || vanishes_nearby(graph, minor)) continue;
      HiddenConstraint hidden;
      hidden.constraint.level = graph.depends_on(minor, e.v) ? Level::velocity : Level::position;
      hidden.constraint.formula = Formula(expression::print(graph, minor));
      for (const int row : rows) hidden.from.push_back(shape_.rows[row].name);
      return hidden;
    }
    return std::nullopt;
  }

  bool vanishes_nearby(const Graph& graph, Id expression) const {
    const DerivedEquations& e = system_.derived();
    std::vector<Id> inputs = e.q;
    inputs.insert(inputs.end(), e.v.begin(), e.v.end());
    inputs.push_back(e.t);
    const std::vector<Id> outputs{expression};
    const expression::Tape tape(graph, inputs, e.parameters, outputs);
    std::vector<double> scratch(tape.slots());
    const auto value = [&](const State& state) {
      tape.prepare(system_.parameters(), scratch);
      std::copy(state.q.begin(), state.q.end(), scratch.begin());
      std::copy(state.v.begin(), state.v.end(), scratch.begin() + state.q.size());
      scratch[state.q.size() + state.v.size()] = state.t;
      tape.run(scratch);
      return std::abs(scratch[tape.output(0)]);
    };
    constexpr double vanishing = 1e-9;
    const double here = value(start_);
    return std::all_of(nearby_.begin(), nearby_.end(),
                       [&](const State& state) { return value(state) <= vanishing + 1e3 * here; });
  }

  const EquationSystem& system_;
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

}  // namespace

std::vector<HiddenConstraint> find_hidden_constraints(const Model& model) {
  std::vector<HiddenConstraint> result;
  Model extended = model;
  while (result.size() < most_constraints) {
    const EquationSystem system(extended);
    Dynamics dynamics(system);
    const std::optional<State> start = find_consistent_state(dynamics, system.start());
    if (!start) {  // the motion leaves the pose at once: what was found last is no constraint
      if (!result.empty()) result.pop_back();
      return result;
    }
    std::optional<HiddenConstraint> next = Explorer(system, *start).find();
    if (!next) return result;
    next->constraint.name = free_name(extended);
    extended.constraints.push_back(next->constraint);
    result.push_back(std::move(*next));
  }
  return result;
}

}  // namespace maggi
