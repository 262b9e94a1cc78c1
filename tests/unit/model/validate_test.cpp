// Models that are built in C++ and say what no model can say: each is refused with its cause by whoever makes a system
// of it, and is not written into a file that could not be read.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "io/toml/model_file.hpp"
#include "model/joint_entries.hpp"
#include "system/make_system.hpp"

namespace maggi {
namespace {

/// A rod on a pin, in the plane.
Model arm() {
  Model model;
  model.mechanism.dimension = 2;
  model.mechanism.gravity = {{0.0, -9.81}};
  Body body;
  body.name = "arm";
  body.mass = 1.0;
  body.shape = "rod";
  body.from = {{0.0, 0.0}};
  body.to = {{1.0, 0.0}};
  model.mechanism.bodies.push_back(body);
  Joint pin;
  pin.name = "pin";
  pin.bodies = {Reference{"ground"}, Reference{"arm"}};
  pin.at = {{0.0, 0.0}};
  model.mechanism.joints.push_back(pin);
  return model;
}

/// Two masses, given by formulas.
Model masses() {
  Model model;
  model.coordinates = {{"x"}, {"y"}};
  model.kinetic = "x'^2 + y'^2";
  return model;
}

std::string cause_of(const Model& model) {
  std::string written;
  try {
    write_model(model);
    written = "write_model does not refuse it";
  } catch (const Error& error) { written = error.cause(); }
  try {
    make_system(model);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::model);
    EXPECT_EQ(written, error.cause());
    return error.cause();
  }
  return "make_system does not refuse it";
}

TEST(Validate, AcceptsWhatIsRight) {
  EXPECT_NO_THROW(make_system(arm()));
  EXPECT_NO_THROW(make_system(masses()));
  EXPECT_NO_THROW(parse_model(write_model(arm()), "model.toml"));
  EXPECT_NO_THROW(parse_model(write_model(masses()), "model.toml"));
}

TEST(Validate, FormulasBesideBodies) {
  Model model = arm();
  model.generalised_forces = {{"pin.angle", "100"}};
  EXPECT_EQ(cause_of(model), "[generalised_force] cannot stand beside bodies and joints");
  model = arm();
  model.coordinates = {{"x"}};
  EXPECT_EQ(cause_of(model), "[coordinates] cannot stand beside bodies and joints");
  model = arm();
  model.kinetic = "pin.angle'^2";
  EXPECT_EQ(cause_of(model), "[energy] cannot stand beside bodies and joints");
  model = arm();
  model.mass = {{"1"}};
  EXPECT_EQ(cause_of(model), "[equations] cannot stand beside bodies and joints");
  model = arm();
  model.points = {{"A", {{"x", "1"}}}};
  EXPECT_EQ(cause_of(model), "[local] cannot stand beside bodies and joints");
  model = arm();
  model.reactions = {{"N", {{"pin.angle", "1"}}}};
  EXPECT_EQ(cause_of(model), "[reaction] cannot stand beside bodies and joints");
  model = arm();
  model.drawing.points = {{"A", {"0", "0"}}};
  EXPECT_EQ(cause_of(model), "[drawing] cannot stand beside bodies and joints");
  model = arm();
  model.start_reactions = {{"pin.angle", "1"}};
  EXPECT_EQ(cause_of(model), "the reaction on a coordinate of a mechanism cannot be given at the start");
}

TEST(Validate, MechanismWithoutBodies) {
  Model model = masses();
  model.mechanism.joints = arm().mechanism.joints;
  EXPECT_EQ(cause_of(model), "the mechanism has no [body]");
  model = masses();
  model.mechanism.gravity = {{0.0, 0.0, -9.81}};
  EXPECT_EQ(cause_of(model), "the mechanism has no [body]");
}

TEST(Validate, Limits) {
  Model model = arm();
  JointLimit limit;
  model.mechanism.joints[0].limits = {limit};
  EXPECT_EQ(cause_of(model), "pin.limits has neither a lower nor an upper end");
  limit.upper = 1.0;
  limit.stiffness = 100.0;
  limit.restitution = 0.5;
  model.mechanism.joints[0].limits = {limit};
  EXPECT_EQ(cause_of(model), "pin.limits has a stiffness and a restitution");
  limit.stiffness = {};
  limit.damping = 1.0;
  model.mechanism.joints[0].limits = {limit};
  EXPECT_EQ(cause_of(model), "pin.limits has a damping but no stiffness");
  limit.damping = {};
  model.mechanism.joints[0].limits = {limit, limit};
  EXPECT_EQ(cause_of(model), "pin.limits has a value without a coordinate beside others");
}

TEST(Validate, StartOfAJoint) {
  Model model = arm();
  model.mechanism.joints[0].start = {{"", 0.1}};
  model.mechanism.joints[0].guess = {{"", 0.2}};
  EXPECT_EQ(cause_of(model), "pin has both start and guess");
  model.mechanism.joints[0].guess.clear();
  model.mechanism.joints[0].start = {{"angle", 0.1}, {"angle", 0.2}};
  EXPECT_EQ(cause_of(model), "pin.start.angle is given twice");
  model.mechanism.joints[0].start = {{"", Formula()}};
  EXPECT_EQ(cause_of(model), "pin.start is empty");
}

TEST(Validate, Drivers) {
  Model model = arm();
  Driver driver;
  driver.name = "motor";
  driver.coordinate = {"pin"};
  driver.marker = {"arm.centre"};
  driver.follows = {"t"};
  model.mechanism.drivers = {driver};
  EXPECT_EQ(cause_of(model), "motor drives two things");
  driver.marker = {};
  driver.follows = {};
  model.mechanism.drivers = {driver};
  EXPECT_EQ(cause_of(model), "motor follows nothing");
  driver.follows = {"t"};
  driver.from = {{0.0, 0.0}};
  model.mechanism.drivers = {driver};
  EXPECT_EQ(cause_of(model), "motor has from and to, but drives no distance");
  driver.from = {};
  driver.coordinate = {};
  driver.marker = {"arm.centre"};
  driver.follows = {"t", Formula()};
  model.mechanism.drivers = {driver};
  EXPECT_EQ(cause_of(model), "motor.follows is empty");
}

TEST(Validate, Couplings) {
  Model model = arm();
  Coupling coupling;
  coupling.name = "gear";
  model.mechanism.couplings = {coupling};
  EXPECT_EQ(cause_of(model), "gear couples nothing");
  coupling.terms = {{{"pin"}, 1.0}, {{"pin"}, 2.0}};
  model.mechanism.couplings = {coupling};
  EXPECT_EQ(cause_of(model), "coupling \"gear\" has pin twice");
  coupling.terms = {{{"pin"}, Formula()}};
  model.mechanism.couplings = {coupling};
  EXPECT_EQ(cause_of(model), "gear.pin is empty");
}

TEST(Validate, Bodies) {
  Model model = arm();
  model.mechanism.bodies[0].inertia = {1.0};
  EXPECT_EQ(cause_of(model), "\"arm\" has both a shape and an inertia");
  model = arm();
  model.mechanism.bodies[0].shape = "";
  model.mechanism.bodies[0].inertia = {1.0};
  model.mechanism.bodies[0].radius = 0.1;
  EXPECT_EQ(cause_of(model), "\"arm\" has a radius, but no shape");
  model = arm();
  model.mechanism.bodies[0].to = {};
  EXPECT_EQ(cause_of(model), "\"arm\" has no to");
  model = arm();
  model.mechanism.bodies[0].markers = {{"tip", {}}};
  EXPECT_EQ(cause_of(model), "the marker \"tip\" of \"arm\" has no place");
  model = arm();
  model.mechanism.bodies[0].markers = {{"tip", {{1.0, 0.0}}}, {"tip", {{0.5, 0.0}}}};
  EXPECT_EQ(cause_of(model), "\"arm\" has two markers \"tip\"");
  model = arm();
  model.mechanism.bodies.push_back(model.mechanism.bodies[0]);
  EXPECT_EQ(cause_of(model), "the name \"arm\" is already taken");
}

TEST(Validate, ForcesAndGravity) {
  Model model = arm();
  model.mechanism.gravity.frame = {"arm"};
  EXPECT_EQ(cause_of(model), "gravity cannot be given in the frame of a body");
  model = arm();
  model.mechanism.gravity = {{0.0, 0.0, -9.81}};
  EXPECT_EQ(cause_of(model), "gravity has 3 numbers, expected 2");
  model = arm();
  BodyForce force;
  force.name = "push";
  force.body = {"arm"};
  model.mechanism.body_forces = {force};
  EXPECT_EQ(cause_of(model), "force \"push\" has neither a force nor a torque");
  model = arm();
  model.mechanism.dimension = 4;
  EXPECT_EQ(cause_of(model), "the dimension is 4");
}

TEST(Validate, SizesOfMassAndForce) {
  Model model = masses();
  model.kinetic = {};
  EXPECT_EQ(cause_of(model), "the model has neither [energy] nor [equations]");
  model.force = {"0", "0"};
  EXPECT_EQ(cause_of(model), "[equations] has no mass matrix");
  model.mass = {{"1"}};
  EXPECT_EQ(cause_of(model), "mass has 1 row, expected 2");
  model.mass = {{"1", "0"}, {"0"}};
  EXPECT_EQ(cause_of(model), "row 2 of mass has 1 entry, expected 2");
  model.mass = {{"1", "0"}, {"0", "1"}};
  model.force = {"0"};
  EXPECT_EQ(cause_of(model), "force has 1 entry, expected 2");
  model.force = {"0", "0"};
  EXPECT_NO_THROW(make_system(model));
  model.kinetic = "x'^2";
  EXPECT_EQ(cause_of(model), "[equations] and [energy] are both given");
}

TEST(Validate, PartsOfFormulas) {
  Model model = masses();
  model.coordinates[0].start = 0.1;
  model.coordinates[0].guess = 0.1;
  EXPECT_EQ(cause_of(model), "x has both start and guess");
  model = masses();
  model.coordinates[0].start = Formula("  ");
  EXPECT_EQ(cause_of(model), "x.start is empty");
  model = masses();
  model.coordinates = {{"x"}, {"x"}};
  EXPECT_EQ(cause_of(model), "the name \"x\" is already taken");
  model = masses();
  model.definitions = {{"s", Formula()}};
  EXPECT_EQ(cause_of(model), "s is empty");
  model = masses();
  model.generalised_forces = {{"x", "1"}, {"x", "2"}};
  EXPECT_EQ(cause_of(model), "generalised_force acts on \"x\" twice");
  model = masses();
  model.outputs = {{"height", {}}};
  EXPECT_EQ(cause_of(model), "height has no formula");
  model = masses();
  model.reactions = {{"N", {}}};
  EXPECT_EQ(cause_of(model), "N has no direction");
  model = masses();
  model.frictions = {{"floor", {}, {"x'"}, "0.3"}};
  EXPECT_EQ(cause_of(model), "floor does not say on which constraint it is");
}

TEST(Validate, WhatTheLibraryNotesIsNotForUsers) {
  Model model = masses();
  model.coordinates[0].measured = true;  // as in the formulas over a mechanism, which are not validated
  model.coordinates[0].start = 0.1;
  model.coordinates[0].guess = 0.1;
  EXPECT_EQ(cause_of(model), "x is marked as an output function of a mechanism");
  model = masses();
  model.coordinates[1].rate_only = true;
  EXPECT_EQ(cause_of(model), "y is marked as an output function of a mechanism");
  model = masses();
  model.outputs = {{.name = "speed", .formula = "x'", .measured = true}};
  EXPECT_EQ(cause_of(model), "speed is marked as an output function of a mechanism");
}

/// An enumerator without its entry would be found by nobody else in a build without assertions.
TEST(JointEntries, EveryTypeHasOneAndSoHasEveryName) {
  std::set<std::string> names;
  for (int i = 0; i < joint_types; ++i) {
    const auto type = static_cast<JointType>(i);
    const auto is_of_type = [type](const mechanism::JointEntry& entry) { return entry.type == type; };
    ASSERT_EQ(std::ranges::count_if(mechanism::joint_entries(), is_of_type), 1) << i;
    names.emplace(joint_type_name(type));
  }
  EXPECT_EQ(names.size(), mechanism::joint_entries().size());
}

TEST(Validate, NamesOfTheSimulationAreNotWrittenUnlessTheyAreKnown) {
  Model model = masses();
  model.simulation.integrator = "runge";
  EXPECT_THROW(write_model(model), Error);
  model.simulation.integrator = "rk4";
  EXPECT_NO_THROW(parse_model(write_model(model), "model.toml"));
}

}  // namespace
}  // namespace maggi
