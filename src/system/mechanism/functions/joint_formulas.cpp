#include "system/mechanism/functions/joint_formulas.hpp"

#include <fmt/format.h>

#include <set>

#include "system/mechanism/functions/joint_friction.hpp"

namespace maggi::mechanism {

template <class Real>
void write(const DrawnDriverOver<Real>& drawn, FormulaWriterOver<Real>& out) {
  const Driver& driver = *drawn.given;
  const auto follow = [&](const std::string& function, const std::string& component, const Formula& formula,
                          const std::string& unit) {
    out.add_row(driver.name, component, Formula(function, driver.where), unit, driver.where).equals = formula;
  };
  if (!driver.coordinate.name.empty()) {
    const std::string name = out.functions.coordinate_name(driver.coordinate);
    return follow(name, "", driver.follows.front(), out.functions.unit_of_function(name));
  }
  if (!driver.marker.name.empty()) {
    for (std::size_t k = 0; k < driver.follows.size(); ++k) {
      const std::string axis(1, "xyz"[k]), name = driver.marker.name + "." + axis;
      out.functions.find(name, driver.marker.where);
      if (!out.functions.is_taken(name))
        fail(driver.marker.where, fmt::format("no marker is named \"{}\"", driver.marker.name),
             "write body.marker, as \"arm.tip\"; or body.centre");
      follow(name, axis, driver.follows[k], "m");
    }
    return;
  }
  const std::string name = driver.name + ".length";
  out.functions.take_distance(name, drawn.a, drawn.b, drawn.from, drawn.to);
  follow(name, "", driver.follows.front(), "m");
}

template <class Real>
void write(const Coupling& coupling, FormulaWriterOver<Real>& out) {
  std::string sum;
  std::set<std::string> seen;
  for (const Coupling::Term& term : coupling.terms) {
    const std::string name = out.functions.coordinate_name(term.coordinate);
    if (!seen.insert(name).second)
      fail(term.coordinate.where, fmt::format("coupling \"{}\" has {} twice", coupling.name, name), "add them up");
    const Factor factor = out.number(term.factor, fmt::format("the factor of {} in \"{}\"", name, coupling.name));
    if (factor.value == 0.0)
      fail(term.factor.where, fmt::format("the factor of {} in \"{}\" is zero", name, coupling.name),
           "then it has no part in the coupling");
    sum += fmt::format("{}({})*{}", sum.empty() ? "" : " + ", factor.text, name);
  }
  out.add_row(coupling.name, "", Formula(sum, coupling.where), "", coupling.where);
}

namespace {

template <class Real>
void add_velocity_row(const DrawnJointOver<Real>& joint, OutputFunctionOver<Real> function,
                      const std::string& component, FormulaWriterOver<Real>& out) {
  const Where where = joint.given->where;
  function.unit = "m";
  function.rate_only = true;
  Constraint& row = out.add_row(function.joint, component, Formula(function.name, where), "m/s", where);
  row.level = Level::velocity;
  out.functions.take(std::move(function));
}

template <class Real>
void add_rolling(const DrawnJointOver<Real>& joint, FormulaWriterOver<Real>& out) {
  const std::string& name = joint.given->name;
  OutputFunctionOver<Real> function = out.functions.between(name + ".height", joint);
  function.unit = "m";
  function.length = joint.radius;
  function.at_a = joint.touches, function.at_b = joint.at;
  function.frame_a = joint.plane;
  const bool ball = !out.drawing.planar && !joint.given->axis.given();
  function.row = {ball || out.drawing.planar ? Holds::ball_height : Holds::disc_height, 0, ""};
  out.add_row(name, "normal", Formula(function.name, joint.given->where), "m", joint.given->where);
  out.functions.take(function);
  function.joint = name;
  const Holds slip = ball || out.drawing.planar ? Holds::ball_slip : Holds::disc_slip;
  function.name = name + ".along";
  function.row = {slip, 0, ""};
  add_velocity_row(joint, function, "along", out);
  if (out.drawing.planar) return;
  function.name = name + ".across";
  function.row = {slip, 1, ""};
  add_velocity_row(joint, function, "across", out);
}

template <class Real>
void add_knife_edge(const DrawnJointOver<Real>& joint, FormulaWriterOver<Real>& out) {
  OutputFunctionOver<Real> across = out.functions.between(joint.given->name + ".across", joint);
  across.rate_only = true;
  across.row = {Holds::carried_along, out.drawing.planar ? 0 : 2, ""};
  add_velocity_row(joint, across, "across", out);
}

template <class Real>
void add_limit(const DrawnJointOver<Real>& drawn, const JointLimit& limit, FormulaWriterOver<Real>& out) {
  const Joint& joint = *drawn.given;
  const std::string name = out.functions.coordinate_name({joint.name, limit.where}, limit.component);
  const std::string part = name.substr(joint.name.size() + 1);
  const auto what = [&](const char* of) { return fmt::format("the {} of the limit of \"{}\"", of, name); };
  const bool low = !limit.lower.empty(), high = !limit.upper.empty();
  const Factor lower = out.number_or_zero(limit.lower, what("lower end")),
               upper = out.number_or_zero(limit.upper, what("upper end"));
  if (low && high && lower.value >= upper.value)
    fail(limit.lower.where, fmt::format("the limits of \"{}\" are {:.6g} and {:.6g}", name, lower.value, upper.value),
         "write the smaller one first");
  const bool only = out.functions.kind(drawn).freedoms.size() == 1;
  for (const bool up : {false, true}) {
    if (up ? !high : !low) continue;
    const std::string gap =
        up ? fmt::format("({}) - {}", upper.text, name) : fmt::format("{} - ({})", name, lower.text);
    if (limit.stiffness.empty()) {
      Constraint& row = out.add_row(joint.name, (only ? "" : part + "_") + (up ? "upper" : "lower"),
                                    Formula(gap, limit.where), out.functions.unit_of_function(name), limit.where);
      row.one_sided = true;
      row.restitution = limit.restitution;
      continue;
    }
    const Factor k = out.number(limit.stiffness, what("stiffness")),
                 d = out.number_or_zero(limit.damping, what("damping"));
    if (!(k.value > 0.0)) fail(limit.stiffness.where, what("stiffness") + " is not positive", "a stop pushes back");
    if (d.value < 0.0) fail(limit.damping.where, what("damping") + " is negative", "a stop takes energy");
    out.add_potential(fmt::format("{}/2*min({}, 0)^2", k.text, gap));
    if (out.is_zero(d)) continue;
    // it brakes, but never pulls:  max(0, k δ − d δ̇') with the elastic part taken out
    const std::string sign = up ? "-" : "", depth = fmt::format("({})*(-({}))", k.text, gap);
    const std::string brake = fmt::format("max(-({}), {}({})*{}')", depth, up ? "" : "-", d.text, name);
    out.add_force(name, Formula(fmt::format("if({} < 0, {}({}), 0)", gap, sign, brake), limit.where), limit.where);
  }
}

}  // namespace

template <class Real>
void write(const DrawnJointOver<Real>& joint, FormulaWriterOver<Real>& out) {
  const Joint& given = *joint.given;
  for (const JointLimit& limit : given.limits) add_limit(joint, limit, out);
  if (given.friction) write_friction(joint, *given.friction, out);
  switch (entry_of(given.type).on_rates) {
    case JointEntry::OnRates::none: return;
    case JointEntry::OnRates::rolling: return add_rolling(joint, out);
    case JointEntry::OnRates::knife_edge: return add_knife_edge(joint, out);
  }
}

template void write(const DrawnDriverOver<double>&, FormulaWriterOver<double>&);
template void write(const DrawnDriverOver<Dual>&, FormulaWriterOver<Dual>&);
template void write(const Coupling&, FormulaWriterOver<double>&);
template void write(const Coupling&, FormulaWriterOver<Dual>&);
template void write(const DrawnJointOver<double>&, FormulaWriterOver<double>&);
template void write(const DrawnJointOver<Dual>&, FormulaWriterOver<Dual>&);

}  // namespace maggi::mechanism
