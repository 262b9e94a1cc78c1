#include "system/mechanism/functions/force_formulas.hpp"

#include <fmt/format.h>

namespace maggi::mechanism {

namespace {

template <class Real>
void write(const JointForce& force, FormulaWriterOver<Real>& out) {
  if (out.numbers.covers(force.force)) return;
  const std::string name = out.functions.coordinate_name(force.joint, force.component);
  const auto what = [&](const char* of) { return fmt::format("the {} of \"{}\"", of, force.name); };
  out.add_spring(name, out.number_or_zero(force.stiffness, what("stiffness")),
                 out.number_or_zero(force.rest, what("rest position")),
                 out.number_or_zero(force.damping, what("damping")), force.where);
  if (!force.force.empty()) out.add_force(name, force.force, force.where);
}

template <class Real>
void write(const DrawnSpringOver<Real>& spring, FormulaWriterOver<Real>& out) {
  const Spring& given = *spring.given;
  if (out.numbers.covers(given.force)) return;
  out.functions.find(given.name + ".length", given.where);
  out.add_force(given.name + ".length", enclosed("-(", given.force, ")"), given.where);  // a pull makes it shorter
}

template <class Real>
void write(const DrawnForceOver<Real>& drawn, FormulaWriterOver<Real>& out) {
  const BodyForce& force = *drawn.given;
  for (std::size_t k = 0; k < force.force.values.size(); ++k) {
    OutputFunctionOver<Real> place;
    place.name = fmt::format("{}.{}", force.name, "xyz"[k]);
    place.unit = "m";
    place.b = drawn.body;
    place.at_b = drawn.at;
    place.rate_only = force.turns_with_body;
    if (force.turns_with_body) place.frame_b = out.drawing.bodies[drawn.body].turned;
    place.row = {force.turns_with_body ? Holds::carried_along : Holds::along, static_cast<int>(k), ""};
    out.functions.take(place);
    out.add_force(place.name, force.force.values[k], force.where);
  }
  for (std::size_t k = 0; k < force.torque.values.size(); ++k) {
    OutputFunctionOver<Real> turn;
    turn.name = fmt::format("{}.turn_{}", force.name, out.drawing.planar ? 'z' : "xyz"[k]);
    turn.unit = "rad";
    turn.b = drawn.body;
    turn.rate_only = true;
    if (force.turns_with_body) turn.frame_b = out.drawing.bodies[drawn.body].turned;
    turn.row = {force.turns_with_body ? Holds::carried_about : Holds::turning, static_cast<int>(k), ""};
    out.functions.take(turn);
    out.add_force(turn.name, force.torque.values[k], force.where);
  }
}

template <class Real>
void write(const DrawnBushingOver<Real>& drawn, FormulaWriterOver<Real>& out) {
  const Bushing& bushing = *drawn.given;
  const int axes = out.drawing.planar ? 2 : 3, turns = out.drawing.planar ? 1 : 3;
  for (int k = 0; k < axes + turns; ++k) {
    const bool along = k < axes;
    const int axis = along ? k : k - axes;
    OutputFunctionOver<Real> function;
    function.name =
        fmt::format("{}.{}{}", bushing.name, along ? "" : "turn_", !along && out.drawing.planar ? 'z' : "xyz"[axis]);
    function.unit = along ? "m" : "rad";
    function.a = drawn.a, function.b = drawn.b;
    function.at_a = function.at_b = drawn.at;
    function.frame_a = function.frame_b = drawn.frame;
    function.row = {along ? Holds::along : Holds::about, axis, ""};
    const auto number = [&](const Triple& values) {
      const auto place = static_cast<std::size_t>(axis);
      return place < values.values.size() ? out.number(values.values[place], function.name) : Factor();
    };
    const Factor stiffness = number(along ? bushing.stiffness : bushing.torsion_stiffness);
    const Factor damping = number(along ? bushing.damping : bushing.torsion_damping);
    const bool no_spring = out.is_zero(stiffness), no_damper = out.is_zero(damping);
    if (no_spring && no_damper) continue;
    out.functions.take(function);
    out.add_spring(function.name, stiffness, {}, damping, bushing.where);
  }
}

}  // namespace

template <class Real>
void write_forces(const Mechanism& mechanism, FormulaWriterOver<Real>& out) {
  for (const JointForce& force : mechanism.joint_forces) write(force, out);
  for (const DrawnSpringOver<Real>& spring : out.drawing.springs) write(spring, out);
  for (const DrawnForceOver<Real>& force : out.drawing.forces) write(force, out);
  for (const DrawnBushingOver<Real>& bushing : out.drawing.bushings) write(bushing, out);
}

template void write_forces(const Mechanism&, FormulaWriterOver<double>&);
template void write_forces(const Mechanism&, FormulaWriterOver<Dual>&);

}  // namespace maggi::mechanism
