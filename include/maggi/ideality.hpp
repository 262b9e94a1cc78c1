#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "maggi/expert/linear.hpp"

namespace maggi {

class Simulation;

/// Numbers by names, as the columns of a file: those of a run have the names of its channels.
using NamedColumns = std::vector<std::pair<std::string, std::vector<double>>>;

struct IdealityOptions {
  double tolerance = 1e-6;  ///< what is taken as error of the reactions given, relative to the largest of them
};

/// Are reactions that are given, or measured, those of ideal constraints? [Dinh1994 (2.2)]
///
///     ideal  ⟺  Dᵀr = 0,   C D = 0               they do no work on motions that the constraints allow       (1)
///     w = D (DᵀM D)⁻¹Dᵀr                          the motion along which r works most, of all those with the
///                                                 same kinetic energy                                        (2)
///     r = Cᵀλ + M w,   share = ‖M w‖ / max ‖r‖    in the metric M⁻¹; max: over all instants                  (3)
///
/// C: all constraints in force at that instant, those kept by controls among them.
struct Ideality {
  struct Instant {
    double t = 0.0;      ///< [s]
    double share = 0.0;  ///< (3)
    double power = 0.0;  ///< vᵀM w [W]: of the part that is not ideal, on the motion itself
    Vector motion;       ///< w of (2), its largest entry 1; zero where share is
    double work = 0.0;   ///< rᵀ motion: force along it
  };

  std::string title;                    ///< of the model
  std::vector<std::string> velocities;  ///< names of the entries of w
  double tolerance = 0.0;
  bool states_given = false;      ///< by the columns; otherwise they are those of the run
  double residual = 0.0;          ///< of the states given: how far they are from the constraints, scaled
  std::vector<Instant> instants;  ///< one for each line
  std::size_t worst = 0;          ///< where the share is largest

  bool ideal() const { return instants[worst].share <= tolerance; }
};

/// The columns "t" and "reaction.x1" ..., one for each generalised reaction; if all coordinates and velocities are
/// there as well, they are the states, otherwise the model is run. Error (model) for columns that are missing, of
/// different lengths, or times that do not follow each other; Error (numerics) if the run does not reach them.
Ideality find_ideality(Simulation& simulation, const NamedColumns& columns, const IdealityOptions& options = {});

}  // namespace maggi
