// Whether reactions that are given are those of ideal constraints.
#include "maggi/ideality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/working_part.hpp"
#include "base/largest.hpp"
#include "base/names.hpp"
#include "maggi/error.hpp"
#include "maggi/simulation.hpp"
#include "manifold/projection.hpp"
#include "simulation/in_force.hpp"
#include "simulation/solved_state.hpp"

namespace maggi {

namespace {

/// The columns by what they stand for.
class GivenReactions {
 public:
  GivenReactions(const Shape& shape, const NamedColumns& columns) : columns_(columns) {
    check_columns();
    t_ = &values("t");
    const auto& along = shape.identity_rates ? shape.coordinates : shape.velocities;
    for (const Channel& each : along) reactions_.push_back(&values("reaction." + each.name));
    find_states(shape);
    check_times();
  }

  std::size_t size() const { return t_->size(); }
  double t(std::size_t line) const { return (*t_)[line]; }
  Vector reaction(std::size_t line) const { return entries(reactions_, line); }
  bool has_states() const { return !q_.empty(); }
  State state(std::size_t line) const { return {t(line), entries(q_, line), entries(v_, line)}; }

 private:
  using Column = const std::vector<double>*;

  const std::vector<double>* find(const std::string& name) const {
    const auto found = std::ranges::find(columns_, name, &NamedColumns::value_type::first);
    return found == columns_.end() ? nullptr : &found->second;
  }
  const std::vector<double>& values(const std::string& name) const {
    if (const Column found = find(name)) return *found;
    std::vector<std::string> names;
    for (const auto& column : columns_) names.push_back(column.first);
    throw Error(
        Errc::model, {}, fmt::format("there is no column \"{}\"", name),
        fmt::format("the columns needed are t and reaction.NAME for each coordinate; {}", suggest_name(name, names)));
  }
  static Vector entries(const std::vector<Column>& columns, std::size_t line) {
    Vector result(static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i) result[static_cast<Eigen::Index>(i)] = (*columns[i])[line];
    return result;
  }

  void check_columns() const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto& [name, values] = columns_[i];
      if (values.size() != columns_.front().second.size())
        throw Error(Errc::model, {},
                    fmt::format("column \"{}\" has {} numbers, \"{}\" has {}", name, values.size(),
                                columns_.front().first, columns_.front().second.size()),
                    "each line gives one instant");
      for (std::size_t line = 0; line < values.size(); ++line)
        if (!std::isfinite(values[line]))
          throw Error(Errc::model, {}, fmt::format("\"{}\" is {} in line {}", name, values[line], line + 1),
                      "leave the line out");
      for (std::size_t j = 0; j < i; ++j)
        if (columns_[j].first == name)
          throw Error(Errc::model, {}, fmt::format("there are two columns \"{}\"", name), "leave one out");
    }
  }

  /// All coordinates and velocities, or none of them.
  void find_states(const Shape& shape) {
    std::string there, missing;
    const auto take = [&](const std::vector<Channel>& names, std::vector<Column>& columns) {
      for (const Channel& each : names) {
        columns.push_back(find(each.name));
        (columns.back() ? there : missing) = each.name;
      }
    };
    take(shape.coordinates, q_);
    take(shape.velocities, v_);
    if (!there.empty() && !missing.empty())
      throw Error(Errc::model, {}, fmt::format("there is a column \"{}\", but none for \"{}\"", there, missing),
                  "give all coordinates and velocities, or none: then the states are those of the run");
    if (!missing.empty()) q_.clear(), v_.clear();
  }

  void check_times() const {
    if (size() == 0) throw Error(Errc::model, {}, "there are no instants: the columns are empty");
    for (std::size_t i = 1; i < size(); ++i)
      if (!(t(i) >= t(i - 1)))
        throw Error(Errc::model, {}, fmt::format("t = {} s stands after {} s", t(i), t(i - 1)),
                    "the lines must be in the order of time");
  }

  const NamedColumns& columns_;
  Column t_ = nullptr;
  std::vector<Column> reactions_, q_, v_;
};

/// The states at the times asked for, one after the other, with what is in force there.
class States {
 public:
  States(Simulation& simulation, const GivenReactions& given) : simulation_(simulation), given_(given) {
    const double begin = simulation.start().state.t, end = given.t(given.size() - 1);
    if (given.t(0) < begin)
      throw Error(Errc::model, {},
                  fmt::format("the reactions begin at t = {:.9g} s, before the start of the model at {:.9g} s",
                              given.t(0), begin),
                  "leave these lines out, or change `from` in [simulation]");
    const bool switches = std::ranges::any_of(simulation.system().shape().rows, &Row::one_sided) ||
                          !simulation.system().shape().events.empty();
    if ((!given.has_states() || switches) && end > begin)
      run_.emplace(simulation.begin({.until = end, .output = end - begin}));
  }

  std::pair<State, Mode> at(std::size_t line) {
    State state = simulation_.start().state;
    Mode mode = simulation_.start().mode;
    if (run_) {
      const double t = given_.t(line);
      run_->advance(t);
      if (run_->t() != t)
        throw Error(
            Errc::numerics, {},
            fmt::format("the run ends at t = {:.9g} s, before the reactions given at {:.9g} s: {}", run_->t(), t,
                        run_->explanation().empty() ? std::string(outcome_name(run_->outcome())) : run_->explanation()),
            "leave the later lines out");
      const Run::Snapshot now = run_->snapshot();
      state = now.state, mode = now.mode;
    }
    if (!given_.has_states()) return {state, mode};
    state = given_.state(line);
    return {state, mode_at(simulation_.system(), state, mode)};
  }

 private:
  Simulation& simulation_;
  const GivenReactions& given_;
  std::optional<Run> run_;  // none: the states are given
};

/// M and the rows in force at a state.
void load(const System& system, const State& state, const Mode& mode, Workspace& w, Matrix& M, Matrix& C) {
  const Shape& shape = system.shape();
  const RowSelection rows(shape, InForce(shape, mode).rows);
  system.acceleration(state, w);
  if (std::ranges::any_of(shape.rows,
                          [](const Row& row) { return row.level == Level::acceleration && row.nonlinear; })) {
    const Acceleration a = solve_at(system, state, mode).acceleration;
    system.nonlinear_rows(state, a.vdot.data(), a.lambda.data(), w);
  }
  M.resize(shape.n(), shape.n());
  C.resize(rows.size(), shape.n());
  shape.M.scatter(w.terms.M, M);
  rows.matrix(w.terms.C, C);
}

/// With ‖M w‖ as its share. `whole`: ‖r‖.
Ideality::Instant instant(const State& state, const Vector& r, const Matrix& M, const Matrix& C, double& whole) {
  const std::optional<WorkingPart> part = working_part(M, C, r);
  if (!part)
    throw Error(Errc::numerics, {}, "the mass matrix is singular, so that reactions cannot be compared by their work",
                "give every coordinate some inertia");
  whole = part->whole;
  Ideality::Instant result{.t = state.t, .share = part->size, .power = (M * part->w).dot(state.v), .motion = part->w};
  Eigen::Index most = 0;
  if (largest(part->w, &most) > 0.0) result.motion /= part->w[most];
  result.work = r.dot(result.motion);
  return result;
}

}  // namespace

Ideality find_ideality(Simulation& simulation, const NamedColumns& columns, const IdealityOptions& options) {
  if (!(options.tolerance >= 0.0))
    throw Error(Errc::model, {}, fmt::format("the tolerance {} is not at least 0", options.tolerance),
                "for example 1e-3");
  const System& system = simulation.system();
  const Shape& shape = system.shape();
  if (shape.m() == 0) throw Error(Errc::model, {}, "the model has no constraints, and so no reactions");
  const GivenReactions given(shape, columns);
  States states(simulation, given);
  const auto workspace = system.workspace();
  Ideality result;
  result.title = simulation.title(), result.tolerance = options.tolerance, result.states_given = given.has_states();
  for (const Channel& each : shape.velocities) result.velocities.push_back(each.name);
  Largest whole, residual;
  Matrix M, C;
  for (std::size_t line = 0; line < given.size(); ++line) {
    const auto [state, mode] = states.at(line);
    if (given.has_states()) residual.note(Projection(system).residuals(state, *workspace).position);
    load(system, state, mode, *workspace, M, C);
    double size = 0.0;
    result.instants.push_back(instant(state, given.reaction(line), M, C, size));
    whole.note(size);
  }
  for (Ideality::Instant& each : result.instants)
    if (whole.value() > 0.0) each.share /= whole.value();
  result.worst = static_cast<std::size_t>(std::ranges::max_element(result.instants, {}, &Ideality::Instant::share) -
                                          result.instants.begin());
  result.residual = residual.value();
  return result;
}

}  // namespace maggi
