#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "integration/run/run_state.hpp"
#include "integration/singular/singular_crossing.hpp"

namespace maggi::integration {

/// Decides when a singular configuration is crossed: as soon as the step over it is smooth. Until then steps go at most
/// half the distance to it.
class CrossingControl {
 public:
  using Interpolation = std::function<void(double t, double* y)>;

  explicit CrossingControl(RunState& run);

  /// No step should go further: a singular configuration may be ahead, and must not be stepped over unseen.
  double horizon() const { return horizon_; }

  /// Time of the first singular configuration in the step that ends in y; ∞ if there is none.
  double find_inside(double t, const double* y, const Interpolation& at);

  /// After an accepted step of size h: the crossing of the singular configuration ahead, if there is one and the step
  /// over it is smooth. None: the integrator continues, up to horizon().
  std::unique_ptr<SingularCrossing> look_ahead(double h);

  /// The crossing of a singular configuration at `expected`, from the last accepted state. `otherwise`: second estimate
  /// of its time, tried if crossing at `expected` fails. None: the step is rejected, and goes at most half the
  /// distance.
  std::unique_ptr<SingularCrossing> approach(double expected, double otherwise);

  /// Have so many steps in a row been rejected within so short a time that the run would not end? The motion then runs
  /// into a configuration that no step crosses, and each step goes half the distance to it.
  bool stuck() const;

  /// While a crossing is accepted, nothing is searched for.
  void suspend(bool crossing) { suspended_ = crossing; }

 private:
  std::unique_ptr<SingularCrossing> cross(double expected, double otherwise);
  std::unique_ptr<SingularCrossing> give_up();

  static constexpr std::size_t most_rejected_ = 40;

  RunState& run_;
  State end_;                   // of a step that is not accepted yet
  std::vector<double> inside_;  // y inside the step
  double horizon_;
  double failed_ahead_;  // distance in time to the last singular configuration that could not be crossed; ∞ if none
  int failed_attempts_ = 0;       // number of failed attempts to cross it
  std::vector<double> rejected_;  // times of the last accepted states from which a step was rejected
  bool suspended_ = false;
};

}  // namespace maggi::integration
