#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace maggi {

/// How a run ended.
enum class Outcome {
  reached_end,
  stopped,  ///< by an event that ends the run
  step_too_small,
  constraints_lost,
  singular,      ///< in a singular configuration that cannot be crossed
  undetermined,  ///< the force laws have no solution or several
  interrupted,   ///< by the caller
  failed,        ///< a result was not finite
  assembled,     ///< there was no run: the start only
};

/// "reached the end", "stopped by an event", "step too small", "constraints lost", "singular configuration", "forces
/// not determined", "interrupted", "failed", "assembled".
std::string_view outcome_name(Outcome outcome);

/// Did the run do what was asked? True if it reached its end or an event stopped it.
inline bool is_success(Outcome outcome) { return outcome == Outcome::reached_end || outcome == Outcome::stopped; }

/// What happened at an event. The state is stored twice there, before and after; not so at a singular configuration,
/// where reactions are unbounded.
struct EventRecord {
  double t = 0.0;                                          ///< [s]
  std::string name;                                        ///< of the event
  std::string what;                                        ///< in words: "switches on \"hook\""
  std::vector<std::string> on, off;                        ///< rows, by name
  std::vector<std::pair<std::string, double>> impulses{};  ///< Λ of the rows, M (v⁺ − v⁻) = CᵀΛ; none if v did not jump
  double energy_lost = 0.0;                                ///< [J] of the kinetic energy, by the jump
};

}  // namespace maggi
