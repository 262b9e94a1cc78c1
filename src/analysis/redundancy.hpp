#pragma once
#include <optional>
#include <vector>

#include "analysis/all_rows.hpp"
#include "dynamics/dynamics.hpp"

namespace maggi {

/// One constraint row that follows from others:  C_row = Σ factor · C_term,  at the state of the certificate.
struct Dependency {
  struct Term {
    int row;        ///< of the shape
    double factor;  ///< in units of row / units of term
  };
  int row = -1;
  std::vector<Term> combination;  ///< empty: row of zeros
  /// true: it follows from others everywhere nearby; false: in this configuration only; nothing: no nearby
  /// configuration could be reached.
  std::optional<bool> permanent;
  /// What the row demands of v̇ is what the others already demand, γ_row = Σ factor γ_term, and the state satisfies it.
  bool compatible = true;
  double conflict = 0.0;  ///< |γ_row − Σ factor γ_term| / (‖C_row‖ (1 + ‖v̇‖)), or the scaled residual if larger
  /// Permanent and compatible here, but not nearby: keeping the row demands a further condition on q and v, which the
  /// model does not contain.
  bool hides_condition = false;
};

/// Redundant constraint rows and what they depend on, at one consistent state.
///
///     A = S C L⁻ᵀ, M = L Lᵀ, rows of unit length;  rank A decided on Aᵀ Π = Q R, see MetricFactor     (1)
///     λ_j is unique  ⟺  no vanishing combination of rows contains row j:  yᵀC = 0 ⇒ y_j = 0          (2)
///
/// Permanent or not is decided by the rank at nearby configurations on the constraints, velocities and, in rheonomic
/// systems, times; where the rank is larger there, this configuration is singular. [PennestriValentini2007 (1),
/// Dinh2002 (2.17)]
struct Redundancy {
  int rank = 0;
  int rank_nearby = 0;                   ///< largest rank found nearby; above rank: this configuration is singular
  double distance_to_singularity = 1.0;  ///< smallest sine of an independent row to the span of the others
  double largest_rejected = 0.0;         ///< largest sine that was taken for zero
  double tolerance = 0.0;                ///< between the two
  std::vector<Dependency> dependencies;  ///< by row
  std::vector<bool> unique;              ///< m, whether λ of the row is unique; true for inactive rows, whose λ is 0
  std::vector<bool> unique_nearby;       ///< the same at the nearby configurations; may differ where some are only here

  bool singular_pose() const { return rank_nearby > rank; }
};

/// n + m, beyond which dependent rows, free motions and the like are not looked for: that takes matrices that are not
/// sparse, each of 8 (n + m)² bytes, and minutes for their factors.
inline constexpr int most_for_certificate = 3000;

/// The certificate at a state that satisfies the constraints, over all active rows. Of a large system whose rows the
/// Recursion finds independent, no matrices are made.
/// Error (numerics) if the accelerations there cannot be found, or if a system beyond most_for_certificate has rows
/// that depend on each other.
Redundancy find_redundancy(Dynamics& dynamics, const State& at);

/// The certificate of a mechanism, over all its rows in absolute coordinates. Its rank is that of `dynamics`: each
/// joint of the tree takes as many degrees of freedom away as it has rows, so that the rows are independent where those
/// in joint coordinates are.
Redundancy find_redundancy_of_all(analysis::AllRows& all, Dynamics& dynamics, const State& at);

}  // namespace maggi
