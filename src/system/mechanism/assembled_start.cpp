#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "system/mechanism/joint_coordinates.hpp"

namespace maggi::mechanism {

template <class Space>
void fill_start(Assembling<Space>& work) {
  const Shape& shape = work.built.shape;
  const Linkage<Space>& linkage = work.built.linkage;
  Start& start = work.built.start;
  if (work.model.simulation.from) start.t = work.number(*work.model.simulation.from, "the start time");
  start.q.assign(shape.n(), {.guessed = true});  // as drawn
  start.v.assign(shape.n(), {.guessed = true});  // at rest
  if (!shape.identity_rates) {
    start.origin = Vector::Zero(shape.nq());
    for (const Link<Space>& link : linkage.links)
      if (link.freedom == Freedom::ball) start.origin[link.q] = 1.0;
  }
  const JointCoordinates<Space> coordinates(work);
  const auto put = [&](std::vector<Start::Value>& values, const Joint& joint, const JointValue& given, const char* what,
                       bool kept) {
    const int i = coordinates.velocity({joint.name, joint.where}, given.component, given.where, "a start");
    if (&values == &start.q && linkage.links[linkage.link_of(i)].freedom == Freedom::ball)
      throw Error(Errc::model, given.where,
                  fmt::format("the start of the rotation of \"{}\" cannot be given", joint.name),
                  "it starts as drawn: turn the drawing");
    const double value = work.number(given.value, fmt::format("{} \"{}\"", what, joint.name));
    values[i] = {.value = value, .given = kept, .guessed = !kept, .where = given.where};
  };
  for (const Joint& joint : work.model.mechanism.joints) {
    for (const JointValue& value : joint.guess) put(start.q, joint, value, "the guess for", false);
    for (const JointValue& value : joint.start) put(start.q, joint, value, "the start of", true);
    for (const JointValue& value : joint.speed) put(start.v, joint, value, "the speed of", true);
  }
}

template <class Space>
void check_inertia(const Assembling<Space>& work) {
  const Linkage<Space>& linkage = work.built.linkage;
  const Shape& shape = work.built.shape;
  LinkState<Space> state = linkage.state();
  Vector q = Vector::Zero(shape.nq()), M = Vector::Zero(shape.M.size());
  if (work.built.start.origin.size() > 0) q = work.built.start.origin;
  linkage.positions(q.data(), state);
  linkage.mass_matrix(state, M);
  std::vector<bool> held(linkage.n(), false);
  for (const auto& path : work.built.paths)
    for (const auto& [j, sign] : path) held[j] = true;
  Vector diagonal(linkage.n());
  for (int k = 0; k < shape.M.size(); ++k)
    if (shape.M.row[k] == shape.M.col[k]) diagonal[shape.M.row[k]] = M[k];
  std::map<std::string, double> largest;  // of each unit
  for (int j = 0; j < linkage.n(); ++j) {
    double& of_unit = largest[shape.velocities[j].unit];
    of_unit = std::max(of_unit, diagonal[j]);
  }
  for (int j = 0; j < linkage.n(); ++j) {
    const Channel& velocity = shape.velocities[j];
    if (held[j] || diagonal[j] > 1e-14 * largest[velocity.unit]) continue;
    throw Error(Errc::model, velocity.where,
                fmt::format("nothing resists the motion {}: what it moves has no {}", velocity.name,
                            velocity.unit == "m/s" ? "mass" : "inertia about its axis"),
                "give the body a mass and an inertia, or fix it");
  }
}

template void fill_start(Assembling<Planar>&);
template void fill_start(Assembling<Spatial>&);
template void check_inertia(const Assembling<Planar>&);
template void check_inertia(const Assembling<Spatial>&);

}  // namespace maggi::mechanism
