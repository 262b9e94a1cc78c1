#include "system/mechanism/tree/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/largest.hpp"

namespace maggi::mechanism {

namespace {

template <class Space>
class SceneBuilder {
 public:
  SceneBuilder(const Drawing& drawing, ReactionFrame frame, const std::vector<int>& links,
               const std::vector<Pose<Space>>& drawn, TreeModel<Space>& built)
      : drawing_(drawing), frame_(frame), links_(links), drawn_(drawn), built_(built), scene_(built.shape.scene) {
    scene_.dimension = Space::axes;
    touched_.resize(drawing.bodies.size());
    wheels_.resize(drawing.bodies.size());
    for (const DrawnJoint& joint : drawing.joints) add_joint(joint);
    for (std::size_t b = 1; b < drawing.bodies.size(); ++b) add_markers(static_cast<int>(b));
    for (const DrawnSpring& spring : drawing.springs)
      add_line(spring.given->name, {spring.a, spring.b}, {spring.from, spring.to}, true);
    extent_ = extent();
    for (std::size_t b = 1; b < drawing.bodies.size(); ++b)
      if (!add_solid(static_cast<int>(b))) connect(static_cast<int>(b));
    for (const auto& [point, joint] : joints_) {
      give_axis(*joint, scene_.points[point]);
      give_force_axes(*joint, scene_.points[point]);
    }
    name_numbers();
  }

 private:
  int add_point(const std::string& name, int body, const Vector3& at, bool trace = false) {
    const Pose<Space> inverse = drawn_[links_[body]].inverse();
    built_.seen.push_back({links_[body], inverse * linear(at, Space())});
    places_.push_back(at);
    scene_.points.push_back({.name = name, .at = {}, .trace = trace});
    return static_cast<int>(scene_.points.size()) - 1;
  }

  void touch(int body, int point) { touched_[body].push_back(point); }

  void add_line(const std::string& name, const std::array<int, 2>& bodies, const std::array<Vector3, 2>& ends,
                bool spring) {
    const int from = add_point(name + ".from", bodies[0], ends[0]), to = add_point(name + ".to", bodies[1], ends[1]);
    scene_.lines.push_back({name, {from, to}, spring});
    touch(bodies[0], from);
    touch(bodies[1], to);
  }

  void add_joint(const DrawnJoint& joint) {
    const std::string& name = joint.given->name;
    const JointEntry& entry = entry_of(joint.given->type);
    if (entry.keys.to) {
      add_line(name, {joint.a, joint.b}, {joint.at, joint.to}, false);
      return;
    }
    if (entry.on_rates == JointEntry::OnRates::rolling && !wheels_[joint.b]) wheels_[joint.b] = &joint;
    const int point = add_point(name, joint.b, joint.to);
    joints_.emplace_back(point, &joint);
    if (entry.holds_point) touch(joint.a, point);
    touch(joint.b, point);
  }

  /// The direction of a joint is fixed in its first body; that of a knife edge or a disc in its second.
  void give_axis(const DrawnJoint& joint, Scene::Point& point) const {
    const JointEntry& entry = entry_of(joint.given->type);
    point.joint = entry.symbol();
    if (!joint.given->axis.given()) return;
    const Vector3 axis = joint.frame.col(Space::axes == 2 || entry.keys.second_axis ? 0 : 2);
    const int carrier = entry.on_rates == JointEntry::OnRates::none ? joint.a : joint.b;
    const DrawnBody& body = drawing_.bodies[carrier];
    const Vector3 carried = body.turned.transpose() * axis;
    point.axis = {carried.begin(), carried.end()};
    if (carrier > 0) point.carrier = body.name();
  }

  /// Of the side of the second body, which is the one that is shown.
  void give_force_axes(const DrawnJoint& joint, Scene::Point& point) const {
    if (frame_ == ReactionFrame::world) return;
    const bool own = frame_ == ReactionFrame::body;
    const int carrier = own ? joint.b : joint.a;
    const DrawnBody& body = drawing_.bodies[carrier];
    const Matrix3 axes = body.turned.transpose() * (own ? body.turned : joint.frame);
    point.force_axes = {axes.data(), axes.data() + axes.size()};
    if (carrier > 0) point.force_carrier = body.name();
  }

  void add_markers(int b) {
    const DrawnBody& body = drawing_.bodies[b];
    for (std::size_t k = 0; k < body.markers.size(); ++k)
      touch(b, add_point(body.name() + "." + body.given->markers[k].name, b, body.markers[k], true));
  }

  /// Returns whether it has a shape of its own; one without it is a small ball at its mass centre, or the wheel as
  /// which it rolls.
  bool add_solid(int b) {
    const DrawnBody& body = drawing_.bodies[b];
    bool own = true;
    Scene::Body solid;
    solid.name = body.name();
    const double length = body.along.norm();
    if (body.edges.norm() > 0.0) {
      solid.shape = "box";
      solid.size = {body.edges.begin(), body.edges.end()};
    } else if (length > 0.0) {
      solid.shape = "cylinder";
      solid.size = {body.radius, length};
      solid.axis = {body.along.begin(), body.along.end()};
    } else if (body.radius > 0.0) {
      solid.shape = "sphere";
      solid.size = {body.radius};
    } else if (const DrawnJoint* wheel = wheels_[b]; wheel && (wheel->at - body.position).norm() < 1e-9) {
      const bool disc = Space::axes == 3 && wheel->given->axis.given();
      solid.shape = disc ? "cylinder" : "sphere";
      solid.size = {wheel->radius};
      if (disc) {
        constexpr double thickness = 0.1;  // of the radius; a disc has none
        const Vector3 axis = body.turned.transpose() * wheel->frame.col(2);
        solid.size.push_back(thickness * wheel->radius);
        solid.axis = {axis.begin(), axis.end()};
      }
    } else {
      own = false;
      solid.shape = "sphere";
      solid.size = {small_ * extent_};
    }
    const int link = links_[b];
    built_.seen_frames.emplace_back(link, drawn_[link].inverse() * pose<Space>(body.turned, body.position));
    scene_.bodies.push_back(std::move(solid));
    return own;
  }

  /// Largest edge of the box around all points and mass centres.
  double extent() const {
    Vector3 least = drawing_.bodies.back().position, most = least;
    const auto reach = [&](const Vector3& point) { least = least.cwiseMin(point), most = most.cwiseMax(point); };
    for (const Vector3& place : places_) reach(place);
    for (std::size_t b = 1; b < drawing_.bodies.size(); ++b) reach(drawing_.bodies[b].position);
    const double size = largest(most - least);
    return size > 0.0 ? size : 1.0;
  }

  /// A body without a shape: a rod between two points, an area through more of them in the plane, or rods to its mass
  /// centre.
  void connect(int b) {
    const DrawnBody& body = drawing_.bodies[b];
    std::vector<int> points = touched_[b];
    const auto same_place = [&](int i, int j) { return (places_[i] - places_[j]).norm() < 1e-9; };
    for (std::size_t i = 0; i < points.size(); ++i)
      points.erase(std::remove_if(points.begin() + static_cast<long>(i) + 1, points.end(),
                                  [&](int j) { return same_place(points[i], j); }),
                   points.end());
    if (points.size() == 2) {
      scene_.lines.push_back({body.name(), points, false});
    } else if (points.size() > 2 && Space::axes == 2) {
      scene_.lines.push_back({body.name(), around(points), false});
    } else {
      const int centre = add_point(body.name(), b, body.position);
      for (const int point : points)
        if (!same_place(point, centre)) scene_.lines.push_back({body.name(), {centre, point}, false});
    }
  }

  /// The points in the order of their directions from their middle, back to the first.
  std::vector<int> around(std::vector<int> points) const {
    Vector3 middle = Vector3::Zero();
    for (const int i : points) middle += places_[i] / static_cast<double>(points.size());
    const auto direction = [&](int i) { return std::atan2(places_[i][1] - middle[1], places_[i][0] - middle[0]); };
    std::ranges::sort(points, {}, direction);
    points.push_back(points.front());
    return points;
  }

  /// Shape::drawing in the order of MechanismSystem::drawing(): points, then frames.
  void name_numbers() {
    std::vector<Channel>& numbers = built_.shape.drawing;
    const auto add = [&](const std::string& name, const std::string& part, const char* unit) {
      numbers.push_back({"drawing." + name + "." + part, unit});
      return static_cast<int>(numbers.size()) - 1;
    };
    const std::vector<std::string> axes =
        Space::axes == 2 ? std::vector<std::string>{"x", "y"} : std::vector<std::string>{"x", "y", "z"};
    for (Scene::Point& point : scene_.points)
      for (const std::string& axis : axes) point.at.push_back(add(point.name, axis, "m"));
    for (Scene::Body& body : scene_.bodies) {
      for (const std::string& axis : axes) body.frame.push_back(add(body.name, axis, "m"));
      if (Space::axes == 2) body.frame.push_back(add(body.name, "angle", "rad"));
      if (Space::axes == 3)
        for (const char* part : {"qw", "qx", "qy", "qz"}) body.frame.push_back(add(body.name, part, ""));
    }
  }

  static constexpr double small_ = 0.02;  // of the extent

  const Drawing& drawing_;
  ReactionFrame frame_;
  const std::vector<int>& links_;
  const std::vector<Pose<Space>>& drawn_;
  TreeModel<Space>& built_;
  Scene& scene_;
  std::vector<Vector3> places_;  // of the points, as drawn
  double extent_ = 1.0;
  std::vector<const DrawnJoint*> wheels_;                  // of bodies: the first joint by which one rolls
  std::vector<std::vector<int>> touched_;                  // points of each body
  std::vector<std::pair<int, const DrawnJoint*>> joints_;  // with their points
};

}  // namespace

template <class Space>
void add_scene(const Drawing& drawing, ReactionFrame frame, const std::vector<int>& links,
               const std::vector<Pose<Space>>& drawn, TreeModel<Space>& built) {
  SceneBuilder<Space>(drawing, frame, links, drawn, built);
}

template void add_scene(const Drawing&, ReactionFrame, const std::vector<int>&, const std::vector<Pose<Planar>>&,
                        TreeModel<Planar>&);
template void add_scene(const Drawing&, ReactionFrame, const std::vector<int>&, const std::vector<Pose<Spatial>>&,
                        TreeModel<Spatial>&);

}  // namespace maggi::mechanism
