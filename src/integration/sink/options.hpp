#pragma once
#include <atomic>
#include <functional>
#include <limits>
#include <optional>

#include "base/choice_list.hpp"
#include "maggi/run_options.hpp"

namespace maggi {

struct IntegrateOptions {
  double until = 1.0;   ///< [s]
  double output = 0.0;  ///< [s] between stored states; 0: every accepted step
  double rtol = 1e-8;   ///< local error per step, relative; 1e-6 … 1e-12 is usual, below 1e-13 rounding rules
  double atol = 1e-10;  ///< local error per step, absolute, in the units of q and v
  double step = 0.0;    ///< [s] fixed-step methods: the step; others: the first step, 0 chooses it
  double max_step = std::numeric_limits<double>::infinity();  ///< [s]
  Choice<Integrator> integrator = Integrator::dopri5;
  Choice<Drift> drift = Drift::projection;
  double alpha = 20.0, beta = 20.0;  ///< [1/s] of baumgarte and pi: f̈ + 2α ḟ + β² f = 0
  Choice<Unknowns> unknowns = Unknowns::velocities;
  std::optional<Choice<Continuity>> continuity{};  ///< of the basis of u; see make_smooth_basis()
  const std::atomic<bool>* interrupt = nullptr;    ///< set it to stop after the current step
  std::function<void(double t)> progress{};        ///< called after accepted steps, cheap; may be empty
  /// Asked for the next time at which a state is stored, with the time of the last one [s], where that is decided while
  /// the run is under way; empty: `output` decides. It is called between steps, or inside one.
  std::function<double(double after)> next_output{};
};

/// The one that Integrator::automatic begins with at the tolerances asked for; otherwise the integrator itself.
Integrator first_integrator(const IntegrateOptions& options);

/// Does this drift control have the rates α and β?
inline bool has_rates(Choice<Drift> drift) { return drift == Drift::baumgarte || drift == Drift::pi; }

template <>
const ChoiceList<Drift>& choice_list();
template <>
const ChoiceList<Unknowns>& choice_list();

}  // namespace maggi
