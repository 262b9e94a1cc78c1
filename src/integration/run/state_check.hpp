#pragma once
#include <string>

#include "dynamics/dynamics.hpp"
#include "integration/sink/options.hpp"
#include "integration/sink/result.hpp"

namespace maggi::integration {

/// What must hold in every state that is stored, whatever the method: the constraints are met, and the energy is that
/// of the start plus the work done. A state that is further off than the tolerances explain lies on another motion.
///
///     residual   ≤ 10³ (atol + rtol |y|) · steps, and a tenth of the size of the coordinates at most
///     |E − E₀ − work| ≤ max(S / 10, 20 (atol + rtol |y|) (‖h‖₁ + 2 T / ‖v‖∞)),  S the energy turned over:
///     S = max T + max |V − V₀|
class StateCheck {
 public:
  StateCheck(Dynamics& dynamics, const IntegrateOptions& options, const Statistics& statistics)
      : dynamics_(dynamics), options_(options), statistics_(statistics) {}

  /// The workspace of the dynamics holds the terms of this state. false: outcome() and explanation() say why not.
  bool holds(const State& state, const Residuals& residuals, double work);

  Outcome outcome() const { return outcome_; }
  const std::string& explanation() const { return explanation_; }

 private:
  void begin(const State& state, const Residuals& residuals, double work);
  bool refuse(Outcome outcome, std::string explanation);
  bool residuals_hold(const State& state, const Residuals& residuals, double tolerance);
  bool energy_holds(const State& state, double work, double tolerance);
  std::string remedy() const;

  Dynamics& dynamics_;
  const IntegrateOptions& options_;
  const Statistics& statistics_;
  bool begun_ = false;
  Residuals given_;  // of the start
  double energy_at_start_ = 0.0, potential_at_start_ = 0.0;
  double kinetic_ = 0.0, lifted_ = 0.0;  // largest T and |V − V₀| so far
  Outcome outcome_ = Outcome::reached_end;
  std::string explanation_;
};

}  // namespace maggi::integration
