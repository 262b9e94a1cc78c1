#include "maggi/mechanism_builder.hpp"

#include "model/validate.hpp"

namespace maggi {

namespace {

Body shaped(std::string shape, Number mass) {
  Body body;
  body.shape = std::move(shape);
  body.mass = std::move(mass);
  return body;
}

Body stretched(std::string shape, const Point& from, const Point& to, Number mass) {
  Body body = shaped(std::move(shape), std::move(mass));
  body.from = from.triple();
  body.to = to.triple();
  return body;
}

Body centred(std::string shape, const Point& centre, Number mass) {
  Body body = shaped(std::move(shape), std::move(mass));
  body.position = centre.triple();
  return body;
}

std::vector<Formula> formulas(const std::vector<Number>& numbers) { return {numbers.begin(), numbers.end()}; }

std::string coordinate(const Reference& joint, const std::string& component) {
  return component.empty() ? joint.name : joint.name + "." + component;
}

}  // namespace

Body rod(const Point& from, const Point& to, Number mass) { return stretched("rod", from, to, std::move(mass)); }

Body cylinder(const Point& from, const Point& to, Number radius, Number mass) {
  Body body = stretched("cylinder", from, to, std::move(mass));
  body.radius = std::move(radius);
  return body;
}

Body sphere(const Point& centre, Number radius, Number mass) {
  Body body = centred("sphere", centre, std::move(mass));
  body.radius = std::move(radius);
  return body;
}

Body disc(const Point& centre, Number radius, Number mass) {
  Body body = centred("disc", centre, std::move(mass));
  body.radius = std::move(radius);
  return body;
}

Body box(const Point& centre, const std::vector<Number>& edges, Number mass) {
  Body body = centred("box", centre, std::move(mass));
  body.size = formulas(edges);
  return body;
}

Body point_mass(const Point& at, Number mass) { return centred("point", at, std::move(mass)); }

Body rigid_body(const Point& centre, Number mass, const std::vector<Number>& inertia) {
  Body body = centred("", centre, std::move(mass));
  body.inertia = formulas(inertia);
  return body;
}

// --- bodies

Point BodyHandle::at(Number x, Number y) const { return Point(Triple{{std::move(x), std::move(y)}, {}, {name_}}); }

Point BodyHandle::at(Number x, Number y, Number z) const {
  return Point(Triple{{std::move(x), std::move(y), std::move(z)}, {}, {name_}});
}

Point BodyHandle::centre() const { return Point(Triple{{}, {}, {name_ + ".centre"}}); }

Point BodyHandle::marker(const std::string& name, const Point& at) {
  owner_->model_.mechanism.bodies[index_].markers.push_back({name, at.triple()});
  return Point(Triple{{}, {}, {name_ + "." + name}});
}

BodyHandle& BodyHandle::density(Number density) {
  owner_->model_.mechanism.bodies[index_].density = std::move(density);
  return *this;
}

BodyHandle& BodyHandle::turned(Number angle, const Point& axis) {
  Body& body = owner_->model_.mechanism.bodies[index_];
  body.turned = std::move(angle);
  body.axis = axis.triple();
  return *this;
}

// --- joints

Joint& JointHandle::given() { return owner_->model_.mechanism.joints[index_]; }

JointHandle& JointHandle::start(Number value, const std::string& component) {
  given().start.push_back({component, std::move(value)});
  return *this;
}

JointHandle& JointHandle::guess(Number value, const std::string& component) {
  given().guess.push_back({component, std::move(value)});
  return *this;
}

JointHandle& JointHandle::speed(Number value, const std::string& component) {
  given().speed.push_back({component, std::move(value)});
  return *this;
}

JointHandle& JointHandle::limits(JointLimit limit) {
  given().limits.push_back(std::move(limit));
  return *this;
}

JointHandle& JointHandle::friction(JointFriction friction) {
  given().friction = std::move(friction);
  return *this;
}

JointHandle& JointHandle::loop() {
  given().loop = true;
  return *this;
}

JointHandle& JointHandle::length(Number length) {
  given().length = std::move(length);
  return *this;
}

JointHandle& JointHandle::normal(const Point& direction) {
  given().normal = direction.triple();
  return *this;
}

JointHandle MechanismBuilder::joint(JointType type, const std::string& name, const Reference& a, const Reference& b,
                                    const Point& at, const Point& axis) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.bodies = {a, b};
  joint.at = at.triple();
  joint.axis = axis.triple();
  model_.mechanism.joints.push_back(std::move(joint));
  return {*this, model_.mechanism.joints.size() - 1, name};
}

JointHandle MechanismBuilder::fixed(const std::string& name, const Reference& a, const Reference& b, const Point& at) {
  return joint(JointType::fixed, name, a, b, at);
}

JointHandle MechanismBuilder::revolute(const std::string& name, const Reference& a, const Reference& b, const Point& at,
                                       const Point& axis) {
  return joint(JointType::revolute, name, a, b, at, axis);
}

JointHandle MechanismBuilder::prismatic(const std::string& name, const Reference& a, const Reference& b,
                                        const Point& at, const Point& axis) {
  return joint(JointType::prismatic, name, a, b, at, axis);
}

JointHandle MechanismBuilder::cylindrical(const std::string& name, const Reference& a, const Reference& b,
                                          const Point& at, const Point& axis) {
  return joint(JointType::cylindrical, name, a, b, at, axis);
}

JointHandle MechanismBuilder::screw(const std::string& name, const Reference& a, const Reference& b, const Point& at,
                                    const Point& axis, Number pitch) {
  JointHandle handle = joint(JointType::screw, name, a, b, at, axis);
  handle.given().pitch = std::move(pitch);
  return handle;
}

JointHandle MechanismBuilder::universal(const std::string& name, const Reference& a, const Reference& b,
                                        const Point& at, const Point& axis, const Point& second_axis) {
  JointHandle handle = joint(JointType::universal, name, a, b, at, axis);
  handle.given().second_axis = second_axis.triple();
  return handle;
}

JointHandle MechanismBuilder::spherical(const std::string& name, const Reference& a, const Reference& b,
                                        const Point& at) {
  return joint(JointType::spherical, name, a, b, at);
}

JointHandle MechanismBuilder::planar(const std::string& name, const Reference& a, const Reference& b, const Point& at,
                                     const Point& normal) {
  return joint(JointType::planar, name, a, b, at, normal);
}

JointHandle MechanismBuilder::free(const std::string& name, const Reference& a, const Reference& b, const Point& at) {
  return joint(JointType::free, name, a, b, at);
}

JointHandle MechanismBuilder::distance(const std::string& name, const Reference& a, const Point& at, const Reference& b,
                                       const Point& to) {
  JointHandle handle = joint(JointType::distance, name, a, b, at);
  handle.given().to = to.triple();
  return handle;
}

JointHandle MechanismBuilder::point_on_line(const std::string& name, const Reference& a, const Reference& b,
                                            const Point& at, const Point& along) {
  return joint(JointType::point_on_line, name, a, b, at, along);
}

JointHandle MechanismBuilder::point_on_plane(const std::string& name, const Reference& a, const Reference& b,
                                             const Point& at, const Point& normal) {
  return joint(JointType::point_on_plane, name, a, b, at, normal);
}

JointHandle MechanismBuilder::rolling(const std::string& name, const Reference& a, const Reference& b,
                                      const Point& centre, Number radius, const Point& axis) {
  JointHandle handle = joint(JointType::rolling, name, a, b, centre, axis);
  handle.given().radius = std::move(radius);
  return handle;
}

JointHandle MechanismBuilder::knife_edge(const std::string& name, const Reference& a, const Reference& b,
                                         const Point& at, const Point& across) {
  return joint(JointType::knife_edge, name, a, b, at, across);
}

// --- the whole

MechanismBuilder::MechanismBuilder(Dimension dimension) { model_.mechanism.dimension = static_cast<int>(dimension); }

Model MechanismBuilder::model() const {
  validate(model_);
  return model_;
}

void MechanismBuilder::title(std::string title) { model_.title = std::move(title); }

void MechanismBuilder::gravity(const std::vector<Number>& components) {
  model_.mechanism.gravity = {formulas(components)};
}

void MechanismBuilder::reaction_frame(ReactionFrame frame) { model_.mechanism.reaction_frame = frame; }
void MechanismBuilder::data_tolerance(Number tolerance) { model_.mechanism.data_tolerance = std::move(tolerance); }
void MechanismBuilder::keep_data() { model_.mechanism.repair = false; }

Formula MechanismBuilder::parameter(const std::string& name, Number value, const std::string& unit) {
  model_.parameters.push_back({name, std::move(value), unit});
  return name;
}

void MechanismBuilder::output(const std::string& name, Number formula, const std::string& unit) {
  model_.outputs.push_back({name, std::move(formula), unit});
}

BodyHandle MechanismBuilder::body(const std::string& name, Body body) {
  body.name = name;
  model_.mechanism.bodies.push_back(std::move(body));
  return {*this, model_.mechanism.bodies.size() - 1, name};
}

// --- forces, couplings, drivers

void MechanismBuilder::spring(const std::string& name, const Reference& a, const Point& from, const Reference& b,
                              const Point& to, SpringLaw law) {
  Spring spring;
  spring.name = name;
  spring.bodies = {a, b};
  spring.from = from.triple();
  spring.to = to.triple();
  spring.stiffness = std::move(law.stiffness);
  spring.damping = std::move(law.damping);
  spring.force = std::move(law.force);
  spring.length = std::move(law.length);
  model_.mechanism.springs.push_back(std::move(spring));
}

void MechanismBuilder::joint_force(const std::string& name, const Reference& joint, JointLaw law,
                                   const std::string& component) {
  JointForce force;
  force.name = name;
  force.joint = joint;
  force.component = component;
  force.stiffness = std::move(law.stiffness);
  force.damping = std::move(law.damping);
  force.force = std::move(law.force);
  force.rest = std::move(law.rest);
  model_.mechanism.joint_forces.push_back(std::move(force));
}

void MechanismBuilder::force(const std::string& name, const Reference& body, BodyLoad load) {
  BodyForce force;
  force.name = name;
  force.body = body;
  force.at = load.at.triple();
  force.force = {formulas(load.force)};
  force.torque = {formulas(load.torque)};
  force.turns_with_body = load.turns_with_body;
  model_.mechanism.body_forces.push_back(std::move(force));
}

void MechanismBuilder::bushing(const std::string& name, const Reference& a, const Reference& b, const Point& at,
                               BushingLaw law) {
  Bushing bushing;
  bushing.name = name;
  bushing.bodies = {a, b};
  bushing.at = at.triple();
  bushing.axis = law.axis.triple();
  bushing.stiffness = {formulas(law.stiffness)};
  bushing.damping = {formulas(law.damping)};
  bushing.torsion_stiffness = {formulas(law.torsion_stiffness)};
  bushing.torsion_damping = {formulas(law.torsion_damping)};
  model_.mechanism.bushings.push_back(std::move(bushing));
}

void MechanismBuilder::coupling(const std::string& name, const std::vector<std::pair<std::string, Number>>& sum) {
  Coupling coupling;
  coupling.name = name;
  for (const auto& [coordinate, factor] : sum) coupling.terms.push_back({{coordinate}, factor});
  model_.mechanism.couplings.push_back(std::move(coupling));
}

void MechanismBuilder::gear(const std::string& name, const Reference& a, const Reference& b, Number teeth_a,
                            Number teeth_b) {
  coupling(name, {{a.name, std::move(teeth_a)}, {b.name, std::move(teeth_b)}});
}

void MechanismBuilder::rack_and_pinion(const std::string& name, const Reference& rack, const Reference& pinion,
                                       Number radius) {
  coupling(name, {{rack.name, 1.0}, {pinion.name, Number("-(" + radius.text + ")")}});
}

void MechanismBuilder::drive(const std::string& name, const Reference& joint, Number follows,
                             const std::string& component) {
  Driver driver;
  driver.name = name;
  driver.coordinate = {coordinate(joint, component)};
  driver.follows = {std::move(follows)};
  model_.mechanism.drivers.push_back(std::move(driver));
}

void MechanismBuilder::drive_marker(const std::string& name, const Point& marker, const std::vector<Number>& follows) {
  Driver driver;
  driver.name = name;
  if (marker.triple().values.empty()) driver.marker = marker.triple().frame;
  driver.follows = formulas(follows);
  model_.mechanism.drivers.push_back(std::move(driver));
}

void MechanismBuilder::drive_distance(const std::string& name, const Reference& a, const Point& from,
                                      const Reference& b, const Point& to, Number follows) {
  Driver driver;
  driver.name = name;
  driver.distance = {a, b};
  driver.from = from.triple();
  driver.to = to.triple();
  driver.follows = {std::move(follows)};
  model_.mechanism.drivers.push_back(std::move(driver));
}

}  // namespace maggi
