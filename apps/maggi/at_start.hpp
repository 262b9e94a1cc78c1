#pragma once
#include <memory>
#include <string>
#include <vector>

#include "analysis/hidden_constraints.hpp"
#include "dynamics/dynamics.hpp"
#include "model_choice.hpp"
#include "start/initial_conditions.hpp"
#include "system/formula_evaluator.hpp"
#include "system/make_system.hpp"

namespace maggi::app {

/// A model at its consistent start, with the constraints that it hides added: where several commands begin.
class AtStart {
 public:
  explicit AtStart(const ModelChoice& choice) : AtStart(choice.read()) {}
  explicit AtStart(const Model& model, std::string_view formulation = "auto", std::string_view basis = "");

  const System& system() const { return *system_; }
  const Shape& shape() const { return system_->shape(); }
  Dynamics& dynamics() { return *dynamics_; }
  const InitialConditions& start() const { return start_; }
  /// How the formulas are evaluated from now on.
  FormulaEvaluator compile_formulas(Compile when, double evaluations = 0.0) {
    return maggi::compile_formulas(*system_, when, evaluations);
  }
  const HiddenConstraints& hidden() const { return hidden_; }

 private:
  std::unique_ptr<System> system_;
  std::unique_ptr<Dynamics> dynamics_;
  InitialConditions start_;
  HiddenConstraints hidden_;
};

/// For people: what is hidden, where it comes from, what the other branch is; empty if nothing is.
std::string hidden_text(const HiddenConstraints& hidden);

}  // namespace maggi::app
