#pragma once
#include <atomic>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maggi/formulation/dynamics.hpp"
#include "maggi/integration/projection.hpp"

namespace maggi {

enum class Outcome {
  reached_end,
  stopped,
  step_too_small,
  constraints_lost,
  singular,
  undetermined,
  interrupted,
};

/// "reached the end", "stopped by an event", "step too small", "constraints lost", "singular configuration", "forces
/// not determined", "interrupted".
std::string_view outcome_name(Outcome outcome);

struct IntegrateOptions {
  double until = 1.0;   ///< [s]
  double output = 0.0;  ///< [s] between stored states; 0: every accepted step
  double rtol = 1e-8;   ///< local error per step, relative; 1e-6 … 1e-12 is usual, below 1e-13 rounding rules
  double atol = 1e-10;  ///< local error per step, absolute, in the units of q and v
  double step = 0.0;    ///< [s] fixed-step methods: the step; others: the first step, 0 chooses it
  double max_step = std::numeric_limits<double>::infinity();  ///< [s]
  std::string integrator = "dopri5";                          ///< one of integrator_names()
  std::string drift = "projection";     ///< "projection" after every accepted step, "baumgarte", "pi", "none"
  double alpha = 20.0, beta = 20.0;     ///< [1/s] of baumgarte and pi: f̈ + 2α ḟ + β² f = 0
  std::string unknowns = "velocities";  ///< (q, v), or "tangent": (q, u), or "independent": those coordinates only
  std::string continuity{};             ///< of the basis of u; "": see make_smooth_basis()
  const std::atomic<bool>* interrupt = nullptr;  ///< set it to stop after the current step
  std::function<void(double t)> progress{};      ///< called after accepted steps, cheap; may be empty
};

struct Statistics {
  long steps = 0, rejected = 0, evaluations = 0, projections = 0;
  long restarts = 0;                               ///< after which y was another: a basis or a partition chosen anew
  double largest_step = 0.0, smallest_step = 0.0;  ///< [s] of the accepted steps, the last one excepted
  double largest_correction = 0.0;                 ///< largest scaled residual that a projection removed
  double distance_to_singularity = 1.0;            ///< smallest over the run
};

/// A stored state with all that belongs to it.
struct Sample {
  const State& state;                ///< projected
  const Acceleration& acceleration;  ///< at that state
  Residuals residuals;
  const Mode* mode = nullptr;  ///< what is in force
  double work = 0.0;           ///< [J] on the system since the start, of all forces without potential; with laws only
  /// Smallest sine between an independent position or velocity row and the others, or what is left of a row that
  /// vanishes; 0: the rank drops here.
  double distance_to_singularity = 1.0;
};

/// Who wants the motion: integrate() hands it every stored state in the order of time.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void accept(const Sample& sample) = 0;
  virtual bool follows() const { return false; }  ///< does it want to see the steps in between, too?
  virtual void pass(const State& /*state*/) {}    ///< an accepted step at which no state is stored
};

/// What happened at an event. The state is stored twice there, before and after; not so at a singular pose, where
/// reactions are unbounded.
struct EventRecord {
  double t = 0.0;                                          ///< [s]
  std::string name;                                        ///< of the event
  std::string what;                                        ///< in words: "switches on \"hook\""
  std::vector<std::string> on, off;                        ///< rows, by name
  std::vector<std::pair<std::string, double>> impulses{};  ///< Λ of the rows, M (v⁺ − v⁻) = CᵀΛ; none if v did not jump
  double energy_lost = 0.0;                                ///< [J] of the kinetic energy, by the jump
};

/// How a run ended. A numerical outcome is a value, not an exception.
struct Run {
  Outcome outcome = Outcome::reached_end;
  std::string explanation;  ///< in words and names, if the end was not reached
  double t = 0.0;           ///< how far it came [s]
  Statistics statistics;
  std::vector<EventRecord> events{};  ///< in the order of time
};

/// Integrates from a consistent start. Stored states are interpolated, then projected; v̇ and λ are evaluated there.
/// Events of the system change the mode of the dynamics; at the end it is again what it was.
/// Error (model) if an option is unknown or does not fit: "projection" with Adams, a fixed step without `step`.
Run integrate(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);

std::span<const std::string> integrator_names();
/// The one that integrator = auto begins with at the tolerances asked for; otherwise the integrator itself.
std::string_view first_integrator(const IntegrateOptions& options);
std::span<const std::string> drift_names();
std::span<const std::string> unknowns_names();

}  // namespace maggi
