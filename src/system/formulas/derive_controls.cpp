#include "system/formulas/derive_controls.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"

namespace maggi {

namespace {

/// At least as many controls as servo constraints; those that follow from others are not counted.
void count_controls(const Model& model) {
  const bool of_mechanism = std::ranges::any_of(model.coordinates, &Coordinate::measured);
  std::vector<std::string> servo, controls;
  Where first;
  for (const Constraint& c : model.constraints) {
    if (!c.servo || c.hidden) continue;
    if (servo.empty()) first = c.where;
    servo.push_back(c.name);
  }
  for (const Control& c : model.controls) controls.push_back(c.name);
  if (servo.size() == controls.size() || (!servo.empty() && servo.size() < controls.size())) return;
  if (controls.empty())
    throw Error(Errc::model, first,
                fmt::format("nothing keeps the servo {} {}: the model has no control",
                            servo.size() == 1 ? "constraint" : "constraints", list_names(servo)),
                "add [control] with F = { along = { x = 1 } }, or remove servo = true if it has a reaction of its own");
  if (servo.empty())
    throw Error(Errc::model, model.controls.front().where,
                fmt::format("the {} {} nothing to keep: no constraint is marked servo = true",
                            controls.size() == 1 ? "control" : "controls",
                            list_names(controls) + (controls.size() == 1 ? " has" : " have")),
                fmt::format("mark the constraint that the control keeps; a force that is known goes to {}",
                            of_mechanism ? "[force], along a joint: { joint = \"hinge\", torque = 3.0 }"
                                         : "[generalised_force]"));
  throw Error(Errc::model, first,
              fmt::format("{} servo constraints ({}) and {} {} ({}): each servo constraint needs a control",
                          servo.size(), list_names(servo), controls.size(),
                          controls.size() == 1 ? "control" : "controls", list_names(controls)),
              "add a control, or remove servo = true from one that has a reaction");
}

}  // namespace

void derive_controls(const Model& model, DerivedEquations& e) {
  const std::size_t controls = model.controls.size();
  for (std::size_t j = 0; j < controls; ++j) {
    const Control& control = model.controls[j];
    e.p.push_back(e.graph.variable("control." + control.name));
    bool acts = false;
    for (std::size_t i = 0; i < e.q.size(); ++i) acts = acts || !e.graph.is_zero(e.B[i * controls + j]);
    if (!acts)
      throw Error(Errc::model, control.where, fmt::format("control \"{}\" acts on nothing", control.name),
                  "say what a unit of it does: along = { x = 1 }");
  }
  count_controls(model);
}

}  // namespace maggi
