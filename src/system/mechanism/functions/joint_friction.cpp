#include "system/mechanism/functions/joint_friction.hpp"

#include <fmt/format.h>

#include <cmath>

namespace maggi::mechanism {

namespace {

/// What has the radius at which turning rubs; "" where nothing turns.
const char* owner_of_radius(Rubs rubs) {
  switch (rubs) {
    case Rubs::nothing:
    case Rubs::guide:
    case Rubs::point_on_plane: return "";
    case Rubs::pin:
    case Rubs::pin_and_guide:
    case Rubs::cross:
    case Rubs::plate_on_plane: return "pin";
    case Rubs::thread: return "thread";
    case Rubs::ball: return "ball";
  }
  return "";
}

void check_radius(const Joint& given, const JointFriction& friction) {
  const JointEntry& entry = entry_of(given.type);
  if (entry.rubs == Rubs::nothing)
    fail(friction.where, fmt::format("joint \"{}\" is {} and cannot have friction", given.name, entry.name()),
         entry.on_rates == JointEntry::OnRates::rolling
             ? "it does not slip"
             : "nothing in it rubs; write a [friction] over multipliers and speeds");
  const std::string owner = owner_of_radius(entry.rubs);
  if (owner.empty() == friction.radius.empty() || entry.rubs == Rubs::plate_on_plane) return;
  fail(friction.where,
       fmt::format("the friction of \"{}\" {}", given.name,
                   owner.empty() ? "has a radius, but slides" : "has no radius"),
       owner.empty() ? "remove it" : fmt::format("add radius = ..., that of the {} in m", owner));
}

/// Friction against some speeds, from all forces of the joint; with a radius it is a torque.
template <class Real>
void add_law(const DrawnJointOver<Real>& joint, const std::string& part, const std::vector<std::string>& speeds,
             const Factor& radius, FormulaWriterOver<Real>& out) {
  const Joint& given = *joint.given;
  const JointFriction& friction = *given.friction;
  if (!(radius.value > 0.0))
    fail(friction.radius.where, fmt::format("the radius of the friction of \"{}\" is {}", given.name, radius.value),
         "it must be positive");
  Friction law;
  law.name = given.name + part;
  law.where = friction.where;
  for (const std::string& speed : speeds) law.along.emplace_back(speed, friction.where);
  for (const JointRow& row : out.functions.kind(joint).rows)
    if (!is_rotation(row.holds)) law.on.push_back({given.name + "." + row.component, friction.where});
  const auto at_radius = [&](const Formula& coefficient) {
    return radius.text == "1" ? coefficient : enclosed("(", coefficient, ")*" + radius.text);
  };
  law.coefficient = at_radius(friction.coefficient);
  if (!friction.stiction.empty()) law.stiction = at_radius(friction.stiction);
  out.model.frictions.push_back(std::move(law));
}

}  // namespace

template <class Real>
void write_friction(const DrawnJointOver<Real>& joint, const JointFriction& friction, FormulaWriterOver<Real>& out) {
  const Joint& given = *joint.given;
  check_radius(given, friction);
  const auto rub = [&](const std::string& part, const std::vector<std::string>& speeds,
                       const Factor& radius = {1.0, "1"}) { add_law(joint, part, speeds, radius, out); };
  const int axis = out.drawing.planar ? 0 : 2;
  const auto speed = [&](Holds holds, int along, const std::string& part = "") {
    OutputFunctionOver<Real> rate = out.functions.between(given.name + ".speed" + part, joint);
    rate.unit = unit_of(holds);
    rate.rate_only = true;
    rate.row = {holds, along, ""};
    out.functions.take(rate);
    return rate.name;
  };
  const Factor r = out.number_or_zero(friction.radius, "the radius of the friction of " + given.name);
  switch (entry_of(given.type).rubs) {
    case Rubs::nothing: return;
    case Rubs::pin: return rub("", {speed(Holds::turning, axis)}, r);
    case Rubs::guide: return rub("", {speed(Holds::along, axis)});
    case Rubs::pin_and_guide:
      return rub(
          "", {speed(Holds::along, 2, "_along"), fmt::format("({})*{}", r.text, speed(Holds::turning, 2, "_about"))});
    case Rubs::thread: {
      // the flank rises by p a radian: its tangent is (r, p)/√(r² + p²), and λ of the thread its force along the axis
      const Factor p = out.number(given.pitch, "the pitch of " + given.name);
      const std::string square_of_l = fmt::format("(({})^2 + ({})^2)", r.text, p.text);
      rub("", {fmt::format("(({0})^2*{1} + ({2})*{3})/sqrt{4}", r.text, speed(Holds::turning, 2, "_about"), p.text,
                           speed(Holds::along, 2, "_along"), square_of_l)});
      const std::string square = fmt::format("lambda.{0}.x^2 + lambda.{0}.y^2 + {1}/({2})^2*lambda.{0}.thread^2",
                                             given.name, square_of_l, r.text);
      out.model.frictions.back().normal = Formula(fmt::format("if(0 < {0}, sqrt({0}), 0)", square), friction.where);
      return;
    }
    case Rubs::cross:
      rub("_angle_1", {speed(Holds::turning, 0, "_1")}, r);
      return rub("_angle_2", {speed(Holds::carried_about, 1, "_2")}, r);
    case Rubs::ball:
      return rub("", {speed(Holds::turning, 0, "_x"), speed(Holds::turning, 1, "_y"), speed(Holds::turning, 2, "_z")},
                 r);
    case Rubs::point_on_plane:
    case Rubs::plate_on_plane:
      rub("", {speed(Holds::along, 0, "_x"), speed(Holds::along, 1, "_y")});
      if (!out.is_zero(r)) rub("_angle", {speed(Holds::turning, 2, "_about")}, r);
      return;
  }
}

template void write_friction(const DrawnJointOver<double>&, const JointFriction&, FormulaWriterOver<double>&);
template void write_friction(const DrawnJointOver<Dual>&, const JointFriction&, FormulaWriterOver<Dual>&);

}  // namespace maggi::mechanism
