#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string_view>

#include "base/largest.hpp"
#include "system/mechanism/tree/joint_coordinates.hpp"

namespace maggi::mechanism {

namespace {

/// What joints, and bodies that float, say about the start.
template <class Space>
class StartBuilder {
 public:
  explicit StartBuilder(TreeModelBuilder<Space>& work)
      : work_(work), linkage_(work.built.linkage), start_(work.built.start), coordinates_(work) {}

  void put(const Joint& joint) {
    const Reference owner{joint.name, joint.where};
    put_state(owner, joint);
    for (const JointValue& each : joint.speed_guess) put(start_.v, owner, each, "the speed of", false);
    for (const JointValue& each : joint.weight) put_weight(start_.q, owner, each);
    for (const JointValue& each : joint.speed_weight) put_weight(start_.v, owner, each);
    if (!joint.acceleration.empty()) start_.vdot.resize(start_.v.size());
    for (const JointValue& each : joint.acceleration) put(start_.vdot, owner, each, "the acceleration of", true);
  }

  void put(const Body& body) {
    const Reference owner{body.name, body.where};
    if (body.start.empty() && body.guess.empty() && body.speed.empty()) return;
    if (coordinates_.velocities(body.name).empty()) refuse_held(owner);
    for (const JointValue& speed : body.speed)
      if (Space::turns == 3 && speed.component.size() == 2 && speed.component[0] == 'w')
        throw Error(
            Errc::model, speed.where,
            fmt::format("\"{}.{}\" is along the world and depends on the rotation that is found", body.name,
                        speed.component),
            fmt::format("write \"body.{}\", along the own axes of the body, which are those of the world in the "
                        "reference configuration unless it is turned",
                        speed.component));
    put_state(owner, body);
  }

  /// A body of which only a part hangs on joints floats for the rest: it begins where that part does.
  void put_whole(int body, int part) {
    const DrawnBody& whole = work_.drawing.bodies[body];
    if (*work_.carriers[body] != whole.name()) return;  // joints hold it
    Vector q = start_.origin, v(work_.built.shape.n());
    if (q.size() == 0) q.resize(v.size());
    for (const Link<Space>& link : linkage_.links)
      if (link.freedom != Freedom::none && link.freedom != Freedom::ball) q[link.q] = start_.q[link.v].value;
    for (int i = 0; i < v.size(); ++i) v[i] = start_.v[i].value;
    LinkState<Space> s = linkage_.state();
    linkage_.positions(q.data(), s);
    linkage_.velocities(v.data(), s);
    const typename Space::Linear centre = s.pose[part] * linkage_.links[part].c;
    const typename Space::Linear moved = linkage_.origin + centre - work_.linear(whole.position);
    const typename Space::Linear speed = s.V[part].at(centre);
    for (int link = work_.links[body]; link > 0; link = linkage_.links[link].parent) {
      const Link<Space>& own = linkage_.links[link];
      if (own.freedom == Freedom::slide)
        start_.q[own.v].value = moved[own.axis], start_.v[own.v].value = speed[own.axis];
      else
        put_turn(own, s.pose[part].R * work_.drawn[part].R.transpose(), s.V[part].w);
    }
  }

 private:
  template <class Part>
  void put_state(const Reference& owner, const Part& part) {
    put_positions(owner, part.guess, false);
    put_positions(owner, part.start, true);
    for (const JointValue& speed : part.speed) put(start_.v, owner, speed, "the speed of", true);
    if (!part.start.empty()) let_rest_stay(start_.q, owner.name);
    if (!part.speed.empty()) let_rest_stay(start_.v, owner.name);
  }

  [[noreturn]] void refuse_held(const Reference& body) const {
    std::string held;
    for (std::size_t i = 0; i < work_.drawing.bodies.size(); ++i)
      if (work_.drawing.bodies[i].name() == body.name && work_.carriers[i]) held = *work_.carriers[i];
    throw Error(Errc::model, body.where,
                fmt::format("the start of \"{}\" cannot be given: joint \"{}\" holds the body", body.name, held),
                fmt::format("write start and speed into joint \"{}\"", held));
  }

  void put_weight(std::vector<Start::Value>& values, const Reference& owner, const JointValue& given) {
    const int i = coordinates_.velocity(owner, given.component, given.where, "a weight");
    const double weight = work_.number(given.value, fmt::format("the weight of \"{}\"", owner.name));
    if (!(weight > 0.0))
      throw Error(Errc::model, given.where, fmt::format("the weight of \"{}\" is {:.6g}", owner.name, weight),
                  "weights are positive; the larger, the less a guess is changed");
    values[i].weight = weight;
  }

  void put_turn(const Link<Space>& link, const Planar::Rotation& R, double w) {
    start_.q[link.v].value = std::atan2(R.s, R.c), start_.v[link.v].value = w;
  }
  void put_turn(const Link<Space>& link, const Spatial::Rotation& R, const Vector3& w) {
    const Eigen::Quaterniond quaternion(R.R);
    start_.origin.segment<4>(link.q) << quaternion.w(), quaternion.vec();
    const Vector3 own = link.own.R.transpose() * (R.R.transpose() * w);
    for (int k = 0; k < 3; ++k) start_.v[link.v + k].value = own[k];
  }

  void put(std::vector<Start::Value>& values, const Reference& owner, const JointValue& given, const char* what,
           bool kept) {
    const int i = coordinates_.velocity(owner, given.component, given.where, "a start");
    if (&values == &start_.q && linkage_.links[linkage_.link_of(i)].freedom == Freedom::ball)
      throw Error(Errc::model, given.where,
                  fmt::format("\"{}\" is an angular velocity; the rotation of \"{}\" is a quaternion", given.component,
                              owner.name),
                  "write { qw = 0.8, qz = 0.6 }: of any length, and what is not named is 0");
    const double value = work_.number(given.value, fmt::format("{} \"{}\"", what, owner.name));
    values[i] = {.value = value, .given = kept, .guessed = !kept, .where = given.where};
  }

  /// Those of a quaternion become the origin from which the rotation counts.
  void put_positions(const Reference& owner, const std::vector<JointValue>& values, bool kept) {
    const char* what = kept ? "the start of" : "the guess for";
    const int ball = rotation(owner.name);
    Eigen::Vector4d quaternion = Eigen::Vector4d::Zero();
    const JointValue* part = nullptr;
    for (const JointValue& given : values) {
      const auto found = std::ranges::find(parts, given.component);
      if (ball < 0 || found == parts.end()) {
        put(start_.q, owner, given, what, kept);
        continue;
      }
      part = &given;
      quaternion[found - parts.begin()] = work_.number(given.value, fmt::format("{} \"{}\"", what, owner.name));
    }
    if (!part) return;
    if (!(quaternion.norm() > 0.0))
      throw Error(Errc::model, part->where,
                  fmt::format("the quaternion given for \"{}\" is zero and defines no rotation", owner.name),
                  "in the reference configuration it is { qw = 1 }; what is not named is 0");
    const Link<Space>& link = linkage_.links[ball];
    start_.origin.segment<4>(link.q) = quaternion.normalized();
    start_.reference.resize(0);  // displacements count from the rotation given, not from the reference configuration
    for (int i = link.v; i < link.v + link.velocities; ++i)
      start_.q[i] = {.given = kept, .guessed = !kept, .where = part->where};
  }

  /// The link by which a joint turns freely; −1: none.
  int rotation(const std::string& owner) const {
    for (const int i : coordinates_.velocities(owner))
      if (linkage_.links[linkage_.link_of(i)].freedom == Freedom::ball) return linkage_.link_of(i);
    return -1;
  }

  /// A joint that is given in part is meant to stay where it is, and at rest, in its other degrees of freedom.
  void let_rest_stay(std::vector<Start::Value>& values, const std::string& owner) {
    for (const int i : coordinates_.velocities(owner))
      if (!values[i].given) values[i].weight = std::numeric_limits<double>::infinity();
  }

  static constexpr std::array<std::string_view, 4> parts = {"qw", "qx", "qy", "qz"};

  TreeModelBuilder<Space>& work_;
  const Linkage<Space>& linkage_;
  Start& start_;
  const JointCoordinates<Space> coordinates_;
};

}  // namespace

template <class Space>
void fill_start(const std::vector<std::pair<int, int>>& cuts, TreeModelBuilder<Space>& work) {
  const Shape& shape = work.built.shape;
  Start& start = work.built.start;
  if (work.model.simulation.from) start.t = work.number(*work.model.simulation.from, "the start time");
  start.q.assign(shape.n(), {.guessed = true});  // the reference configuration
  start.v.assign(shape.n(), {.guessed = true});  // at rest
  start.reference = Vector::Zero(shape.n());
  if (!shape.identity_rates) {
    start.origin = Vector::Zero(shape.nq());
    for (const Link<Space>& link : work.built.linkage.links)
      if (link.freedom == Freedom::ball) start.origin[link.q] = 1.0;
  }
  StartBuilder<Space> builder(work);
  for (const Body& body : work.model.mechanism.bodies) builder.put(body);
  for (const Joint& joint : work.model.mechanism.joints) builder.put(joint);
  for (const auto& [joint, part] : cuts) builder.put_whole(cut_body(work.drawing.joints[joint]), part);
}

template <class Space>
void check_inertia(const TreeModelBuilder<Space>& work) {
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
    of_unit = larger(of_unit, diagonal[j]);
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

template void fill_start(const std::vector<std::pair<int, int>>&, TreeModelBuilder<Planar>&);
template void fill_start(const std::vector<std::pair<int, int>>&, TreeModelBuilder<Spatial>&);
template void check_inertia(const TreeModelBuilder<Planar>&);
template void check_inertia(const TreeModelBuilder<Spatial>&);

}  // namespace maggi::mechanism
