#pragma once
#include "maggi/choice.hpp"

namespace maggi {

/// Methods that integrate in time; docs/theory/integration.md compares them.
enum class Integrator {
  automatic,  ///< "auto": dop853 or dopri5, as rtol suggests; radau5 while the equations are stiff
  dopri5,
  dop853,
  radau5,
  rk4,
  cvode_bdf,
  cvode_adams,
  ida,
  projected_bdf,
};
extern template class Choice<Integrator>;

/// What there is to know about an integrator before it runs.
struct IntegratorFacts {
  enum class Step {
    adapted,  ///< to rtol and atol; RunOptions::step is the first one
    fixed,    ///< RunOptions::step, which must be given
    even,     ///< RunOptions::step is the largest; the same in the whole run, such that steps end at the stored times
  };

  Integrator integrator;
  const char* name;  ///< "dopri5"
  const char* what;  ///< in a few words
  Step step = Step::adapted;
  int order = 0;        ///< of the error at the end of a run; 0 where the method varies it
  int evaluations = 0;  ///< of v̇ in a step, where each has the same number; else 0
  bool needs_sundials = false;
  bool projects = true;        ///< can drift = projection be used?
  bool own_equations = false;  ///< it keeps the constraints itself: unknowns = velocities; drift = projection or none
  bool ideal_only = false;     ///< it knows no forces of laws and controls
  bool servo_only = false;     ///< it is for servo constraints
  bool lanes = false;          ///< can eight motions be integrated side by side?
  bool available = true;       ///< does this build have it?

  bool has_given_step() const { return step != Step::adapted; }
};

}  // namespace maggi
