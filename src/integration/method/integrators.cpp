#include "integration/method/integrators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace maggi::integration {

namespace {

using Step = IntegratorFacts::Step;

std::vector<IntegratorEntry> list_integrators() {
  const SundialsIntegrators sundials = sundials_integrators();
  std::vector<IntegratorEntry> all{
      {{.integrator = Integrator::automatic,
        .name = "auto",
        .what = "dop853 or dopri5, as rtol suggests; radau5 where the motion is stiff",
        .lanes = true},
       run_one_step},
      {{.integrator = Integrator::dopri5,
        .name = "dopri5",
        .what = "Dormand-Prince of order 5",
        .order = 5,
        .lanes = true},
       run_one_step},
      {{.integrator = Integrator::dop853,
        .name = "dop853",
        .what = "Dormand-Prince of order 8, for small tolerances",
        .order = 8},
       run_one_step},
      {{.integrator = Integrator::radau5,
        .name = "radau5",
        .what = "Radau IIA of order 5, implicit, for stiff motions",
        .order = 5},
       run_one_step},
      {{.integrator = Integrator::rk4,
        .name = "rk4",
        .what = "classical Runge-Kutta of order 4",
        .step = Step::fixed,
        .order = 4,
        .evaluations = 4},
       run_rk4},
      {{.integrator = Integrator::cvode_bdf,
        .name = "cvode-bdf",
        .what = "BDF of CVODE, for stiff motions",
        .needs_sundials = true},
       sundials.cvode_bdf},
      {{.integrator = Integrator::cvode_adams,
        .name = "cvode-adams",
        .what = "Adams' method of CVODE, without projection",
        .needs_sundials = true,
        .projects = false},
       sundials.cvode_adams},
      {{.integrator = Integrator::ida,
        .name = "ida",
        .what = "BDF on the implicit equations of index 2, for ideal constraints",
        .needs_sundials = true,
        .own_equations = true,
        .ideal_only = true},
       sundials.ida},
      {{.integrator = Integrator::projected_bdf,
        .name = "projected-bdf",
        .what = "BDF of order 3 on the projected equations of servo constraints",
        .step = Step::even,
        .order = 3,
        .own_equations = true,
        .servo_only = true},
       run_projected_bdf},
  };
  for (IntegratorEntry& each : all) each.available = each.run != nullptr;
  return all;
}

}  // namespace

std::span<const IntegratorEntry> integrators() {
  static const std::vector<IntegratorEntry> all = list_integrators();
  return all;
}

const IntegratorEntry& entry_of(Choice<Integrator> integrator) {
  return *std::ranges::find(integrators(), integrator.value(), &IntegratorEntry::integrator);
}

void check_available(const IntegratorEntry& integrator, const Where& where) {
  if (integrator.available) return;
  throw Error(Errc::model, where,
              fmt::format("integrator = {} is one of SUNDIALS, and this build has no SUNDIALS", integrator.name),
              "take dopri5, or radau5 for stiff equations; or install SUNDIALS (Debian: libsundials-dev) and build "
              "maggi again with -DMAGGI_SUNDIALS=ON");
}

}  // namespace maggi::integration

namespace maggi {

template <>
const ChoiceList<Integrator>& choice_list() {
  static const ChoiceList<Integrator> list = [] {
    std::vector<ChoiceList<Integrator>::Entry> entries;
    for (const integration::IntegratorEntry& each : integration::integrators())
      entries.push_back({each.integrator, each.name});
    return ChoiceList<Integrator>("integrator", std::move(entries));
  }();
  return list;
}
template class Choice<Integrator>;

}  // namespace maggi
