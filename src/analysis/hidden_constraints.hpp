#pragma once
#include <string>
#include <vector>

#include "analysis/hidden_constraint.hpp"

namespace maggi {

struct HiddenConstraints {
  std::vector<HiddenConstraint> found;
  std::string unfinished;  ///< why the search ended before nothing new appeared; empty otherwise
};

/// Where the rows of velocity level lose rank at a moving start, and gain it back nearby, the motion stays where they
/// are dependent: a row c that is a combination of rows A there satisfies all minors that border a regular block of A,
///
///     g_j(q,t) = det [ A_P A_j ; c_P c_j ] = 0,   P: the columns of the block, j: any other                      (1)
///
/// and the first of them that does not vanish nearby is the constraint. Where no control reaches a combination of servo
/// rows, U₀ᵀ(C M⁻¹h − γ) = 0 is one. It is added, the start found again with it, and so on until nothing new appears.
/// A minor that the given speeds contradict only marks a pose that the motion passes through; it is no constraint.
/// [Dinh2002, sec. 3.2]
/// Looks at positions and velocities only; without a consistent pair of them it finds nothing.
/// Error (model) if controls cannot keep the servo constraints, whatever is added.
HiddenConstraints find_hidden_constraints(const Model& model);

/// The model with them.
Model with_hidden_constraints(Model model, const HiddenConstraints& hidden);

}  // namespace maggi
