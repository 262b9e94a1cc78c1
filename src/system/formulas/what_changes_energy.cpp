#include "system/formulas/what_changes_energy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "maggi/expert/derivative.hpp"
#include "system/formulas/equal_everywhere.hpp"

namespace maggi {

using expression::Id;

namespace {

/// The power of the reaction is λ w, w = φ_v·v. Of a φ that is homogeneous in v, of any degree k, w = k φ (Euler),
/// which vanishes with φ. k does not depend on the length of v:  φ w_v·v = w².
bool is_homogeneous(int row, const Numbers& numbers, const DerivedEquations& e) {
  DerivedEquations with_power = e;
  expression::Graph& g = with_power.graph;
  std::vector<std::pair<Id, Id>> seeds;
  for (const Id v : e.v) seeds.emplace_back(v, v);
  expression::Derivative along_v(g, seeds);
  const Id phi = e.phi[row], w = along_v(phi), twice = along_v(w);
  return equal_everywhere(g.multiply(phi, twice), g.multiply(w, w), numbers, with_power);
}

/// What changes the energy, in groups: those that change it in the same way share one sentence.
class Reasons {
 public:
  void add(std::string reason) { reasons_.push_back(std::move(reason)); }

  /// `one` with a name in it; `many` with several.
  void add(const std::vector<std::string>& names, std::string_view one, std::string_view many) {
    if (!names.empty()) add(fmt::format(fmt::runtime(names.size() == 1 ? one : many), list_names(names)));
  }

  std::string text() const { return fmt::format("{}", fmt::join(reasons_, "; ")); }

 private:
  std::vector<std::string> reasons_;
};

}  // namespace

std::string what_changes_energy(const Model& model, const Numbers& numbers, const Shape& shape,
                                const DerivedEquations& e) {
  const expression::Graph& g = e.graph;
  Reasons reasons;
  if (!shape.has_energy) reasons.add("the model gives M and h, not energies");
  if (!model.generalised_forces.empty()) reasons.add("generalised forces act");
  if (!model.controls.empty()) reasons.add("controls act");
  if (g.depends_on(e.kinetic, {e.t})) reasons.add("the kinetic energy depends on time");
  if (g.depends_on(e.potential, {e.t})) reasons.add("the potential energy depends on time");
  std::vector<std::string> laws, frictions, timed, inhomogeneous, accelerations, impacts;
  for (const Law& law : model.laws) laws.push_back(law.name);
  for (const Friction& friction : model.frictions) frictions.push_back(friction.name);
  for (int i = 0; i < shape.m(); ++i) {
    const std::string& name = shape.rows[i].name;
    if (!shape.rows[i].of_model() || !shape.rows[i].has_multiplier())
      continue;  // friction and the controls have been named
    if (i < shape.s_p) {
      if (g.depends_on(e.f[i], {e.t})) timed.push_back(name);
    } else if (i < shape.s_p + shape.s_v) {
      if (!is_homogeneous(i, numbers, e)) inhomogeneous.push_back(name);
    } else {
      accelerations.push_back(name);
    }
  }
  for (const Row& row : shape.rows)
    if (row.one_sided && row.restitution < 1.0) impacts.push_back(row.name);
  reasons.add(laws, "the force of law {} acts", "the forces of laws {} act");
  reasons.add(frictions, "friction {} takes it", "frictions {} take it");
  reasons.add(timed, "constraint {} depends on time", "constraints {} depend on time");
  reasons.add(inhomogeneous, "constraint {} is not homogeneous in the velocities",
              "constraints {} are not homogeneous in the velocities");
  reasons.add(accelerations, "acceleration constraint {} may do work", "acceleration constraints {} may do work");
  reasons.add(impacts, "impacts on {} take it", "impacts on {} take it");
  if (std::ranges::any_of(shape.events, [](const Switch& event) { return !event.on.empty(); }))
    reasons.add("velocities may jump at events");
  return reasons.text();
}

}  // namespace maggi
