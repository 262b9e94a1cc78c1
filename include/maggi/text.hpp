#pragma once
#include <string>

namespace maggi {

class Check;
class Motion;
class Simulation;

/// The words of the command line, for people and for print() in any language.

std::string to_text(const Motion& motion);  ///< the run in a few lines
std::string to_text(const Check& check);    ///< degrees of freedom, rank, redundant constraints, unique reactions

/// The consistent start: positions, velocities, accelerations, multipliers. `random_starts`: how many random points are
/// tried to list the assembly configurations; 0: they are not looked for.
std::string start_text(Simulation& simulation, int random_starts = 0);

/// M, h, C, γ, D at the start as numbers, and as formulas where the model has them; `basis` by name.
std::string equations_text(Simulation& simulation, const std::string& basis = "lu");
/// The same formulas for a paper. Error (model) if the model is a mechanism.
std::string equations_latex(Simulation& simulation, const std::string& basis = "lu");

}  // namespace maggi
