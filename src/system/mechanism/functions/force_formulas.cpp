#include "system/mechanism/functions/force_formulas.hpp"

#include <fmt/format.h>

#include "model/mechanism_fields.hpp"
#include "system/mechanism/reference/place_reader.hpp"

namespace maggi::mechanism {

namespace {

template <class Real>
void write(const JointForce& force, const PlaceReader<Real>& /*a joint has a place*/, FormulaWriterOver<Real>& out) {
  if (out.numbers.covers(force.force)) return;
  const std::string name = out.functions.coordinate_name(force.joint, force.component);
  const auto what = [&](const char* of) { return fmt::format("the {} of \"{}\"", of, force.name); };
  out.add_spring(name, out.number_or_zero(force.stiffness, what("stiffness")),
                 out.number_or_zero(force.rest, what("rest position")),
                 out.number_or_zero(force.damping, what("damping")), force.where);
  if (!force.force.empty()) out.add_force(name, force.force, force.where);
}

template <class Real>
void write(const Spring& given, const PlaceReader<Real>& /*its length is a function of its own*/,
           FormulaWriterOver<Real>& out) {
  if (out.numbers.covers(given.force)) return;
  out.functions.find(given.name + ".length", given.where);
  out.add_force(given.name + ".length", enclosed("-(", given.force, ")"), given.where);  // a pull makes it shorter
}

template <class Real>
void write(const BodyForce& force, const PlaceReader<Real>& read, FormulaWriterOver<Real>& out) {
  const int body = read.body(force.body);
  const DrawnBodyOver<Real>& drawn = out.drawing.bodies[static_cast<std::size_t>(body)];
  const Vector3Over<Real> at = force.at.given() ? read.point(force.at, read.of("at", force.name)) : drawn.position;
  for (std::size_t k = 0; k < force.force.values.size(); ++k) {
    OutputFunctionOver<Real> place;
    place.name = fmt::format("{}.{}", force.name, "xyz"[k]);
    place.unit = "m";
    place.b = body;
    place.at_b = at;
    place.rate_only = force.turns_with_body;
    if (force.turns_with_body) place.frame_b = drawn.turned;
    place.row = {force.turns_with_body ? Holds::carried_along : Holds::along, static_cast<int>(k), ""};
    out.functions.take(place);
    out.add_force(place.name, force.force.values[k], force.where);
  }
  for (std::size_t k = 0; k < force.torque.values.size(); ++k) {
    OutputFunctionOver<Real> turn;
    turn.name = fmt::format("{}.turn_{}", force.name, out.drawing.planar ? 'z' : "xyz"[k]);
    turn.unit = "rad";
    turn.b = body;
    turn.rate_only = true;
    if (force.turns_with_body) turn.frame_b = drawn.turned;
    turn.row = {force.turns_with_body ? Holds::carried_about : Holds::turning, static_cast<int>(k), ""};
    out.functions.take(turn);
    out.add_force(turn.name, force.torque.values[k], force.where);
  }
}

template <class Real>
void write(const Bushing& bushing, const PlaceReader<Real>& read, FormulaWriterOver<Real>& out) {
  int a = 0, b = 0;
  read.between(bushing.bodies, "bushing", bushing.name, a, b);
  const Vector3Over<Real> at = read.point(bushing.at, read.of("at", bushing.name));
  Matrix3Over<Real> frame = Matrix3Over<Real>::Identity();
  if (bushing.axis.given()) frame = read.axes_about(read.direction(bushing.axis, "axis", bushing.name));
  const int axes = out.drawing.planar ? 2 : 3, turns = out.drawing.planar ? 1 : 3;
  for (int k = 0; k < axes + turns; ++k) {
    const bool along = k < axes;
    const int axis = along ? k : k - axes;
    OutputFunctionOver<Real> function;
    function.name =
        fmt::format("{}.{}{}", bushing.name, along ? "" : "turn_", !along && out.drawing.planar ? 'z' : "xyz"[axis]);
    function.unit = along ? "m" : "rad";
    function.a = a, function.b = b;
    function.at_a = function.at_b = at;
    function.frame_a = function.frame_b = frame;
    function.row = {along ? Holds::along : Holds::about, axis, ""};
    const auto number = [&](const Triple& values) {
      const auto place = static_cast<std::size_t>(axis);
      return place < values.values.size() ? out.number(values.values[place], function.name) : Factor();
    };
    const Factor stiffness = number(along ? bushing.stiffness : bushing.torsion_stiffness);
    const Factor damping = number(along ? bushing.damping : bushing.torsion_damping);
    if (stiffness.value < 0.0 || damping.value < 0.0)
      fail(bushing.where, fmt::format("bushing \"{}\" has a negative stiffness or damping", bushing.name), "");
    const bool no_spring = out.is_zero(stiffness), no_damper = out.is_zero(damping);
    if (no_spring && no_damper) continue;
    out.functions.take(function);
    out.add_spring(function.name, stiffness, {}, damping, bushing.where);
  }
}

}  // namespace

template <class Real>
void write_forces(const Mechanism& mechanism, const NumbersOver<Real>& numbers, FormulaWriterOver<Real>& out) {
  const PlaceReader<Real> read(mechanism, numbers, out.drawing);
  fields::for_each_force(mechanism, [&](const auto& force) { write(force, read, out); });
}

template void write_forces(const Mechanism&, const Numbers&, FormulaWriterOver<double>&);
template void write_forces(const Mechanism&, const DualNumbers&, FormulaWriterOver<Dual>&);

}  // namespace maggi::mechanism
