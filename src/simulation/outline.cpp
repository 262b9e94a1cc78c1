#include "simulation/outline.hpp"

#include <algorithm>

#include "analysis/redundancy.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/equations.hpp"
#include "maggi/simulation.hpp"
#include "system/make_system.hpp"
#include "system/seam/displacement.hpp"

namespace maggi {

namespace {

State guess(const System& system) {
  const Start& start = system.start();
  const int n = system.shape().n();
  Vector x(n), v(n);
  for (int i = 0; i < n; ++i) x[i] = start.q[i].value, v[i] = start.v[i].value;
  return {start.t, Displacement(system, start).q(x), v};
}

/// Of the rows that are active at the start; 0 if there are too many to find out.
int rank_at(const System& system, const State& state) {
  const Shape& shape = system.shape();
  std::vector<int> active;
  for (int i = 0; i < shape.m(); ++i)
    if (shape.rows[i].active_at_start) active.push_back(i);
  if (active.empty() || shape.n() + shape.m() > most_for_certificate) return 0;
  const auto w = system.workspace();
  system.acceleration(state, *w);
  Equations equations{Matrix(shape.n(), shape.n()), w->terms.h, Matrix(static_cast<int>(active.size()), shape.n()),
                      Vector::Zero(static_cast<int>(active.size()))};
  shape.M.scatter(w->terms.M, equations.M);
  RowSelection(shape, active).matrix(w->terms.C, equations.C);
  const auto basis = make_basis("qr", equations.n(), equations.m());
  return basis->compute(equations) ? basis->rank() : 0;
}

int given(const std::vector<Start::Value>& values) {
  return static_cast<int>(std::ranges::count_if(values, &Start::Value::given));
}

// each: is there any?
bool without_friction(Model& model) {
  bool any = !model.frictions.empty() || !model.laws.empty();
  model.frictions.clear();
  model.laws.clear();
  for (Joint& joint : model.mechanism.joints) any |= joint.friction.has_value(), joint.friction.reset();
  return any;
}
bool without_controls(Model& model) {
  const bool any = !model.controls.empty();
  model.controls.clear();
  return std::erase_if(model.constraints, [](const Constraint& c) { return c.servo; }) > 0 || any;
}
bool without_start(Model& model) {
  bool any = !model.start_multipliers.empty() || !model.start_reactions.empty();
  for (Coordinate& q : model.coordinates) {
    any |= q.start || q.speed || q.acceleration;
    q.start.reset(), q.speed.reset(), q.acceleration.reset();
  }
  for (Joint& joint : model.mechanism.joints) {
    any |= !joint.start.empty() || !joint.speed.empty() || !joint.acceleration.empty();
    joint.start.clear(), joint.speed.clear(), joint.acceleration.clear();
  }
  for (Body& body : model.mechanism.bodies) {
    any |= !body.start.empty() || !body.speed.empty();
    body.start.clear(), body.speed.clear();
  }
  model.start_multipliers.clear(), model.start_reactions.clear();
  return any;
}

}  // namespace

std::optional<PartialCheck> check_what_can_be(const Model& model) {
  struct Way {
    const char* without;
    bool of_start;
    std::vector<bool (*)(Model&)> steps;
  };
  static const std::vector<Way> ways{{"its friction and force laws", false, {without_friction}},
                                     {"its controls and servo constraints", false, {without_controls}},
                                     {"the values given for its start", true, {without_start}},
                                     {"friction, controls and the values given for its start",
                                      true,
                                      {without_friction, without_controls, without_start}}};
  for (const Way& way : ways) {
    Model part = model;
    std::size_t parts = 0;
    for (const auto step : way.steps) parts += step(part);
    if (parts == 0 || (way.steps.size() > 1 && parts == 1)) continue;  // nothing is left out that was not before
    try {
      return PartialCheck{way.without, way.of_start, Simulation(std::move(part)).check()};
    } catch (const Error&) {}  // that is not the reason, or something else uses it
  }
  return std::nullopt;
}

Outline::Outline(const Model& model)
    : title(model.title.empty() ? model.file : model.title), system(make_system(model)) {
  rank = rank_at(*system, guess(*system));
  dof = system->shape().n() - rank;
  given_positions = given(system->start().q);
  given_velocities = given(system->start().v);
}

}  // namespace maggi
