#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "maggi/note.hpp"
#include "maggi/outcome.hpp"

namespace maggi {

using NamedValues = std::vector<std::pair<std::string, double>>;

/// A run in a few numbers.
struct Summary {
  int dof = 0, rank = 0;            ///< of the accelerations, by the last rank decision: dof = n − rank
  std::string formulation, reason;  ///< the one in use, and why it was chosen
  std::string formulas;             ///< how they were evaluated: "tape", "compiled"; empty if there are none
  Outcome outcome = Outcome::reached_end;
  std::string explanation;  ///< in words, if the end was not reached
  double t = 0.0;           ///< how far it came [s]
  long steps = 0, evaluations = 0;
  long restarts = 0;                                        ///< where a basis or a partition was chosen again
  double seconds = 0.0;                                     ///< of computing
  double residual_position = 0.0, residual_velocity = 0.0;  ///< largest over the stored states
  std::optional<double> energy_drift;  ///< largest |E − E₀| over the stored states [J], where E should be constant
  std::string energy_note;             ///< why there is none
  std::optional<double> energy_balance;  ///< with laws: largest |E − E₀ − work| over the stored states [J]
  /// [J] with energy_balance: Σ |change of the work| from one stored state to the next; with energy_drift: max T +
  /// max |V − V₀|.
  std::optional<double> energy_turned_over;
  std::optional<double> ideality;         ///< with laws: largest residual.ideality over the stored states
  std::vector<EventRecord> events;        ///< in the order of time
  std::vector<std::string> rounded_data;  ///< what was taken as rounding of the data, and what is locked by them
  std::vector<Note> notes;                ///< of the model
  /// At the last stored state, of the channels that the trajectory has; `reaction` by coordinate.
  NamedValues q, v, lambda, reaction, controls, forces, parts, tangent;
};

}  // namespace maggi
