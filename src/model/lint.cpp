#include "model/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>

#include "base/largest.hpp"
#include "base/names.hpp"
#include "model/mechanism_fields.hpp"
#include "model/numbers.hpp"

namespace maggi {

std::string Note::text() const {
  const std::string place = where.text();
  return fmt::format("note: {}{}{}{}", place, place.empty() ? "" : ": ", what,
                     help.empty() ? "" : fmt::format(" ({})", help));
}

namespace {

using Point = std::array<double, 3>;

constexpr double full_turn = 2.0 * std::numbers::pi;

Point operator-(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point operator+(const Point& a, const Point& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Point operator*(double s, const Point& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Point& a) { return std::sqrt(dot(a, a)); }

/// What the reference configuration shows of a body: its mass centre, and the segment along which it extends.
struct Extent {
  const Body* body;
  Point centre{}, from{}, to{};
  double radius = 0.0;  ///< of a ball around the mass centre, for shapes that are no rod; 0: a point or unknown

  double size() const { return std::max(length(to - from), 2.0 * radius); }
  /// Of a point from the body.
  double distance(const Point& p) const {
    const Point along = to - from;
    const double square = dot(along, along);
    const double s = square > 0.0 ? std::clamp(dot(p - from, along) / square, 0.0, 1.0) : 0.0;
    return std::max(0.0, length(p - (from + s * along)) - radius);
  }
};

/// Is this coordinate of the joint an angle? Empty: the only coordinate.
bool is_angle(const Joint& joint, const std::string& component) {
  if (component.empty()) return joint.type == JointType::revolute;
  return component.find("angle") != std::string::npos || component.find("turn") != std::string::npos;
}

class Lint {
 public:
  Lint(const Model& model, const Numbers& numbers) : model_(model), mechanism_(model.mechanism), numbers_(numbers) {
    for (const Body& body : mechanism_.bodies)
      if (const auto extent = extent_of(body)) extents_.push_back(*extent);
  }

  std::vector<Note> notes() {
    for (const Extent& extent : extents_) look_at_size(extent);
    for (const Joint& joint : mechanism_.joints) {
      look_at_place(joint);
      look_at_angles(joint);
      look_at_stops(joint);
    }
    look_for_loose_bodies();
    look_for_idle_spins();
    look_for_causes();
    return std::move(notes_);
  }

 private:
  void note(const Where& where, std::string what, std::string help) {
    notes_.push_back({where, std::move(what), std::move(help)});
  }

  std::optional<double> number(const Formula& formula) const {
    if (formula.empty() || !numbers_.covers(formula)) return std::nullopt;
    return numbers_(formula, "a number");
  }

  /// In the world; nothing for what is given in the frame of a body, or not at all.
  std::optional<Point> point(const Triple& triple) const {
    if (triple.values.empty() || !triple.frame.name.empty()) return std::nullopt;
    Point result{};
    for (std::size_t i = 0; i < std::min<std::size_t>(triple.values.size(), 3); ++i) {
      const std::optional<double> value = number(triple.values[i]);
      if (!value) return std::nullopt;
      result[i] = *value;
    }
    return result;
  }

  std::optional<Extent> extent_of(const Body& body) const {
    Extent extent{&body};
    if (const auto from = point(body.from), to = point(body.to); from && to) {
      extent.from = *from, extent.to = *to;
      extent.centre = 0.5 * (*from + *to);
      extent.radius = number(body.radius).value_or(0.0);
      return extent;
    }
    const auto position = point(body.position);
    if (!position) return std::nullopt;
    extent.centre = extent.from = extent.to = *position;
    extent.radius = number(body.radius).value_or(0.0);
    for (const Formula& edge : body.size) extent.radius = larger(extent.radius, 0.5 * number(edge).value_or(0.0));
    return extent;
  }

  const Extent* extent_of(const Reference& reference) const {
    const auto found = std::ranges::find(extents_, reference.name, [](const Extent& e) { return e.body->name; });
    return found == extents_.end() ? nullptr : &*found;
  }

  void look_at_size(const Extent& extent) {
    constexpr double large = 50.0;  // [m] hardly a body, and 50 mm, typed without their unit, are an ordinary one
    if (!(extent.size() >= large)) return;
    note(extent.body->where, fmt::format("body \"{}\" is {:.4g} m long", extent.body->name, extent.size()),
         fmt::format("lengths are in metres; {:.4g} mm are {:.4g}", extent.size(), extent.size() / 1000.0));
  }

  /// A pin is on its bodies, or near them: a rod has no thickness, and what a body looks like may be a part of it only.
  void look_at_place(const Joint& joint) {
    constexpr double of_rod = 0.25, of_body = 10.0, far = 100.0;  // of the size of the body; of the whole mechanism
    const std::optional<Point> at = point(joint.at);
    if (!at || joint.type == JointType::free) return;
    for (const Reference& reference : joint.bodies) {
      const Extent* body = extent_of(reference);
      if (!body) continue;
      const bool rod = body->body->shape == "rod";
      const double distance = body->distance(*at), size = body->size();
      const double whole = median_size();
      const bool slides = joint.type != JointType::revolute && joint.type != JointType::spherical &&
                          joint.type != JointType::universal && joint.type != JointType::fixed;
      const double allowed = size <= 0.0 || slides ? far * whole : (rod ? of_rod : of_body) * size;
      if (!(distance > allowed) || !(allowed > 0.0)) continue;
      const Point near = rod ? nearest_end(*body, *at) : body->centre;
      note(joint.where,
           fmt::format("joint \"{}\" is {:.4g} m from {} \"{}\"", joint.name, distance, rod ? "rod" : "body",
                       reference.name),
           fmt::format("its {} is at {}", rod ? "nearest end" : "mass centre", text(near)));
      return;  // one note for each joint
    }
  }

  static Point nearest_end(const Extent& body, const Point& p) {
    return length(p - body.from) < length(p - body.to) ? body.from : body.to;
  }

  std::string text(const Point& p) const {
    return mechanism_.dimension == 2 ? fmt::format("[{:.4g}, {:.4g}]", p[0], p[1])
                                     : fmt::format("[{:.4g}, {:.4g}, {:.4g}]", p[0], p[1], p[2]);
  }

  double median_size() const {
    std::vector<double> sizes;
    for (const Extent& extent : extents_)
      if (extent.size() > 0.0) sizes.push_back(extent.size());
    if (sizes.empty()) return 0.0;
    std::ranges::nth_element(sizes, sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2));
    return sizes[sizes.size() / 2];
  }

  void look_at_angle(const Joint& joint, const std::string& component, const Formula& formula, std::string_view what) {
    const std::optional<double> value = number(formula);
    if (!value || !is_angle(joint, component) || !(std::abs(*value) > full_turn * (1.0 + 1e-9))) return;
    note(formula.where.line > 0 ? formula.where : joint.where,
         fmt::format("{} \"{}\" is {:.6g} rad, more than a full turn", what, joint.name, *value),
         fmt::format("angles are in radians; {:.6g} degrees are \"{:.6g}*pi/180\"", *value, *value));
  }

  void look_at_angles(const Joint& joint) {
    for (const JointValue& start : joint.start) look_at_angle(joint, start.component, start.value, "the start of");
    for (const JointValue& guess : joint.guess) look_at_angle(joint, guess.component, guess.value, "the guess for");
    for (const JointLimit& limit : joint.limits) {
      look_at_angle(joint, limit.component, limit.lower, "the lower limit of");
      look_at_angle(joint, limit.component, limit.upper, "the upper limit of");
    }
  }

  /// An elastic stop that is compressed at the start; a start beyond a rigid stop is an error of the start.
  void look_at_stops(const Joint& joint) {
    for (const JointLimit& limit : joint.limits) {
      if (limit.stiffness.empty()) continue;
      const auto start = std::ranges::find(joint.start, limit.component, &JointValue::component);
      const std::optional<double> value = start == joint.start.end() ? 0.0 : number(start->value);
      if (!value) continue;
      const double lower = number(limit.lower).value_or(-std::numeric_limits<double>::infinity());
      const double upper = number(limit.upper).value_or(std::numeric_limits<double>::infinity());
      const double beyond = std::max({0.0, lower - *value, *value - upper});
      const std::optional<double> stiffness = number(limit.stiffness);
      if (!(beyond > 0.0) || !stiffness) continue;
      note(start == joint.start.end() ? limit.where : start->where,
           fmt::format("joint \"{}\" starts {:.4g} {} inside its elastic stop, which holds {:.4g} J there", joint.name,
                       beyond, is_angle(joint, limit.component) ? "rad" : "m", 0.5 * *stiffness * beyond * beyond),
           fmt::format("its limit is {:.6g}", *value > upper ? upper : lower));
    }
  }

  void look_for_loose_bodies() {
    for (const Body& body : mechanism_.bodies) {
      const bool held = std::ranges::any_of(mechanism_.joints, [&](const Joint& joint) {
        return joint.bodies[0].name == body.name || joint.bodies[1].name == body.name;
      });
      if (!held)
        note(body.where, fmt::format("body \"{}\" is held by no joint: it floats", body.name),
             "a free joint says that this is meant");
    }
  }

  std::vector<const Joint*> joints_of(const Body& body) const {
    std::vector<const Joint*> joints;
    for (const Joint& joint : mechanism_.joints)
      if (joint.bodies[0].name == body.name || joint.bodies[1].name == body.name) joints.push_back(&joint);
    return joints;
  }

  /// A thin rod between balls spins about its own length, and has no inertia about it.
  void look_for_idle_spins() {
    if (mechanism_.dimension == 2) return;
    for (const Extent& extent : extents_) {
      const std::vector<const Joint*> joints = joints_of(*extent.body);
      const auto on_length = [&](const Joint* joint) {
        const std::optional<Point> at = point(joint->at);
        return joint->type == JointType::spherical && at && extent.distance(*at) <= 1e-6 * extent.size();
      };
      if (extent.body->shape != "rod" || joints.empty() || !std::ranges::all_of(joints, on_length)) continue;
      std::vector<std::string> names;
      for (const Joint* joint : joints) names.push_back(joint->name);
      note(extent.body->where,
           fmt::format("body \"{}\" is a thin rod on {}: it can spin about its own length and has no inertia about it",
                       extent.body->name, list_names(names)),
           names.size() == 1 ? "write cylinder with a radius, or make the ball universal"
                             : "write cylinder with a radius, or make one of the balls universal");
    }
  }

  bool has_formulas() const { return !model_.constraints.empty() || !model_.laws.empty() || !model_.controls.empty(); }

  bool has_forces() const {
    bool forces = false;
    fields::for_each_force(mechanism_, [&](const auto& /*force*/) { forces = true; });
    return forces;
  }

  /// What could make the mechanism move.
  void look_for_causes() {
    if (mechanism_.gravity.given()) return;
    const auto stop = [](const Joint& joint) {
      return std::ranges::any_of(joint.limits, [](const JointLimit& limit) { return !limit.stiffness.empty(); });
    };
    const auto speed = [&](const auto& part) {
      return std::ranges::any_of(part.speed, [&](const JointValue& v) { return number(v.value) != 0.0; });
    };
    const std::string weight = mechanism_.dimension == 2 ? "gravity = [0, -9.81] makes bodies heavy"
                                                         : "gravity = [0, 0, -9.81] makes bodies heavy";
    const bool moves = has_forces() || !mechanism_.drivers.empty() || has_formulas() ||
                       std::ranges::any_of(mechanism_.bodies, speed) || std::ranges::any_of(mechanism_.joints, speed) ||
                       std::ranges::any_of(mechanism_.joints, stop);
    if (moves)
      note({.file = model_.file}, "there is no gravity: bodies have no weight",
           weight + fmt::format("; gravity = {} says that this is meant",
                                mechanism_.dimension == 2 ? "[0, 0]" : "[0, 0, 0]"));
    else
      note({.file = model_.file}, "nothing moves: there is no gravity, no force, no driver and no speed", weight);
  }

  const Model& model_;
  const Mechanism& mechanism_;
  const Numbers& numbers_;
  std::vector<Extent> extents_;
  std::vector<Note> notes_;
};

}  // namespace

std::vector<Note> lint(const Model& model, const Numbers& numbers) {
  return model.mechanism.given() ? Lint(model, numbers).notes() : std::vector<Note>();
}

}  // namespace maggi
