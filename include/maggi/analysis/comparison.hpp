#pragma once
#include <optional>
#include <string>
#include <vector>

#include "maggi/integration/integrate.hpp"

namespace maggi {

/// What to compare, and on what.
struct CompareOptions {
  std::vector<std::string> formulations{};  ///< by name; empty: all
  std::vector<std::string> bases{};         ///< only methods on one of these; empty: all methods
  double timing = 0.02;                     ///< [s] of CPU time spent on timing each method; 0: not timed
  bool run = true;                          ///< also the motion
  IntegrateOptions integrate{};             ///< of the motion; its formulation is what varies
};

/// One formulation on one basis. What was not measured, or does not apply, has no value.
struct ComparisonRow {
  std::string formulation;
  std::string basis;  ///< empty if the formulation uses none

  // at the start
  std::optional<double> vdot_error;        ///< of v̇ against the reference, in the scale (2)
  std::optional<double> lambda_error;      ///< of λ, in the scale (3)
  std::optional<double> complement_error;  ///< largest |C_i D_j| / (‖C_i‖ ‖D_j‖)
  std::optional<double> condition;         ///< of D: largest to smallest singular value
  std::optional<double> seconds;           ///< [s] CPU time of one evaluation: M, h, C, γ and the solution for v̇
  double tolerance = 0.0;                  ///< what rounding explains of the two errors, see (4)

  // on the motion
  struct Motion {
    long steps = 0, evaluations = 0;
    double seconds = 0.0;                ///< [s] CPU time of the run
    std::optional<double> end_error;     ///< of the last q and v against the reference, in the largest value on the way
    double drift = 0.0;                  ///< largest scaled position residual over the stored states
    double velocity_drift = 0.0;         ///< the same of the velocity residual
    std::optional<double> energy_drift;  ///< largest |E − E₀| over the stored states [J], where E should be constant
  };
  std::optional<Motion> motion;

  std::string failure;       ///< why the method refuses or does not come to the end; empty if it does neither
  std::string disagreement;  ///< what is wrong with its numbers; empty if they agree
};

/// Every formulation on every basis, on the same system.
///
///     reference at the start: v̇ and λ from an orthonormal basis in extended precision; λ of least norm if
///     constraints are redundant                                                                           (1)
///     error of v̇ = ‖S δv̇‖ / (‖S v̇‖ + ‖S⁻¹h‖),   S = diag √M_ii: free of units, defined at rest         (2)
///     error of λ = ‖P δλ‖ / (‖P λ‖ + ‖S⁻¹h‖),   P = diag ‖C_i S⁻¹‖                                       (3)
///     tolerance  = 20 n ε κ κ(D)²,   κ = κ(S⁻¹M S⁻¹) κ(P⁻¹C S⁻¹)²: methods may square C, and D           (4)
///     reference of the motion: the formulation "auto" with DOPRI5, 100 times tighter or at 1e-12          (5)
///
/// The end of a motion disagrees if its error is a hundred times the median of all methods and above 1000 rtol.
struct Comparison {
  double t = 0.0;          ///< of the start [s]
  double condition = 1.0;  ///< κ
  std::vector<ComparisonRow> rows;
  std::string reference_failure;  ///< why there is no reference motion; empty if there is one, or none was wanted
  bool interrupted = false;       ///< motions are missing
};

/// At the consistent start of the system. Methods that refuse have a row with the reason.
/// Error (model) if a name is unknown, no method is left or the options of the run do not fit; Error (numerics) if
/// there is no consistent start.
Comparison compare(const System& system, const CompareOptions& options = {});

}  // namespace maggi
