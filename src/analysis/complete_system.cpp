#include "analysis/complete_system.hpp"

#include <fmt/format.h>

#include <exception>
#include <optional>

#include "system/make_system.hpp"
#include "system/mechanism/functions/formula_mechanism.hpp"

namespace maggi {

namespace {

/// The system of a model, and its start if there is one. Without a start the search for hidden constraints begins at
/// positions and velocities alone.
struct Attempt {
  CompleteSystem complete{};
  std::exception_ptr no_start{};
  std::optional<State> state{};  ///< consistent at position and velocity level
};

Attempt attempt_start(const Model& model, std::string_view formulation, std::string_view basis, bool may_hide) {
  Attempt attempt;
  CompleteSystem& complete = attempt.complete;
  complete.system = make_system(model);
  complete.dynamics = std::make_unique<Dynamics>(*complete.system, formulation, basis);
  try {
    complete.start = find_initial_conditions(*complete.dynamics, complete.system->start());
    attempt.state = complete.start.state;
  } catch (const Error&) {
    if (!may_hide) throw;
    attempt.no_start = std::current_exception();
    Dynamics any(*complete.system);
    attempt.state = find_consistent_state(any, complete.system->start());
  }
  return attempt;
}

/// The next hidden constraint of a system whose equations can be written as formulas.
bool find_next_in(const System& system, const State& state, Model& model, HiddenConstraints& hidden) {
  if (const auto* formulas = dynamic_cast<const EquationSystem*>(&system))
    return find_next_hidden_constraint(*formulas, state, model, hidden);
  const auto* mechanism = dynamic_cast<const mechanism::FormulaMechanism*>(&system);
  if (!mechanism) return false;
  std::optional<DerivedEquations> derived;
  try {
    derived = mechanism->derive();
  } catch (const Error& error) {
    hidden.unfinished = fmt::format("what they hide cannot be derived: {}", error.cause());
    return false;
  }
  return find_next_hidden_constraint({system, *derived, mechanism->formulas().parameters()}, state, model, hidden);
}

/// Why there is no start, and why no hidden constraint could be found that would give one.
[[noreturn]] void throw_unfinished(const std::exception_ptr& no_start, const std::string& unfinished,
                                   const std::string& file) {
  if (!no_start) throw Error(Errc::model, {file}, unfinished);
  try {
    std::rethrow_exception(no_start);
  } catch (const Error& error) {
    throw Error(Errc::model, error.where(), error.cause() + "; " + unfinished, error.help());
  }
}

/// The start of a model whose equations were derived before; nothing if they do not fit these numbers.
std::optional<CompleteSystem> take_over(const DerivedBefore& before, const Model& model, std::string_view formulation,
                                        std::string_view basis) {
  CompleteSystem complete;
  try {
    complete.system = std::make_shared<EquationSystem>(*before.system, model);
    complete.dynamics = std::make_unique<Dynamics>(*complete.system, formulation, basis);
    complete.start = find_initial_conditions(*complete.dynamics, complete.system->start());
  } catch (const Error&) {
    return std::nullopt;  // whether something is hidden there is found out by those who derive it
  }
  if (complete.dynamics->rank() != before.rank) return std::nullopt;
  return complete;
}

}  // namespace

bool may_share(const Model& model, const System& system, const HiddenConstraints& hidden) {
  return !model.mechanism.given() && hidden.found.empty() && hidden.unfinished.empty() && model.controls.empty() &&
         system.shape().s_a == 0 && EquationSystem::can_share(model);
}

CompleteSystem complete_system(const Model& model, std::string_view formulation, std::string_view basis,
                               const DerivedBefore* before) {
  if (before)
    if (std::optional<CompleteSystem> same = take_over(*before, model, formulation, basis)) return std::move(*same);
  const bool of_bodies = model.mechanism.given(), may_hide = !of_bodies || !model.controls.empty();
  Attempt attempt = attempt_start(model, formulation, basis, may_hide);
  if (may_hide) {
    HiddenConstraints hidden;
    Model extended = model;
    // formulas of bodies and joints cost more than the start, and are written where controls do not reach
    const auto find_next = [&] {
      if (!attempt.state || (of_bodies && !attempt.no_start)) return false;
      return find_next_in(*attempt.complete.system, *attempt.state, extended, hidden);
    };
    while (find_next()) {
      Attempt next = attempt_start(extended, formulation, basis, may_hide);
      // the motion leaves the configuration at once: what was found last is no constraint
      if (!next.state && hidden.found.back().cause == HiddenConstraint::Cause::motion) {
        hidden.found.pop_back();
        break;
      }
      attempt = std::move(next);
    }
    if (!hidden.unfinished.empty() && !model.controls.empty())
      throw_unfinished(of_bodies ? attempt.no_start : nullptr, hidden.unfinished, model.file);
    attempt.complete.hidden = std::move(hidden);
  }
  if (attempt.no_start) std::rethrow_exception(attempt.no_start);
  return std::move(attempt.complete);
}

}  // namespace maggi
