#pragma once
#include <string>
#include <vector>

namespace maggi {

class Check;
class Motion;
class Simulation;
struct Comparison;
struct EquationsOfMotion;
struct Ideality;
struct Model;
struct Note;

/// The words of the command line, for people and for print() in any language.

std::string to_text(const Motion& motion);  ///< the run in a few lines
std::string to_text(const Check& check);    ///< degrees of freedom, rank, redundant constraints, unique reactions

/// What can be said of a model whose check() fails: its counts, which joint holds which body, and the check of what is
/// left without its friction, controls or values of the start.
std::string outline_text(const Model& model);

/// One line for each.
std::string notes_text(const std::vector<Note>& notes);

/// Methods compared: a table, the cheapest first, then those that refuse, fail or are wrong, and the verdict.
std::string to_text(const Comparison& comparison);

/// The consistent start: positions, velocities, accelerations, multipliers. `random_starts`: how many random points are
/// tried to list the assembly configurations; 0: they are not looked for.
std::string start_text(Simulation& simulation, int random_starts = 0);

/// Whether reactions that are given are ideal, and along which motion they work.
std::string to_text(const Ideality& found);

/// Every key of a model file with its unit, default and meaning: a page in Markdown.
std::string model_reference();

/// M, h, C, γ, D as numbers, and as formulas where they were asked for.
std::string to_text(const EquationsOfMotion& equations);
/// The formulas for a paper. Error (model) if there are none.
std::string to_latex(const EquationsOfMotion& equations);

}  // namespace maggi
