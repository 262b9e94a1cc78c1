#pragma once
#include <string>
#include <vector>

#include "maggi/integration/initial_conditions.hpp"
#include "maggi/system/equation_system.hpp"

namespace maggi {

/// A constraint that is not in the model, but follows from it as soon as the system moves.
struct HiddenConstraint {
  Constraint constraint;          ///< named "hidden_1" ..., to be added to the model
  std::vector<std::string> from;  ///< the constraints it follows from
  int speeds = 0;                 ///< that can be chosen where it holds
  int speeds_elsewhere = 0;       ///< and where it does not: fewer
};

/// Where the rows of velocity level lose rank at a moving start, and gain it back nearby, the motion stays where they
/// are dependent: a row c that is a combination of rows A there satisfies all minors that border a regular block of A,
///
///     g_j(q,t) = det [ A_P A_j ; c_P c_j ] = 0,   P: the columns of the block, j: any other                      (1)
///
/// and the first of them that does not vanish nearby is the constraint. It is added, the start found again with it, and
/// so on until nothing new appears. A minor that the given speeds contradict only marks a pose that the motion passes
/// through; it is no constraint. [Dinh2002, sec. 3.2]
/// Looks at positions and velocities only; without a consistent pair of them it finds nothing.
std::vector<HiddenConstraint> find_hidden_constraints(const Model& model);

}  // namespace maggi
