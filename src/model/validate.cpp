#include "model/validate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/model_tables.hpp"
#include "model/refuse.hpp"
#include "model/validate_formulas.hpp"
#include "model/validate_mechanism.hpp"
#include "model/validate_parts.hpp"
#include "model/validate_units.hpp"

namespace maggi {

namespace {

std::string count(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

/// The rules about the model as a whole: which tables it has, and of what size.
class WholeModel {
 public:
  explicit WholeModel(const Model& model) : model_(model) {}

  void check() const {
    if (is_mechanism())
      check_beside_bodies();
    else
      check_dynamics();
    check_stops_beside_controls();
  }

 private:
  /// A table is there if it says something, and in a file also if it is empty.
  bool has(const std::string& table, bool says_something) const {
    return says_something || model_.places.contains(table);
  }
  Where place(const std::string& key) const {
    const auto found = model_.places.find(key);
    return found == model_.places.end() ? Where{model_.file} : found->second;
  }

  bool is_mechanism() const {
    bool found = false;
    fields::for_each_table(model_, [&](std::string_view name, fields::Beside beside, bool is_given) {
      found = found || (beside == fields::Beside::bodies && has(std::string(name), is_given));
    });
    return found;
  }
  bool has_energy() const { return has("energy", !model_.kinetic.empty() || !model_.potential.empty()); }
  bool has_equations() const { return has("equations", !model_.mass.empty() || !model_.force.empty()); }

  /// Bodies and joints give the coordinates and the energies; formulas may say more about them.
  void check_beside_bodies() const {
    if (model_.mechanism.bodies.empty())
      refuse({model_.file}, "the mechanism has no [body]", "write [body.arm] and below it mass, inertia and position");
    if (const int dimension = model_.mechanism.dimension; dimension != 2 && dimension != 3)
      refuse(place("dimension"), fmt::format("the dimension is {}", dimension),
             "2 for mechanisms in the plane x, y; 3 otherwise");
    fields::for_each_table(model_, [&](std::string_view name, fields::Beside beside, bool is_given) {
      const std::string table(name);
      if (beside == fields::Beside::formulas && has(table, is_given))
        refuse(place(table), fmt::format("[{}] cannot stand beside bodies and joints", table),
               table == "generalised_force"
                   ? "write a [force] along a joint or on a body"
                   : "a mechanism has its coordinates, energies, reactions and picture from its bodies and joints: "
                     "remove one of them");
    });
    if (!model_.start_reactions.empty())
      refuse(model_.start_reactions.front().where,
             "the reaction on a coordinate of a mechanism cannot be given at the start",
             "give the multiplier of a row: lambda.pin.x");
  }

  void check_dynamics() const {
    if (has_energy() && has_equations()) {
      const Where energy = place("energy"), equations = place("equations");
      const bool energy_last = energy.line > equations.line;
      refuse(energy_last ? energy : equations,
             fmt::format("[{}] and [{}] are both given", energy_last ? "energy" : "equations",
                         energy_last ? "equations" : "energy"),
             "keep the one that is meant");
    }
    if (has_energy() && model_.kinetic.empty())
      refuse(place("energy"), "[energy] has no kinetic energy", "add kinetic = \"...\", as \"m/2*x'^2\"");
    if (has_equations()) {
      if (!has("equations.mass", !model_.mass.empty()))
        refuse(place("equations"), "[equations] has no mass matrix", "add mass = [[...], ...], one row per coordinate");
      if (!has("equations.force", !model_.force.empty()))
        refuse(place("equations"), "[equations] has no force", "add force = [...], one entry per coordinate");
    }
    if (model_.coordinates.empty())
      refuse({model_.file}, "the model has no [coordinates]",
             "write [coordinates] and below it one line for each, as x = { start = 0.0 }");
    if (!has_energy() && !has_equations())
      refuse({model_.file}, "the model has neither [energy] nor [equations]",
             "write [energy] and below it kinetic = \"...\" and potential = \"...\"");
    if (has_equations()) check_sizes();
  }

  void check_sizes() const {
    const std::size_t n = model_.coordinates.size();
    std::string names;
    for (const Coordinate& coordinate : model_.coordinates) names += (names.empty() ? "" : ", ") + coordinate.name;
    const std::string help = "one per coordinate: " + names;
    if (model_.mass.size() != n)
      refuse(place("equations.mass"),
             fmt::format("mass has {}, expected {}", count(model_.mass.size(), "row", "rows"), n), help);
    for (std::size_t i = 0; i < n; ++i)
      if (model_.mass[i].size() != n)
        refuse(place(fmt::format("equations.mass[{}]", i + 1)),
               fmt::format("row {} of mass has {}, expected {}", i + 1,
                           count(model_.mass[i].size(), "entry", "entries"), n),
               help);
    if (model_.force.size() != n)
      refuse(place("equations.force"),
             fmt::format("force has {}, expected {}", count(model_.force.size(), "entry", "entries"), n), help);
  }

  /// A control cannot make velocities jump, so what it keeps would be lost in an impact.
  void check_stops_beside_controls() const {
    const auto servo = std::ranges::find_if(model_.constraints, &Constraint::servo);
    if (servo == model_.constraints.end()) return;
    const auto refuse_stop = [&](const Where& where, const std::string& stop) {
      refuse(where, fmt::format("{}, but a control keeps \"{}\"", stop, servo->name),
             "an impact would violate it, and no control can make velocities jump");
    };
    for (const Constraint& constraint : model_.constraints)
      if (constraint.one_sided) refuse_stop(constraint.where, fmt::format("\"{}\" is one-sided", constraint.name));
    for (const Joint& joint : model_.mechanism.joints)
      for (const JointLimit& limit : joint.limits)
        if (limit.stiffness.empty())
          refuse_stop(limit.where, fmt::format("the limits of \"{}\" are rigid stops", joint.name));
  }

  const Model& model_;
};

}  // namespace

void validate(const Model& model) {
  validate_formulas(model);
  validate_parts(model.mechanism);
  validate_units(model);
  WholeModel(model).check();
  if (model.mechanism.given()) validate_mechanism(model);
}

}  // namespace maggi
