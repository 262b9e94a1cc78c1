#include "analysis/complete_system.hpp"

#include <exception>
#include <optional>

#include "system/make_system.hpp"

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
  const bool may_hide =
      !model.mechanism.given();  // a mechanism has no formulas from which a condition could be derived
  Attempt attempt = attempt_start(model, formulation, basis, may_hide);
  if (may_hide) {
    HiddenConstraints hidden;
    Model extended = model;
    const auto find_next = [&] {
      const auto* formulas = dynamic_cast<const EquationSystem*>(attempt.complete.system.get());
      return formulas && attempt.state && find_next_hidden_constraint(*formulas, *attempt.state, extended, hidden);
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
      throw Error(Errc::model, {model.file}, hidden.unfinished);
    attempt.complete.hidden = std::move(hidden);
  }
  if (attempt.no_start) std::rethrow_exception(attempt.no_start);
  return std::move(attempt.complete);
}

}  // namespace maggi
