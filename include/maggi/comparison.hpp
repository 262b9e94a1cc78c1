#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maggi/run_options.hpp"

namespace maggi {

/// What to compare, and on what.
struct CompareOptions {
  std::vector<std::string> formulations{};   ///< by name; empty: all
  std::vector<std::string> bases{};          ///< for those that use one; empty: all. Others then only if named above
  std::vector<Choice<Drift>> drifts{};       ///< kinds of drift control of the motion; empty: that of `motion`
  std::vector<Choice<Unknowns>> unknowns{};  ///< what is integrated; empty: that of `motion`
  double timing = 0.02;                      ///< [s] of CPU time spent on timing each method; 0: not timed
  bool run = true;                           ///< also the motion
  std::vector<double> rtols{1e-4, 1e-6, 1e-8, 1e-10};  ///< of the runs that give work against precision; may be empty
  double accuracy = 1e-6;                              ///< relative error of the end at which work is stated
  /// How the motion is run; its formulation is what varies. Its `interrupt` ends the comparison.
  RunOptions motion{};
  /// Called now and then with what is done ("timing") and which part of it; may be empty.
  std::function<void(std::string_view phase, double part)> progress{};
};

/// A run at one tolerance: what it costs, and how far from the reference it ends.
struct WorkPoint {
  double rtol = 0.0;
  long steps = 0, evaluations = 0;
  double seconds = 0.0;               ///< [s] CPU time; only the last state is stored
  std::optional<double> end_error{};  ///< relative, of the last q and v
  std::string failure{};              ///< why it did not come to the end; empty if it did
};

struct Work {
  double seconds = 0.0;      ///< [s] CPU time
  double evaluations = 0.0;  ///< of v̇
};

/// One formulation on one basis, and one kind of motion. What was not measured, or does not apply, has no value.
struct ComparisonRow {
  std::string formulation;
  std::string basis;          ///< empty if the formulation uses none
  std::string drift_control;  ///< of the motion; empty without one
  std::string unknowns;       ///< of the motion; empty without one

  // the largest over all states looked at
  std::optional<double> vdot_error;        ///< of v̇ against the reference, in the scale (2)
  std::optional<double> lambda_error;      ///< of λ, in the scale (3)
  std::optional<double> complement_error;  ///< |C_i D_j| / (‖C_i‖ ‖D_j‖)
  std::optional<double> condition;         ///< of D: largest to smallest singular value
  double tolerance = 0.0;                  ///< what rounding explains of the two errors, see (4)

  /// [s] CPU time of one evaluation: M, h, C, γ and the solution for v̇; mean of the start and three other states
  std::optional<double> seconds;

  // on the motion
  struct Motion {
    long steps = 0, evaluations = 0;
    double seconds = 0.0;                ///< [s] CPU time of the run, storing included
    std::optional<double> end_error;     ///< of the last q and v against the reference, in the largest value on the way
    double drift = 0.0;                  ///< largest scaled position residual over the stored states
    double velocity_drift = 0.0;         ///< the same of the velocity residual
    std::optional<double> energy_drift;  ///< largest |E − E₀| over the stored states [J], where E should be constant
  };
  std::optional<Motion> motion;
  std::vector<WorkPoint> points;  ///< a run for each of `rtols`
  std::optional<Work> work;       ///< to end with the accuracy wanted

  std::string failure;       ///< why the method refuses or does not come to the end; empty if it does neither
  std::string disagreement;  ///< what is wrong with its numbers; empty if they agree

  void disagree(const std::string& how) { disagreement += (disagreement.empty() ? "" : ", ") + how; }
};

/// Every formulation on every basis, on the same system.
///
///     reference at a state: v̇ and λ from an orthonormal basis in extended precision; λ of least norm if
///     constraints are redundant                                                                           (1)
///     error of v̇ = ‖S δv̇‖ / (‖S v̇‖ + ‖S⁻¹h‖),   S = diag √M_ii: free of units, defined at rest         (2)
///     error of λ = ‖P δλ‖ / (‖P λ‖ + ‖S⁻¹h‖),   P = diag ‖C_i S⁻¹‖                                       (3)
///     tolerance  = 20 n ε κ κ(D)²,   κ = κ(S⁻¹M S⁻¹) κ(P⁻¹C S⁻¹)²: methods may square C, and D           (4)
///     reference of the motion: the formulation "auto" with DOPRI5, 100 times tighter or at 1e-12          (5)
///
/// With laws and controls their forces count with λ, and κ with κ(C M⁻¹G). Where no force acts and nothing accelerates,
/// the scale of (2) and (3) is ‖S v‖ per second. Constraints and contacts are those in force at each state.
///
/// The states are the start and ten that are spread over the motion; without motion a few near the start, on the
/// constraints, with random velocities. Every state is judged by its own tolerance (4). The end of a motion disagrees
/// if its error is a hundred times the median of all methods with that kind of motion, and above 1000 rtol.
struct Comparison {
  std::string title;             ///< of the model
  double t = 0.0;                ///< of the start [s]
  int states = 0;                ///< at which v̇ and λ are compared
  double condition = 1.0;        ///< κ, the largest of these states
  double accuracy = 0.0;         ///< at which work is stated
  bool with_motion = false;      ///< was the motion compared, too?
  double rtol = 0.0;             ///< of the motion
  std::optional<double> step{};  ///< [s] of the motion, if its integrator has a fixed step
  std::vector<ComparisonRow> rows;
  std::string reference_failure;  ///< why there is no reference motion; empty if there is one, or none was wanted
  bool interrupted = false;       ///< something is missing
};

}  // namespace maggi
