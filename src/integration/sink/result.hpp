#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

struct Statistics {
  long steps = 0, rejected = 0, evaluations = 0, projections = 0;
  long restarts = 0;                               ///< after which y was another: a basis or a partition chosen anew
  double largest_step = 0.0, smallest_step = 0.0;  ///< [s] of the accepted steps, the last one excepted
  double largest_correction = 0.0;                 ///< largest scaled residual that a projection removed
  double distance_to_singularity = 1.0;            ///< smallest over the run
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
struct IntegrationResult {
  Outcome outcome = Outcome::reached_end;
  std::string explanation;  ///< in words and names, if the end was not reached
  double t = 0.0;           ///< how far it came [s]
  Statistics statistics;
  std::vector<EventRecord> events{};  ///< in the order of time
};

}  // namespace maggi
