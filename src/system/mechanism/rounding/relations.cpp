#include "system/mechanism/rounding/relations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace maggi::mechanism {

namespace {

constexpr std::size_t most_relations = 4;
constexpr double parallel_below = 1e-3;  // sine of axes that are compared as parallel ones

/// The line of a joint.
struct Axis {
  const DrawnJoint* joint;
  Vector3 a;
  bool has_place;  // a slide has a direction only
  const std::string& name() const { return joint->given->name; }
};

class RelationSearch {
 public:
  RelationSearch(double size, double least, double most) : size_(size), least_(least), most_(most) {}

  void compare(const Axis& x, const Axis& y) {
    const double sine = x.a.cross(y.a).norm(), distance = apart(x, y) / size_;
    const bool parallel = sine < parallel_below;
    note(sine, [&](double d) {
      return fmt::format("the axes of {} and {} differ from parallel by {:.2g} rad", x.name(), y.name(), d);
    });
    note(std::abs(x.a.dot(y.a)), [&](double d) {
      return fmt::format("the axes of {} and {} differ from perpendicular by {:.2g} rad", x.name(), y.name(), d);
    });
    if (x.has_place && y.has_place)
      note(distance, [&](double d) {
        return fmt::format("the {}axes of {} and {} miss each other by {:.2g} m", parallel ? "parallel " : "", x.name(),
                           y.name(), d * size_);
      });
  }

  /// Lengths between the axes of two joints on a body each.
  void compare_lengths(const Axis& x, const Axis& y, const Axis& u, const Axis& v) {
    const double first = apart(x, y) / size_, second = apart(u, v) / size_;
    note(std::abs(first - second), [&](double d) {
      return fmt::format("the lengths {}-{} and {}-{} differ by {:.2g} m", x.name(), y.name(), u.name(), v.name(),
                         d * size_);
    });
  }

  std::vector<std::string> result() {
    std::ranges::stable_sort(found_, std::greater{}, &std::pair<double, std::string>::first);
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < std::min(found_.size(), most_relations); ++k) texts.push_back(found_[k].second);
    return texts;
  }

 private:
  /// Of the common normal.
  static double apart(const Axis& x, const Axis& y) {
    const Vector3 d = y.joint->at - x.joint->at, normal = x.a.cross(y.a);
    return normal.norm() < parallel_below ? (d - d.dot(x.a) * x.a).norm() : std::abs(d.dot(normal.normalized()));
  }

  template <class Text>
  void note(double deviation, const Text& text) {
    if (deviation > least_ && deviation <= most_) found_.emplace_back(deviation, text(deviation));
  }

  double size_, least_, most_;
  std::vector<std::pair<double, std::string>> found_;
};

std::optional<Axis> axis_of(const DrawnJoint& joint, bool planar) {
  switch (joint.given->type) {
    case JointType::revolute:
    case JointType::cylindrical:
    case JointType::screw: return Axis{&joint, planar ? Vector3(Vector3::UnitZ()) : Vector3(joint.frame.col(2)), true};
    case JointType::prismatic:
      return Axis{&joint, planar ? Vector3(joint.frame.col(0)) : Vector3(joint.frame.col(2)), false};
    case JointType::universal: return Axis{&joint, joint.frame.col(0), true};
    default: return std::nullopt;
  }
}

}  // namespace

std::vector<std::string> near_relations(const Drawing& drawing, const std::vector<int>& joints, double size,
                                        double least, double most) {
  std::vector<Axis> axes;
  for (const int joint : joints)
    if (const auto axis = axis_of(drawing.joints[joint], drawing.planar)) axes.push_back(*axis);
  RelationSearch search(size, least, most);
  std::vector<std::pair<const Axis*, const Axis*>> lengths;  // on a body
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t j = i + 1; j < axes.size(); ++j) {
      search.compare(axes[i], axes[j]);
      const DrawnJoint &x = *axes[i].joint, &y = *axes[j].joint;
      const bool on_a_body = x.a == y.a || x.a == y.b || x.b == y.a || x.b == y.b;
      if (on_a_body && axes[i].has_place && axes[j].has_place) lengths.emplace_back(&axes[i], &axes[j]);
    }
  for (std::size_t i = 0; i < lengths.size(); ++i)
    for (std::size_t j = i + 1; j < lengths.size(); ++j)
      search.compare_lengths(*lengths[i].first, *lengths[i].second, *lengths[j].first, *lengths[j].second);
  return search.result();
}

}  // namespace maggi::mechanism
