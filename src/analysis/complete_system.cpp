#include "analysis/complete_system.hpp"

#include <fmt/format.h>

#include <exception>
#include <optional>

#include "system/formulas/derive.hpp"
#include "system/make_system.hpp"
#include "system/mechanism/functions/formula_mechanism.hpp"

namespace maggi {

namespace {

/// The systems of a model to which one constraint after the other is added. What the constraints do not change is
/// computed once: of formulas the names, M and h, of bodies the numbers and the reference configuration.
class GrowingSystem {
 public:
  GrowingSystem(const Model& model, const Numbers& numbers) : model_(model), numbers_(numbers) {}

  std::unique_ptr<System> first(const DerivedBefore* before) {
    if (model_.mechanism.given())
      return before ? with_numbers(*before->system, model_, numbers_) : make_system(model_, numbers_);
    unconstrained_ = derive_unconstrained(model_, numbers_);
    return make_equations(model_, numbers_, *unconstrained_);
  }

  /// `extended`: the model with more constraints than the last one, of which `last` was made.
  std::unique_ptr<System> next(const Model& extended, const System& last) const {
    if (const auto* mechanism = dynamic_cast<const MechanismSystem*>(&last))
      return mechanism->with_constraints(extended.constraints);
    return make_equations(extended, numbers_, *unconstrained_);
  }

 private:
  const Model& model_;
  const Numbers& numbers_;
  std::optional<UnconstrainedEquations> unconstrained_;  // none: of bodies
};

/// The system of a model, and the search for its start as far as positions and velocities: these are enough to see what
/// the model hides, and without what it hides there may be no accelerations.
struct Attempt {
  Attempt(std::unique_ptr<System> made, std::string_view formulation, std::string_view basis)
      : system(std::move(made)),
        dynamics(std::make_unique<Dynamics>(*system, formulation, basis)),
        finder(*dynamics, system->start()),
        state(finder.motion()) {}

  /// Is there a start with accelerations?
  bool starts() {
    if (!start && !no_start) try {
        start = finder.complete();
      } catch (const Error&) { no_start = std::current_exception(); }
    return start.has_value();
  }
  InitialConditions complete() {
    if (!starts()) std::rethrow_exception(no_start);
    return std::move(*start);
  }

  std::shared_ptr<System> system;
  std::unique_ptr<Dynamics> dynamics;
  StagedStart finder;
  std::optional<State> state;
  std::optional<InitialConditions> start;  // not asked for yet, unless there is none
  std::exception_ptr no_start;
};

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

/// Adds what the model hides, one constraint after the other: each is found where the system moves without it.
HiddenConstraints add_hidden_constraints(const Model& model, const GrowingSystem& systems, std::string_view formulation,
                                         std::string_view basis, std::unique_ptr<Attempt>& attempt) {
  HiddenConstraints hidden;
  Model extended = model;
  // formulas of bodies and joints cost more than the start, and are written where controls do not reach
  const bool of_bodies = model.mechanism.given();
  const auto find_next = [&] {
    if (!attempt->state || (of_bodies && attempt->starts())) return false;
    return find_next_in(*attempt->system, *attempt->state, extended, hidden);
  };
  while (find_next()) {
    auto next = std::make_unique<Attempt>(systems.next(extended, *attempt->system), formulation, basis);
    // the motion leaves the configuration at once: what was found last is no constraint
    if (!next->state && hidden.found.back().cause == HiddenConstraint::Cause::motion) {
      hidden.found.pop_back();
      break;
    }
    attempt = std::move(next);
  }
  if (!hidden.unfinished.empty() && !model.controls.empty())
    throw_unfinished(of_bodies ? attempt->no_start : nullptr, hidden.unfinished, model.file);
  return hidden;
}

/// The start of a model whose equations were derived before; nothing if they do not fit these numbers.
std::optional<CompleteSystem> take_over(const DerivedBefore& before, const Model& model, const Numbers& numbers,
                                        std::string_view formulation, std::string_view basis) {
  CompleteSystem complete;
  try {
    complete.system = with_numbers(*before.system, model, numbers);
    complete.dynamics = std::make_unique<Dynamics>(*complete.system, formulation, basis);
    complete.start = find_initial_conditions(*complete.dynamics, complete.system->start());
  } catch (const Error&) {
    return std::nullopt;  // whether something is hidden there is found out by those who derive it
  }
  if (complete.dynamics->rank() != before.rank) return std::nullopt;
  return complete;
}

}  // namespace

bool may_share(const Model& model, const Numbers& numbers, const System& system, const HiddenConstraints& hidden) {
  return !model.mechanism.given() && hidden.found.empty() && hidden.unfinished.empty() && model.controls.empty() &&
         system.shape().s_a == 0 && EquationSystem::can_share(model, numbers);
}

CompleteSystem complete_system(const Model& model, const Numbers& numbers, std::string_view formulation,
                               std::string_view basis, const DerivedBefore* before) {
  const bool of_bodies = model.mechanism.given(), may_hide = !of_bodies || !model.controls.empty();
  if (before && !of_bodies)
    if (std::optional<CompleteSystem> same = take_over(*before, model, numbers, formulation, basis))
      return std::move(*same);
  GrowingSystem systems(model, numbers);
  auto attempt = std::make_unique<Attempt>(systems.first(before), formulation, basis);
  CompleteSystem complete;
  if (may_hide) complete.hidden = add_hidden_constraints(model, systems, formulation, basis, attempt);
  complete.start = attempt->complete();
  complete.system = std::move(attempt->system);
  complete.dynamics = std::move(attempt->dynamics);
  return complete;
}

}  // namespace maggi
