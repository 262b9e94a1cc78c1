#include "analysis/complete_system.hpp"

#include <optional>

#include "system/make_system.hpp"

namespace maggi {

namespace {

/// The system of a model, and the search for its start as far as positions and velocities: these are enough to see what
/// the model hides, and without what it hides there may be no accelerations.
struct Attempt {
  Attempt(std::unique_ptr<System> made, std::string_view formulation, std::string_view basis)
      : system(std::move(made)),
        dynamics(std::make_unique<Dynamics>(*system, formulation, basis)),
        finder(*dynamics, system->start()),
        state(finder.motion()) {}

  std::shared_ptr<System> system;
  std::unique_ptr<Dynamics> dynamics;
  StagedStart finder;
  std::optional<State> state;
};

/// Adds what the model hides, one constraint after the other: each is found where the system moves without it.
HiddenConstraints add_hidden_constraints(const Model& model, const Numbers& numbers, std::string_view formulation,
                                         std::string_view basis, std::unique_ptr<Attempt>& attempt) {
  HiddenConstraints hidden;
  Model extended = model;
  const auto find_next = [&] {
    const auto* formulas = dynamic_cast<const EquationSystem*>(attempt->system.get());
    return formulas && attempt->state && find_next_hidden_constraint(*formulas, *attempt->state, extended, hidden);
  };
  while (find_next()) {
    auto next = std::make_unique<Attempt>(make_system(extended, numbers), formulation, basis);
    // the motion leaves the configuration at once: what was found last is no constraint
    if (!next->state && hidden.found.back().cause == HiddenConstraint::Cause::motion) {
      hidden.found.pop_back();
      break;
    }
    attempt = std::move(next);
  }
  if (!hidden.unfinished.empty() && !model.controls.empty()) throw Error(Errc::model, {model.file}, hidden.unfinished);
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
  const bool may_hide =
      !model.mechanism.given();  // a mechanism has no formulas from which a condition could be derived
  if (before && may_hide)
    if (std::optional<CompleteSystem> same = take_over(*before, model, numbers, formulation, basis))
      return std::move(*same);
  auto attempt = std::make_unique<Attempt>(
      before && !may_hide ? with_numbers(*before->system, model, numbers) : make_system(model, numbers), formulation,
      basis);
  CompleteSystem complete;
  if (may_hide) complete.hidden = add_hidden_constraints(model, numbers, formulation, basis, attempt);
  complete.start = attempt->finder.complete();
  complete.system = std::move(attempt->system);
  complete.dynamics = std::move(attempt->dynamics);
  return complete;
}

}  // namespace maggi
