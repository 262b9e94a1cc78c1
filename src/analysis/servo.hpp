#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/hidden_constraints.hpp"
#include "analysis/redundancy.hpp"

namespace maggi {

/// How the controls realise the servo constraints, by the rank of S = C₂(M⁻¹ − M⁻¹C₁ᵀ(C₁M⁻¹C₁ᵀ)⁻¹C₁M⁻¹)B over the
/// servo rows that the model has, see Realisation.
///
///     orthogonal   rank S = n_s: every combination of the n_s servo rows is reached at once
///     mixed        0 < rank S < n_s
///     tangential   rank S = 0: controls act along the constraints only, and keep them through the motion
///
/// Rows that are not reached are differentiated until a control appears: what is found on the way are the hidden
/// constraints. With i derivatives of a constraint until the controls can be solved for, the differential-algebraic
/// equations have index i + 1: 3 if orthogonal. [Dinh2002 (2.46); AltmannHeiland2017]
///
/// Of more controls than servo rows the least in Σ p² are found; `free` of them could be others.
struct ServoRealisation {
  enum class Kind { orthogonal, mixed, tangential };
  Kind kind = Kind::orthogonal;
  int controls = 0;             ///< n_c
  int servo = 0;                ///< n_s
  int rank = 0;                 ///< of S
  int free = 0;                 ///< controls that can be chosen with the same motion
  std::vector<int> not_unique;  ///< controls that the motion does not determine
  int index = 3;
  int internal = 0;  ///< degrees of freedom that the constraints leave: internal dynamics
  std::vector<std::vector<Dependency::Term>> unreached;  ///< combinations of servo rows without any control
};

/// "orthogonal", "mixed", "tangential".
std::string_view realisation_name(ServoRealisation::Kind kind);

/// At a consistent state of a model with its hidden constraints; nothing if there are no controls.
std::optional<ServoRealisation> find_realisation(Dynamics& dynamics, const State& at, const HiddenConstraints& hidden);

}  // namespace maggi
