#include "analysis/servo_condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "analysis/minor.hpp"
#include "analysis/probe.hpp"
#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "base/names.hpp"
#include "basis/realisation.hpp"
#include "expression/expand.hpp"
#include "expression/needed.hpp"
#include "expression/substitute.hpp"
#include "expression/tidy.hpp"
#include "maggi/expert/parse.hpp"
#include "maggi/expert/print.hpp"
#include "manifold/projection.hpp"

namespace maggi::analysis {

namespace {

using expression::Graph;
using expression::Id;
using expression::Op;

constexpr double distance = 1e-2;   // of states nearby, relative to 1 + |q|, 1 + |v|
constexpr double vanishing = 1e-9;  // of a value, relative to what it is off the constraints; of a factor of a unit row
constexpr int samples = 6;

/// A row of K: the balance of forces on a coordinate, or a constraint.
struct BlockRow {
  bool balance;
  int index;  // coordinate, or row of the shape
};

class ServoExplorer {
 public:
  ServoExplorer(const WrittenSystem& system, const State& state, std::string& unfinished)
      : written_(system),
        system_(system.system),
        shape_(system_.shape()),
        e_(system.derived),
        graph_(e_.graph),
        w_(system_.workspace()),
        unfinished_(unfinished) {
    for (int i = 0; i < shape_.m(); ++i)
      if (shape_.rows[i].active_at_start) (shape_.rows[i].has_multiplier() ? ideal_ : servo_).push_back(i);
    find_samples(state);
  }

  std::optional<HiddenConstraint> find() {
    const Realisation here = realisation(on_.front());
    const auto needed = static_cast<int>(std::ranges::count_if(servo_, [&](int i) { return !shape_.rows[i].hidden; }));
    check_controls(here, needed);
    if (here.rank() == needed) return std::nullopt;
    for (const State& state : on_)
      if (realisation(state).rank() > here.rank())
        return std::nullopt;  // in this configuration only: the start is refused
    std::vector<int> idle;
    for (int i = 0; i < static_cast<int>(servo_.size()); ++i) {
      if (std::find(here.served().begin(), here.served().end(), i) != here.served().end()) continue;
      if (std::optional<HiddenConstraint> condition = condition_of(here, servo_[i])) return condition;
      idle.push_back(servo_[i]);
    }
    if (unfinished_.empty()) refuse_idle(idle);
    return std::nullopt;
  }

 private:
  int controls() const { return static_cast<int>(shape_.controls.size()); }

  /// States on the constraints, the first is the one given; and others beside them.
  void find_samples(const State& state) {
    Projection projection(system_);
    std::mt19937 random(20042007);
    std::uniform_real_distribution<double> uniform(-distance, distance);
    on_.push_back(state);
    for (int k = 0; k < samples; ++k) {
      State moved = state;
      for (double& x : moved.q) x += uniform(random) * (1.0 + std::abs(x));
      for (double& x : moved.v) x += uniform(random) * (1.0 + std::abs(x));
      if (shape_.rheonomic) moved.t += std::abs(uniform(random));
      off_.push_back(moved);
      if (projection(moved, *w_)) on_.push_back(std::move(moved));
    }
  }

  Matrix rows_of(const std::vector<int>& rows) {
    const RowSelection selection(shape_, rows);
    Matrix C(selection.size(), shape_.n());
    selection.matrix(w_->terms.C, C);
    return C;
  }

  Realisation realisation(const State& state) {
    system_.acceleration(state, *w_);
    Matrix M(shape_.n(), shape_.n()), B = Matrix::Zero(shape_.n(), controls());
    shape_.M.scatter(w_->terms.M, M);
    shape_.B.scatter(w_->terms.B, B);
    return {M, rows_of(ideal_), rows_of(servo_), B};
  }

  /// Controls may act alike where there are more than the constraints need.
  void check_controls(const Realisation& here, int needed) const {
    const Matrix idle = here.without_effect();
    if (idle.cols() == 0) return;
    std::vector<std::string> names;
    const Vector part = idle.col(0).cwiseAbs();
    const double noticed = vanishing * largest(part);
    for (Eigen::Index j = 0; j < part.size(); ++j)
      if (part[j] > noticed) names.push_back(shape_.controls[j].name);
    const Where& where = shape_.controls[0].where;
    if (names.size() == 1)
      throw Error(
          Errc::model, where,
          fmt::format("control {} has no effect: it acts along constraints that hold anyway", list_names(names)),
          "let it act on a motion that the ideal constraints leave free");
    if (controls() - static_cast<int>(idle.cols()) >= needed) return;
    throw Error(Errc::model, where,
                fmt::format("the controls {} act alike: a combination of them moves nothing", list_names(names)),
                "leave one of them out, with the servo constraint it was to keep");
  }

  [[noreturn]] void refuse_idle(const std::vector<int>& rows) const {
    std::vector<std::string> names;
    for (const int i : rows) names.push_back(shape_.rows[i].name);
    throw Error(Errc::model, shape_.rows[rows.front()].where,
                fmt::format("no control can influence {}, neither at once nor through the motion", list_names(names)),
                "let a control act on what it contains, or leave out the constraint and one control");
  }

  // --- the block (1) -----------------------------------------------------------------------------------------------

  /// Rows of K at a state, without the right side.
  Matrix block(const std::vector<BlockRow>& rows, const std::vector<int>& independent, const State& state) {
    const int n = shape_.n(), r = static_cast<int>(independent.size());
    system_.acceleration(state, *w_);
    Matrix M(n, n), B = Matrix::Zero(n, controls()), C(shape_.m(), n);
    shape_.M.scatter(w_->terms.M, M);
    shape_.B.scatter(w_->terms.B, B);
    shape_.C.scatter(w_->terms.C, C);
    Matrix K = Matrix::Zero(static_cast<Eigen::Index>(rows.size()), n + r + controls());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const int at = rows[i].index;
      if (!rows[i].balance) {
        K.row(i).head(n) = C.row(at);
        continue;
      }
      K.row(i).head(n) = M.row(at);
      for (int k = 0; k < r; ++k) K(i, n + k) = -C(independent[k], at);
      K.row(i).tail(controls()) = -B.row(at);
    }
    return K;
  }

  /// Rows and columns scaled towards unit length, so that units do not matter.
  static void equilibrate(Matrix& K) {
    const auto scale = [](double norm) { return norm > 0.0 ? 1.0 / std::sqrt(norm) : 1.0; };
    for (int pass = 0; pass < 8; ++pass) {
      K = Vector(K.rowwise().norm().unaryExpr(scale)).asDiagonal() * K;
      K = K * Vector(K.colwise().norm().transpose().unaryExpr(scale)).asDiagonal();
    }
  }

  /// The last row as a combination of the others: those that take part, at any sample, and the row itself.
  std::vector<BlockRow> partners(const std::vector<BlockRow>& rows, const std::vector<int>& independent) {
    std::vector<bool> part(rows.size(), false);
    const auto last = static_cast<Eigen::Index>(rows.size()) - 1;
    for (const State& state : on_) {
      Matrix K = block(rows, independent, state);
      equilibrate(K);
      const Vector factors = K.topRows(last).transpose().colPivHouseholderQr().solve(K.row(last).transpose());
      for (Eigen::Index i = 0; i < last; ++i)
        if (std::abs(factors[i]) > vanishing) part[i] = true;
    }
    part.back() = true;
    std::vector<BlockRow> result;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (part[i]) result.push_back(rows[i]);
    return result;
  }

  /// (2) as an expression.
  Id minor(const std::vector<BlockRow>& rows, const std::vector<int>& independent) {
    Matrix K = block(rows, independent, on_.front());
    equilibrate(K);
    const auto last = K.rows() - 1;
    std::vector<Eigen::Index> columns;
    if (last > 0) {
      const Eigen::ColPivHouseholderQR<Matrix> qr(K.topRows(last));
      for (Eigen::Index k = 0; k < last; ++k) columns.push_back(qr.colsPermutation().indices()[k]);
    }
    std::sort(columns.begin(), columns.end());
    SymbolicMatrix matrix;
    for (const BlockRow& row : rows) {
      std::vector<Id> entries;
      for (const Eigen::Index column : columns) entries.push_back(entry(row, static_cast<int>(column), independent));
      entries.push_back(row.balance ? e_.h[row.index] : e_.gamma[row.index]);
      matrix.push_back(std::move(entries));
    }
    return determinant(graph_, matrix);
  }

  Id entry(const BlockRow& row, int column, const std::vector<int>& independent) {
    const int n = shape_.n(), r = static_cast<int>(independent.size()), i = row.index;
    if (!row.balance) return column < n ? e_.C[i * n + column] : graph_.constant(0.0);
    if (column < n) {
      const int below = std::max(i, column), left = std::min(i, column);
      return e_.M[below * (below + 1) / 2 + left];
    }
    if (column < n + r) return graph_.negate(e_.C[independent[column - n] * n + i]);
    return graph_.negate(e_.B[i * controls() + column - n - r]);
  }

  // --- the condition -----------------------------------------------------------------------------------------------

  std::optional<HiddenConstraint> condition_of(const Realisation& here, int servo_row) {
    std::vector<int> independent;
    for (const int i : here.independent()) independent.push_back(ideal_[i]);
    std::vector<BlockRow> rows;
    for (int i = 0; i < shape_.n(); ++i) rows.push_back({true, i});
    for (const int i : independent) rows.push_back({false, i});
    for (const int i : here.served()) rows.push_back({false, servo_[i]});
    rows.push_back({false, servo_row});
    rows = partners(rows, independent);
    if (rows.size() > largest_minor)
      return leave(fmt::format("{} equations take part, more than the {} from which a formula can be made", rows.size(),
                               largest_minor),
                   servo_row);
    for (const BlockRow& row : rows) {
      if (row.balance) continue;
      check_smooth(row.index);
      if (shape_.rows[row.index].level == Level::acceleration && shape_.rows[row.index].nonlinear)
        return leave(fmt::format("\"{}\" is not linear in the accelerations", shape_.rows[row.index].name), servo_row);
    }
    Id g = without(e_.a, minor(rows, independent));
    if (vanishes(g)) return std::nullopt;
    if (!depends_on_state(g)) return std::nullopt;
    const bool position = !depends_on_velocity(g);
    if (position) g = without(e_.v, g);
    return describe(g, position ? Level::position : Level::velocity, rows, servo_row);
  }

  Id without(const std::vector<Id>& variables, Id g) {
    std::vector<std::pair<Id, Id>> zeros;
    for (const Id x : variables) zeros.emplace_back(x, graph_.constant(0.0));
    return expression::substitute(graph_, g, zeros);
  }

  std::optional<HiddenConstraint> leave(const std::string& why, int row) {
    unfinished_ = fmt::format("what \"{}\" hides cannot be derived: {}", shape_.rows[row].name, why);
    return std::nullopt;
  }

  double size(Probe& probe) {
    Largest value;
    for (const State& state : off_) value.note(probe(state));
    return value.value();
  }

  /// On the constraints, relative to what it is beside them.
  bool vanishes(Id g) {
    Probe probe(written_, graph_, g);
    const double scale = size(probe);
    return std::all_of(on_.begin(), on_.end(),
                       [&](const State& state) { return within(std::abs(probe(state)), vanishing * scale); });
  }

  bool changes(Id g, bool positions) {
    Probe probe(written_, graph_, g);
    const double scale = size(probe);
    for (const State& at : off_)
      for (const State& other : off_) {
        State moved = at;
        moved.v = other.v;
        if (positions) moved.q = other.q;
        if (!within(std::abs(probe(moved) - probe(at)), vanishing * scale)) return true;
      }
    return false;
  }
  bool depends_on_velocity(Id g) { return changes(g, false); }
  bool depends_on_state(Id g) { return changes(g, true); }

  HiddenConstraint describe(Id g, Level level, const std::vector<BlockRow>& rows, int servo_row) {
    HiddenConstraint hidden;
    hidden.cause = HiddenConstraint::Cause::control;
    hidden.constraint.level = level;
    hidden.constraint.servo = true;
    hidden.constraint.where = shape_.rows[servo_row].where;
    g = expression::tidy(graph_, expression::expand_trigonometric(graph_, g, e_.parameters));
    g = expression::substitute(graph_, g, e_.spelling);
    hidden.constraint.formula = Formula(expression::print(graph_, g));
    for (const BlockRow& row : rows)
      if (!row.balance) hidden.from.push_back(shape_.rows[row.index].name);
    return hidden;
  }

  /// The path is differentiated further: it must be smooth.
  void check_smooth(int row) const {
    const Row& constraint = shape_.rows[row];
    if (constraint.level == Level::acceleration) return;
    const Id formula = constraint.level == Level::position ? e_.f[row] : e_.phi[row];
    const std::vector<bool> needed = expression::needed_nodes(e_.graph, formula);
    for (Id id = 0; id < needed.size(); ++id) {
      if (!needed[id] || e_.graph[id].op < Op::abs || !e_.graph.depends_on(id, {e_.t})) continue;
      throw Error(
          Errc::model, constraint.where,
          fmt::format("servo constraint \"{}\" contains abs, sign, min, max, if or a comparison of time, but no "
                      "control reaches it at once: its path must have four continuous derivatives",
                      constraint.name),
          "write the path as one smooth formula, for example a polynomial of degree nine from rest to rest");
    }
  }

  const WrittenSystem& written_;
  const System& system_;
  const Shape& shape_;
  const DerivedEquations& e_;
  Graph graph_;
  std::unique_ptr<Workspace> w_;
  std::string& unfinished_;
  std::vector<int> ideal_, servo_;
  std::vector<State> on_, off_;
};

}  // namespace

std::optional<HiddenConstraint> find_servo_condition(const WrittenSystem& system, const State& state,
                                                     std::string& unfinished) {
  if (system.system.shape().controls.empty()) return std::nullopt;
  return ServoExplorer(system, state, unfinished).find();
}

}  // namespace maggi::analysis
