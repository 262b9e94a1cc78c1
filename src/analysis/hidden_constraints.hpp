#pragma once
#include "analysis/written_system.hpp"
#include "maggi/hidden_constraint.hpp"

namespace maggi {

/// Where the rows of velocity level lose rank at a moving start, and gain it back nearby, the motion stays where they
/// are dependent: a row c that is a combination of rows A there satisfies all minors that border a regular block of A,
///
///     g_j(q,t) = det [ A_P A_j ; c_P c_j ] = 0,   P: the columns of the block, j: any other                      (1)
///
/// and the first of them that does not vanish nearby is the constraint. Where no control reaches a combination of servo
/// rows, U₀ᵀ(C M⁻¹h − γ) = 0 is one. It is added, the start found again with it, and so on until nothing new appears.
/// A minor that the given speeds contradict only marks a configuration that the motion passes through; it is no
/// constraint.
/// [Dinh2002, sec. 3.2]
///
/// One pass: the next hidden constraint of `system`, derived from `model`, at a state that satisfies its constraints at
/// position and velocity level; appended to `hidden.found` and to the constraints of `model`. Returns false if there is
/// none, or if the search had to end (hidden.unfinished).
/// Error (model) if controls cannot keep the servo constraints, whatever is added.
bool find_next_hidden_constraint(const WrittenSystem& system, const State& state, Model& model,
                                 HiddenConstraints& hidden);

}  // namespace maggi
