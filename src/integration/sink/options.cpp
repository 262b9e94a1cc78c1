#include "integration/sink/options.hpp"

namespace maggi {

Integrator first_integrator(const IntegrateOptions& options) {
  constexpr double high_accuracy = 1e-5;  // from here on dop853 needs less work than dopri5
  if (options.integrator != Integrator::automatic) return options.integrator.value();
  return options.rtol <= high_accuracy ? Integrator::dop853 : Integrator::dopri5;
}

template <>
const ChoiceList<Drift>& choice_list() {
  static const ChoiceList<Drift> list(
      "drift control",
      {{Drift::projection, "projection"}, {Drift::baumgarte, "baumgarte"}, {Drift::pi, "pi"}, {Drift::none, "none"}});
  return list;
}
template class Choice<Drift>;

template <>
const ChoiceList<Unknowns>& choice_list() {
  static const ChoiceList<Unknowns> list(
      "choice of unknowns",
      {{Unknowns::velocities, "velocities"}, {Unknowns::tangent, "tangent"}, {Unknowns::independent, "independent"}});
  return list;
}
template class Choice<Unknowns>;

}  // namespace maggi
