#include "system/mechanism/formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "maggi/base/names.hpp"
#include "maggi/expression/parse.hpp"

namespace maggi::mechanism {

namespace {

Where moved(Where where, int columns) {
  if (where.column > 0) where.column += columns;
  return where;
}

/// A formula with something before and behind it; what is in it stays where it was.
Formula enclosed(const std::string& before, const Formula& formula, const std::string& behind) {
  return {before + formula.text + behind, moved(formula.where, -static_cast<int>(before.size()))};
}

[[noreturn]] void fail(const Where& where, std::string what, std::string help) {
  throw Error(Errc::model, where, std::move(what), std::move(help));
}

}  // namespace

class FormulaReader {
 public:
  FormulaReader(const Model& given, const Numbers& numbers, const Drawing& drawing, Formulas& out)
      : given_(given), number_(numbers), drawing_(drawing), out_(out), model_(out.model_) {
    model_.title = given.title;
    model_.file = given.file;
    model_.parameters = given.parameters;
    model_.tables = given.tables;
    model_.definitions = given.definitions;
    model_.constraints = given.constraints;
    model_.laws = given.laws;
    model_.frictions = given.frictions;
    model_.events = given.events;
    model_.controls = given.controls;
    model_.outputs = given.outputs;
    model_.start_multipliers = given.start_multipliers;
    model_.simulation = given.simulation;
    model_.kinetic = "0";
    for (const DrawnDriver& driver : drawing.drivers) add(driver);
    for (const Coupling& coupling : given.mechanism.couplings) add(coupling);
    for (const DrawnJoint& joint : drawing.joints) add(joint);
    for (const JointForce& force : given.mechanism.joint_forces) add(force);
    for (const DrawnSpring& spring : drawing.springs) add(spring);
    for (const DrawnForce& force : drawing.forces) add(force);
    for (const DrawnBushing& bushing : drawing.bushings) add(bushing);
    model_.potential = potential_;
    find_what_formulas_use();
    const bool says_something = !model_.definitions.empty() || !model_.constraints.empty() || !model_.laws.empty() ||
                                !model_.frictions.empty() || !model_.events.empty() || !model_.controls.empty() ||
                                !model_.outputs.empty() || !model_.start_multipliers.empty();
    if (out_.quantities_.empty() && says_something) take_any();
  }

 private:
  // --- quantities --------------------------------------------------------------------------------------------------

  void find_what_formulas_use() {
    for (const Definition& d : model_.definitions) scan(d.formula);
    for (const Constraint& c : model_.constraints) scan(c.formula), scan(c.equals);
    for (const Law& law : model_.laws) scan(law.formula), scan(law.along);
    for (const Friction& friction : model_.frictions) {
      for (const Formula& along : friction.along) scan(along);
      scan(friction.coefficient);
      if (friction.stiction) scan(*friction.stiction);
      if (friction.normal) scan(*friction.normal);
    }
    for (const Event& event : model_.events) scan(event.when);
    for (const Control& control : model_.controls) scan(control.along);
    for (const Output& output : model_.outputs) scan(output.formula);
    for (const GeneralisedForce& force : model_.generalised_forces) scan(force.formula);
  }

  void scan(const Formula& formula) {
    for (const expression::Mention& mention : expression::mentions(formula.text))
      find(mention.name, moved(formula.where, mention.offset));
  }
  void scan(const std::vector<GeneralisedForce>& along) {
    for (const GeneralisedForce& force : along) find(force.coordinate, force.where), scan(force.formula);
  }

  bool is_taken(const std::string& name) const {
    return std::ranges::find(out_.quantities_, name, &Quantity::name) != out_.quantities_.end();
  }
  void take(Quantity quantity) {
    if (!is_taken(quantity.name)) out_.quantities_.push_back(std::move(quantity));
  }

  /// Formulas over time alone: any quantity will do.
  void take_any() {
    const std::string axis = drawing_.planar ? ".angle" : ".wz";
    find(drawing_.bodies.back().name() + axis, {});
  }

  /// The quantity of a name, if it is one of the mechanism.
  void find(const std::string& name, const Where& where) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos || is_taken(name)) return;
    const std::string owner = name.substr(0, dot), part = name.substr(dot + 1);
    for (const DrawnJoint& joint : drawing_.joints)
      if (joint.given->name == owner) return find_of_joint(joint, part, where);
    for (std::size_t b = 0; b < drawing_.bodies.size(); ++b)
      if (drawing_.bodies[b].name() == owner) return find_of_body(static_cast<int>(b), part, where);
    for (const DrawnSpring& spring : drawing_.springs)
      if (spring.given->name == owner) return find_of_spring(spring, part, where);
    if (owner == "lambda" || owner == "force" || owner == "control") return;
    if (owner == "energy" || owner == "power")
      fail(where, fmt::format("\"{}\" is no quantity of the mechanism", name),
           "energies and powers are channels of the result; formulas use joints, bodies and springs");
    std::vector<std::string> owners;
    for (const DrawnJoint& joint : drawing_.joints) owners.push_back(joint.given->name);
    for (const DrawnBody& body : drawing_.bodies) owners.push_back(body.name());
    for (const DrawnSpring& spring : drawing_.springs) owners.push_back(spring.given->name);
    fail(where, fmt::format("no joint, body or spring is named \"{}\"", owner), suggest_name(owner, owners));
  }

  JointKind kind(const DrawnJoint& joint) const {
    return drawing_.planar ? joint_kind<Planar>(joint.given->type) : joint_kind<Spatial>(joint.given->type);
  }

  void find_of_joint(const DrawnJoint& joint, const std::string& part, const Where& where) {
    const Joint& given = *joint.given;
    std::vector<std::string> parts;
    if (given.type == JointType::distance) {
      if (part == "length") return take_distance(given.name + ".length", joint.a, joint.b, joint.at, joint.to);
      parts.emplace_back("length");
    }
    for (const JointFreedom& freedom : kind(joint).freedoms) {
      if (freedom.freedom == Freedom::ball) {
        for (const char* rate : {"wx", "wy", "wz"}) {
          if (part == rate) return take_coordinate(joint, part, "rad", true, where);
          parts.emplace_back(rate);
        }
        continue;
      }
      if (part == freedom.component) return take_coordinate(joint, part, unit_of(freedom.freedom), false, where);
      parts.push_back(freedom.component);
    }
    if (parts.empty())
      fail(where, fmt::format("joint \"{}\" has no coordinates", given.name), "use the markers of its bodies");
    fail(where, fmt::format("joint \"{}\" has no coordinate \"{}\"", given.name, part), suggest_name(part, parts));
  }

  void take_coordinate(const DrawnJoint& joint, const std::string& part, const std::string& unit, bool rate_only,
                       const Where& where) {
    Quantity quantity;
    quantity.where = where;
    quantity.name = joint.given->name + "." + part;
    quantity.unit = unit;
    quantity.rate_only = rate_only;
    quantity.kind = Quantity::Kind::coordinate;
    out_.with_coordinates_.insert(joint.given->name);
    take(quantity);
  }

  Quantity between(const std::string& name, const DrawnJoint& joint) const {
    Quantity quantity;
    quantity.name = name;
    quantity.a = joint.a, quantity.b = joint.b;
    quantity.at_a = joint.at, quantity.at_b = joint.to;
    quantity.frame_a = quantity.frame_b = joint.frame;
    quantity.joint = joint.given->name;
    return quantity;
  }

  void take_distance(const std::string& name, int a, int b, const Vector3& from, const Vector3& to) {
    Quantity quantity;
    quantity.name = name;
    quantity.unit = "m";
    quantity.a = a, quantity.b = b;
    quantity.at_a = from, quantity.at_b = to;
    quantity.row = {Holds::distance, 0, ""};
    take(quantity);
  }

  void find_of_spring(const DrawnSpring& spring, const std::string& part, const Where& where) {
    if (part != "length")
      fail(where, fmt::format("spring \"{}\" has no \"{}\"", spring.given->name, part),
           fmt::format("its length is {}.length", spring.given->name));
    take_distance(spring.given->name + ".length", spring.a, spring.b, spring.from, spring.to);
  }

  static int axis_of(const std::string& part) { return part == "x" ? 0 : part == "y" ? 1 : part == "z" ? 2 : -1; }

  void find_of_body(int b, const std::string& part, const Where& where) {
    const DrawnBody& body = drawing_.bodies[b];
    const std::size_t dot = part.find('.');
    const std::string marker = part.substr(0, dot);
    std::vector<std::string> parts{"centre.x"};
    if (dot != std::string::npos) {
      const int axis = axis_of(part.substr(dot + 1));
      if (axis >= 0 && axis < (drawing_.planar ? 2 : 3)) {
        for (std::size_t k = 0; k < body.markers.size(); ++k)
          if (body.given->markers[k].name == marker)
            return take_place(b, body.markers[k], body.name() + "." + part, axis);
        if (marker == "centre" && b > 0) return take_place(b, body.position, body.name() + "." + part, axis);
      }
    } else if (drawing_.planar && part == "angle" && b > 0) {
      Quantity angle;
      angle.name = body.name() + ".angle";
      angle.unit = "rad";
      angle.kind = Quantity::Kind::angle;
      angle.b = b;
      return take(angle);
    } else if (!drawing_.planar && part.size() == 2 && part[0] == 'w' && axis_of(part.substr(1)) >= 0 && b > 0) {
      Quantity spin;
      spin.name = body.name() + "." + part;
      spin.unit = "rad";
      spin.rate_only = true;
      spin.b = b;
      spin.row = {Holds::turning, axis_of(part.substr(1)), ""};
      return take(spin);
    }
    if (drawing_.planar) parts.emplace_back("angle");
    if (!drawing_.planar) parts.emplace_back("wx");
    if (body.given)
      for (const Marker& each : body.given->markers) parts.push_back(each.name + ".x");
    fail(where, fmt::format("body \"{}\" has no \"{}\"", body.name(), part), suggest_name(part, parts));
  }

  void take_place(int b, const Vector3& at, const std::string& name, int axis) {
    Quantity place;
    place.name = name;
    place.unit = "m";
    place.b = b;
    place.at_b = at;
    place.row = {Holds::along, axis, ""};
    take(place);
  }

  /// "crank" or "crank.angle" as the full name of a joint coordinate.
  std::string coordinate_name(const Reference& reference, const std::string& component = "") {
    const std::size_t dot = reference.name.find('.');
    const std::string owner = reference.name.substr(0, dot);
    const std::string part = dot == std::string::npos ? component : reference.name.substr(dot + 1);
    std::vector<std::string> names;
    for (const DrawnJoint& joint : drawing_.joints) {
      names.push_back(joint.given->name);
      if (joint.given->name != owner) continue;
      std::vector<std::string> parts;
      for (const JointFreedom& freedom : kind(joint).freedoms)
        if (freedom.freedom != Freedom::ball) parts.push_back(freedom.component);
      if (joint.given->type == JointType::distance)
        fail(reference.where, fmt::format("\"{}\" keeps a distance and has no coordinate", owner),
             "a driver with distance = [...] lets it follow a formula");
      if (part.empty() && parts.size() != 1)
        fail(reference.where, fmt::format("\"{}\" has {} coordinates", owner, parts.size()),
             parts.empty() ? "" : fmt::format("say which: {}", list_names(parts, false)));
      const std::string name = owner + "." + (part.empty() ? parts.front() : part);
      find(name, reference.where);
      return name;
    }
    fail(reference.where, fmt::format("no joint is named \"{}\"", owner), suggest_name(owner, names));
  }

  // --- what mechanisms have besides --------------------------------------------------------------------------------

  double number(const Formula& formula, const std::string& what, double otherwise = 0.0) const {
    return formula.empty() ? otherwise : number_(formula, what);
  }

  void add_force(const std::string& quantity, Formula formula, const Where& where) {
    model_.generalised_forces.push_back({quantity, std::move(formula), where});
  }
  void add_potential(const std::string& text) { potential_ += (potential_.empty() ? "" : " + ") + text; }

  /// Spring and damper along a quantity.
  void add_spring(const std::string& name, double stiffness, double rest, double damping, const Where& where) {
    if (stiffness != 0.0) add_potential(fmt::format("{}/2*({} - ({}))^2", stiffness, name, rest));
    if (damping != 0.0) add_force(name, Formula(fmt::format("-({})*{}'", damping, name), where), where);
  }

  Constraint& add_row(const std::string& owner, const std::string& component, const Formula& formula,
                      const std::string& unit, const Where& where) {
    Constraint row;
    row.name = component.empty() ? owner : owner + "." + component;
    row.owner = owner;
    row.component = component;
    row.formula = formula;
    row.unit = unit;
    row.where = where;
    return model_.constraints.emplace_back(std::move(row));
  }

  void add(const DrawnDriver& drawn) {
    const Driver& driver = *drawn.given;
    const auto follow = [&](const std::string& quantity, const std::string& component, const Formula& formula,
                            const std::string& unit) {
      add_row(driver.name, component, Formula(quantity, driver.where), unit, driver.where).equals = formula;
    };
    if (!driver.coordinate.name.empty()) {
      const std::string name = coordinate_name(driver.coordinate);
      return follow(name, "", driver.follows.front(), unit_of_quantity(name));
    }
    if (!driver.marker.name.empty()) {
      for (std::size_t k = 0; k < driver.follows.size(); ++k) {
        const std::string axis(1, "xyz"[k]), name = driver.marker.name + "." + axis;
        if (driver.follows[k].empty()) continue;
        find(name, driver.marker.where);
        if (!is_taken(name))
          fail(driver.marker.where, fmt::format("no marker is named \"{}\"", driver.marker.name),
               "write body.marker, as \"arm.tip\"; or body.centre");
        follow(name, axis, driver.follows[k], "m");
      }
      return;
    }
    const std::string name = driver.name + ".length";
    take_distance(name, drawn.a, drawn.b, drawn.from, drawn.to);
    follow(name, "", driver.follows.front(), "m");
  }

  void add(const Coupling& coupling) {
    std::string sum;
    std::set<std::string> seen;
    for (const Coupling::Term& term : coupling.terms) {
      const std::string name = coordinate_name(term.coordinate);
      if (!seen.insert(name).second)
        fail(term.coordinate.where, fmt::format("coupling \"{}\" has {} twice", coupling.name, name), "add them up");
      const double factor = number_(term.factor, fmt::format("the factor of {} in \"{}\"", name, coupling.name));
      if (factor == 0.0)
        fail(term.factor.where, fmt::format("the factor of {} in \"{}\" is zero", name, coupling.name),
             "then it has no part in the coupling");
      sum += fmt::format("{}({})*{}", sum.empty() ? "" : " + ", factor, name);
    }
    add_row(coupling.name, "", Formula(sum, coupling.where), "", coupling.where);
  }

  // --- joints ------------------------------------------------------------------------------------------------------

  void add(const DrawnJoint& joint) {
    const Joint& given = *joint.given;
    for (const JointLimit& limit : given.limits) add_limit(given, limit);
    if (given.friction) add_friction(joint, *given.friction);
    if (given.type == JointType::rolling) add_rolling(joint);
    if (given.type == JointType::knife_edge) {
      Quantity across = between(given.name + ".across", joint);
      across.rate_only = true;
      across.row = {Holds::carried_along, drawing_.planar ? 0 : 2, ""};
      add_velocity_row(across, "across");
    }
  }

  void add_velocity_row(Quantity quantity, const std::string& component) {
    const Where where = joint_where(quantity.joint);
    quantity.unit = "m";
    quantity.rate_only = true;
    Constraint& row = add_row(quantity.joint, component, Formula(quantity.name, where), "m/s", where);
    row.level = Level::velocity;
    take(std::move(quantity));
  }

  Where joint_where(const std::string& name) const {
    for (const DrawnJoint& joint : drawing_.joints)
      if (joint.given->name == name) return joint.given->where;
    return {};
  }

  void add_rolling(const DrawnJoint& joint) {
    const std::string& name = joint.given->name;
    Quantity quantity = between(name + ".height", joint);
    quantity.unit = "m";
    quantity.length = joint.radius;
    quantity.at_a = joint.touches, quantity.at_b = joint.at;
    quantity.frame_a = joint.plane;
    const bool ball = !drawing_.planar && !joint.given->axis.given();
    quantity.row = {ball || drawing_.planar ? Holds::ball_height : Holds::disc_height, 0, ""};
    add_row(name, "normal", Formula(quantity.name, joint.given->where), "m", joint.given->where);
    take(quantity);
    quantity.joint = name;
    const Holds slip = ball || drawing_.planar ? Holds::ball_slip : Holds::disc_slip;
    quantity.name = name + ".along";
    quantity.row = {slip, 0, ""};
    add_velocity_row(quantity, "along");
    if (drawing_.planar) return;
    quantity.name = name + ".across";
    quantity.row = {slip, 1, ""};
    add_velocity_row(quantity, "across");
  }

  void add_limit(const Joint& joint, const JointLimit& limit) {
    const std::string name = coordinate_name({joint.name, limit.where}, limit.component);
    const std::string part = name.substr(joint.name.size() + 1);
    const auto what = [&](const char* of) { return fmt::format("the {} of the limit of \"{}\"", of, name); };
    const bool low = !limit.lower.empty(), high = !limit.upper.empty();
    const double lower = number(limit.lower, what("lower end")), upper = number(limit.upper, what("upper end"));
    if (low && high && lower >= upper)
      fail(limit.lower.where, fmt::format("the limits of \"{}\" are {:.6g} and {:.6g}", name, lower, upper),
           "write the smaller one first");
    const bool only = kind_has_one_coordinate(joint);
    for (const bool up : {false, true}) {
      if (up ? !high : !low) continue;
      const std::string gap = up ? fmt::format("({}) - {}", upper, name) : fmt::format("{} - ({})", name, lower);
      if (limit.stiffness.empty()) {
        Constraint& row = add_row(joint.name, (only ? "" : part + "_") + (up ? "upper" : "lower"),
                                  Formula(gap, limit.where), unit_of_quantity(name), limit.where);
        row.one_sided = true;
        row.restitution = limit.restitution;
        continue;
      }
      const double k = number_(limit.stiffness, what("stiffness")), d = number(limit.damping, what("damping"));
      if (!(k > 0.0)) fail(limit.stiffness.where, what("stiffness") + " is not positive", "a stop pushes back");
      if (d < 0.0) fail(limit.damping.where, what("damping") + " is negative", "a stop takes energy");
      add_potential(fmt::format("{}/2*min({}, 0)^2", k, gap));
      if (d == 0.0) continue;
      // it brakes, but never pulls:  max(0, k δ − d δ̇') with the elastic part taken out
      const std::string sign = up ? "-" : "", depth = fmt::format("({})*(-({}))", k, gap);
      const std::string brake = fmt::format("max(-({}), {}({})*{}')", depth, up ? "" : "-", d, name);
      add_force(name, Formula(fmt::format("if({} < 0, {}({}), 0)", gap, sign, brake), limit.where), limit.where);
    }
  }

  bool kind_has_one_coordinate(const Joint& joint) const {
    for (const DrawnJoint& each : drawing_.joints)
      if (each.given == &joint) return kind(each).freedoms.size() == 1;
    return true;
  }

  std::string unit_of_quantity(const std::string& name) const {
    const auto found = std::ranges::find(out_.quantities_, name, &Quantity::name);
    return found == out_.quantities_.end() ? "" : found->unit;
  }

  /// How a joint slides on itself; N is the length of the forces that it bears.
  ///
  ///     prismatic, point on a line     along the axis
  ///     revolute                       about the pin, r ω;  universal: about each of its two pins
  ///     cylindrical                    (along the axis, r ω)
  ///     screw                          along the thread;  N is normal to its flank
  ///     spherical                      r (ω_x, ω_y, ω_z)
  ///     planar, point on a plane       in the plane;  planar with a radius: r ω besides
  void add_friction(const DrawnJoint& joint, const JointFriction& friction) {
    const Joint& given = *joint.given;
    check_radius(given, friction);
    const int axis = drawing_.planar ? 0 : 2;
    const auto speed = [&](Holds holds, int along, const std::string& part = "") {
      Quantity rate = between(given.name + ".speed" + part, joint);
      rate.unit = unit_of(holds);
      rate.rate_only = true;
      rate.row = {holds, along, ""};
      take(rate);
      return rate.name;
    };
    const double r = number(friction.radius, "the radius of the friction of " + given.name);
    switch (given.type) {
      case JointType::revolute: return rub(joint, "", {speed(Holds::turning, axis)}, r);
      case JointType::prismatic:
      case JointType::point_on_line: return rub(joint, "", {speed(Holds::along, axis)});
      case JointType::cylindrical:
        return rub(joint, "",
                   {speed(Holds::along, 2, "_along"), fmt::format("({})*{}", r, speed(Holds::turning, 2, "_about"))});
      case JointType::screw: {
        // the flank rises by p a radian: its tangent is (r, p)/√(r² + p²), and λ of the thread its force along the axis
        const double p = joint.pitch, l = std::hypot(r, p);
        rub(joint, "",
            {fmt::format("({})*{} + ({})*{}", r * r / l, speed(Holds::turning, 2, "_about"), p / l,
                         speed(Holds::along, 2, "_along"))});
        const std::string square =
            fmt::format("lambda.{0}.x^2 + lambda.{0}.y^2 + ({1})*lambda.{0}.thread^2", given.name, l * l / (r * r));
        model_.frictions.back().normal = Formula(fmt::format("if(0 < {0}, sqrt({0}), 0)", square), friction.where);
        return;
      }
      case JointType::universal:
        rub(joint, "_angle_1", {speed(Holds::turning, 0, "_1")}, r);
        return rub(joint, "_angle_2", {speed(Holds::carried_about, 1, "_2")}, r);
      case JointType::spherical:
        return rub(joint, "",
                   {speed(Holds::turning, 0, "_x"), speed(Holds::turning, 1, "_y"), speed(Holds::turning, 2, "_z")}, r);
      case JointType::planar:
      case JointType::point_on_plane:
        rub(joint, "", {speed(Holds::along, 0, "_x"), speed(Holds::along, 1, "_y")});
        if (r > 0.0) rub(joint, "_angle", {speed(Holds::turning, 2, "_about")}, r);
        return;
      default: return;
    }
  }

  static void check_radius(const Joint& given, const JointFriction& friction) {
    using enum JointType;
    const auto is = [&](std::initializer_list<JointType> types) {
      return std::ranges::find(types, given.type) != types.end();
    };
    if (is({fixed, free, distance, rolling, knife_edge}))
      fail(friction.where,
           fmt::format("joint \"{}\" is {} and cannot have friction", given.name, joint_type_name(given.type)),
           is({rolling}) ? "it does not slip" : "nothing in it rubs; write a [friction] over multipliers and speeds");
    const bool slides = is({prismatic, point_on_line, point_on_plane}), may = is({planar});
    if (may || slides == friction.radius.empty()) return;
    fail(friction.where,
         fmt::format("the friction of \"{}\" {}", given.name, slides ? "has a radius, but slides" : "has no radius"),
         slides            ? "remove it"
         : is({spherical}) ? "add radius = ..., that of the ball in m"
         : is({screw})     ? "add radius = ..., that of the thread in m"
                           : "add radius = ..., that of the pin in m");
  }

  /// Friction against some speeds, from all forces of the joint; with a radius it is a torque.
  void rub(const DrawnJoint& joint, const std::string& part, const std::vector<std::string>& speeds,
           double radius = 1.0) {
    const Joint& given = *joint.given;
    const JointFriction& friction = *given.friction;
    if (!(radius > 0.0))
      fail(friction.radius.where, fmt::format("the radius of the friction of \"{}\" is {}", given.name, radius),
           "it must be positive");
    Friction law;
    law.name = given.name + part;
    law.where = friction.where;
    for (const std::string& speed : speeds) law.along.emplace_back(speed, friction.where);
    for (const JointRow& row : kind(joint).rows)
      if (unit_of(row.holds) == "m") law.on.push_back({given.name + "." + row.component, friction.where});
    const auto at_radius = [&](const Formula& coefficient) {
      return radius == 1.0 ? coefficient : enclosed("(", coefficient, fmt::format(")*{}", radius));
    };
    law.coefficient = at_radius(friction.coefficient);
    if (!friction.stiction.empty()) law.stiction = at_radius(friction.stiction);
    model_.frictions.push_back(std::move(law));
  }

  // --- forces ------------------------------------------------------------------------------------------------------

  void add(const JointForce& force) {
    if (number_.covers(force.force)) return;
    const std::string name = coordinate_name(force.joint, force.component);
    const auto what = [&](const char* of) { return fmt::format("the {} of \"{}\"", of, force.name); };
    add_spring(name, number(force.stiffness, what("stiffness")), number(force.rest, what("rest position")),
               number(force.damping, what("damping")), force.where);
    if (!force.force.empty()) add_force(name, force.force, force.where);
  }

  void add(const DrawnSpring& spring) {
    const Spring& given = *spring.given;
    if (number_.covers(given.force)) return;
    find_of_spring(spring, "length", given.where);
    add_force(given.name + ".length", enclosed("-(", given.force, ")"), given.where);  // a pull makes it shorter
  }

  void add(const DrawnForce& drawn) {
    const BodyForce& force = *drawn.given;
    for (std::size_t k = 0; k < force.force.values.size(); ++k) {
      Quantity place;
      place.name = fmt::format("{}.{}", force.name, "xyz"[k]);
      place.unit = "m";
      place.b = drawn.body;
      place.at_b = drawn.at;
      place.rate_only = force.turns_with_body;
      if (force.turns_with_body) place.frame_b = drawing_.bodies[drawn.body].turned;
      place.row = {force.turns_with_body ? Holds::carried_along : Holds::along, static_cast<int>(k), ""};
      take(place);
      add_force(place.name, force.force.values[k], force.where);
    }
    for (std::size_t k = 0; k < force.torque.values.size(); ++k) {
      Quantity turn;
      turn.name = fmt::format("{}.turn_{}", force.name, drawing_.planar ? 'z' : "xyz"[k]);
      turn.unit = "rad";
      turn.b = drawn.body;
      turn.rate_only = true;
      if (force.turns_with_body) turn.frame_b = drawing_.bodies[drawn.body].turned;
      turn.row = {force.turns_with_body ? Holds::carried_about : Holds::turning, static_cast<int>(k), ""};
      take(turn);
      add_force(turn.name, force.torque.values[k], force.where);
    }
  }

  void add(const DrawnBushing& drawn) {
    const Bushing& bushing = *drawn.given;
    const int axes = drawing_.planar ? 2 : 3, turns = drawing_.planar ? 1 : 3;
    for (int k = 0; k < axes + turns; ++k) {
      const bool along = k < axes;
      const int axis = along ? k : k - axes;
      Quantity quantity;
      quantity.name =
          fmt::format("{}.{}{}", bushing.name, along ? "" : "turn_", !along && drawing_.planar ? 'z' : "xyz"[axis]);
      quantity.unit = along ? "m" : "rad";
      quantity.a = drawn.a, quantity.b = drawn.b;
      quantity.at_a = quantity.at_b = drawn.at;
      quantity.frame_a = quantity.frame_b = drawn.frame;
      quantity.row = {along ? Holds::along : Holds::about, axis, ""};
      const double stiffness = (along ? drawn.stiffness : drawn.torsion_stiffness)[axis];
      const double damping = (along ? drawn.damping : drawn.torsion_damping)[axis];
      if (stiffness == 0.0 && damping == 0.0) continue;
      take(quantity);
      add_spring(quantity.name, stiffness, 0.0, damping, bushing.where);
    }
  }

  const Model& given_;
  const Numbers& number_;
  const Drawing& drawing_;
  Formulas& out_;
  Model& model_;
  std::string potential_;
};

Formulas::Formulas(const Model& model, const Numbers& numbers, const Drawing& drawing) {
  FormulaReader(model, numbers, drawing, *this);
  std::ranges::stable_partition(quantities_, [](const Quantity& q) { return q.kind == Quantity::Kind::row; });
}

Model Formulas::model(const std::vector<Row>& gaps) const {
  Model result = model_;
  std::vector<Constraint> rows;
  for (const Row& gap : gaps) {
    Coordinate coordinate;
    coordinate.name = "gap." + gap.name;
    coordinate.unit = gap.unit;
    coordinate.where = gap.where;
    coordinate.measured = true;
    result.coordinates.push_back(coordinate);
    Constraint row;
    row.name = gap.name;
    row.owner = gap.owner;
    row.component = gap.component;
    row.formula = Formula(coordinate.name, gap.where);
    row.unit = gap.unit;
    row.where = gap.where;
    rows.push_back(std::move(row));
  }
  for (const Quantity& quantity : quantities_) {
    Coordinate coordinate;
    coordinate.name = quantity.name;
    coordinate.unit = quantity.unit;
    coordinate.measured = true;
    coordinate.rate_only = quantity.rate_only;
    result.coordinates.push_back(coordinate);
  }
  result.constraints.insert(result.constraints.begin(), rows.begin(), rows.end());
  return result;
}

}  // namespace maggi::mechanism
