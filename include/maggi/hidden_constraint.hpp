#pragma once
#include <string>
#include <vector>

#include "maggi/model.hpp"

namespace maggi {

/// A constraint that is not in the model, but follows from it as soon as the system moves or is controlled.
struct HiddenConstraint {
  enum class Cause {
    motion,   ///< rows of velocity level lose rank where the system moves
    control,  ///< no control reaches a combination of servo rows
  };
  Constraint constraint;          ///< named "hidden_1" ..., to be added to the model
  std::vector<std::string> from;  ///< the constraints it follows from
  Cause cause = Cause::motion;
  int derivatives = 0;       ///< how often constraints of the model are differentiated to see it
  int speeds = 0;            ///< that can be chosen where it holds (motion)
  int speeds_elsewhere = 0;  ///< and where it does not: fewer
};

struct HiddenConstraints {
  std::vector<HiddenConstraint> found;
  std::string unfinished;  ///< why the search ended before nothing new appeared; empty otherwise
};

}  // namespace maggi
