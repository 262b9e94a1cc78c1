#include "simulation/solved_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "dynamics/contact_decision.hpp"
#include "results/multipliers.hpp"
#include "start/initial_conditions.hpp"
#include "system/seam/displacement.hpp"

namespace maggi {

namespace {

/// The start of a search from a state, in which values can be given.
class ChangedStart {
 public:
  ChangedStart(const Shape& shape, const Start& of_model, const State& from)
      : shape_(shape), from_(from), start_(of_model) {
    start_.t = from.t;
    start_.vdot.clear();
    start_.lambda.clear();
    start_.reaction.clear();
    if (!shape.identity_rates) start_.origin = from.q;
    for (int i = 0; i < shape.n(); ++i) {
      start_.q[i] = guess(shape.identity_rates ? from.q[i] : 0.0, start_.q[i].weight);
      start_.v[i] = guess(from.v[i], start_.v[i].weight);
    }
  }

  void give(const NamedValue& given) {
    if (given.name == "t") {
      start_.t = given.value;
      return;
    }
    for (int i = 0; i < shape_.n(); ++i) {
      if (given.name == shape_.velocities[i].name) return set(start_.v[i], given, given.value);
      if (given.name != displacement_name(shape_, i)) continue;
      const double before = shape_.identity_rates ? 0.0 : from_.q[coordinate(given)];
      return set(start_.q[i], given, given.value - before);
    }
    refuse(given);
  }

  const Start& start() const { return start_; }

 private:
  static Start::Value guess(double value, double weight) {
    return {.value = value, .given = false, .guessed = true, .weight = weight};
  }
  static void set(Start::Value& target, const NamedValue& given, double value) {
    if (target.given)
      throw Error(Errc::model, given.where, fmt::format("two values are given for \"{}\"", given.name), "give one");
    target.value = value;
    target.given = true;
    target.where = given.where;
  }

  /// The coordinate that a displacement of this name changes.
  int coordinate(const NamedValue& given) const {
    const auto found = std::ranges::find(shape_.coordinates, given.name, &Channel::name);
    if (found == shape_.coordinates.end()) refuse(given);
    return static_cast<int>(found - shape_.coordinates.begin());
  }

  [[noreturn]] void refuse(const NamedValue& given) const {
    const std::string& name = given.name;
    std::vector<std::string> names;
    for (int i = 0; i < shape_.n(); ++i) {
      const std::string position = displacement_name(shape_, i);
      if (std::ranges::find(shape_.coordinates, position, &Channel::name) != shape_.coordinates.end())
        names.push_back(position);
      names.push_back(shape_.velocities[i].name);
    }
    const bool known = std::ranges::find(shape_.coordinates, name, &Channel::name) != shape_.coordinates.end();
    throw Error(Errc::model, given.where,
                known ? fmt::format("\"{}\" is a part of an orientation and cannot be changed by itself", name)
                      : fmt::format("no coordinate or velocity is named \"{}\"", name),
                known ? "give it in the model, as start of the joint" : suggest_name(name, names));
  }

  const Shape& shape_;
  const State& from_;
  Start start_;
};

}  // namespace

SolvedState solve_at(const System& system, const State& state, const Mode& mode) {
  Dynamics dynamics(system);
  dynamics.set_mode(mode);
  dynamics.decide_rows(state);
  SolvedState result{state, mode, {}, {}};
  if (!dynamics.solve(state, result.acceleration)) throw Error(Errc::numerics, {}, dynamics.explain(state));
  result.open = undetermined_multipliers(dynamics, state);
  return result;
}

Mode mode_at(const System& system, const State& state, const Mode& mode) {
  Dynamics dynamics(system);
  dynamics.set_mode(mode);
  ContactDecision decision(dynamics);
  return decision.needed() ? decision.decide(state, mode) : mode;
}

SolvedState solve_changed(const System& system, const SolvedState& from, const std::vector<NamedValue>& values) {
  const Shape& shape = system.shape();
  ChangedStart changed(shape, system.start(), from.state);
  for (const NamedValue& each : values) changed.give(each);
  Mode mode = from.mode;
  for (int i = 0; i < shape.m(); ++i)
    if (shape.rows[i].one_sided) mode.rows[i] = false;  // which of them press is decided there
  Dynamics dynamics(system);
  dynamics.set_mode(mode);
  const InitialConditions found = find_initial_conditions(dynamics, changed.start());
  return {found.state, found.mode, found.acceleration, undetermined_multipliers(dynamics, found.state)};
}

}  // namespace maggi
