#include "system/mechanism/tree/joint_coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"

namespace maggi::mechanism {

template <class Space>
JointCoordinates<Space>::JointCoordinates(const TreeModelBuilder<Space>& work) : work_(work) {
  for (const Joint& joint : work.model.mechanism.joints) velocities_[joint.name];
  for (const Body& body : work.model.mechanism.bodies) velocities_[body.name];  // those that float have coordinates
  for (int i = 0; i < work.built.shape.n(); ++i) {
    const std::string_view name = work.built.shape.velocities[i].name;
    velocities_[name.substr(0, name.find('.'))].push_back(i);
  }
  for (const HeldJoint<typename Space::Real>& each : work.held)
    held_.emplace(each.joint->given->name, each.joint->given->type);
}

template <class Space>
int JointCoordinates<Space>::coordinate(int velocity) const {
  const Linkage<Space>& linkage = work_.built.linkage;
  const Link<Space>& link = linkage.links[linkage.link_of(velocity)];
  return link.q + velocity - link.v;
}

/// Is this one of the degrees of freedom that a joint with friction forbids?
template <class Space>
bool JointCoordinates<Space>::is_held(const std::string& joint, const std::string& component) const {
  const auto held = held_.find(joint);
  if (held == held_.end()) return false;
  const std::vector<JointFreedom> own = joint_kind<Space>(held->second).freedoms;
  const bool turns_freely = std::ranges::find(own, Freedom::ball, &JointFreedom::freedom) != own.end();
  if (turns_freely && component.size() == 2 && (component[0] == 'w' || component[0] == 'q')) return false;
  return std::ranges::find(own, component, &JointFreedom::component) == own.end();
}

/// "angle" of the velocity "hinge.angle'".
template <class Space>
std::string JointCoordinates<Space>::component(int velocity) const {
  std::string name = work_.built.shape.velocities[velocity].name;
  name.erase(0, name.find('.') + 1);
  if (name.ends_with('\'')) name.pop_back();
  return name;
}

template <class Space>
std::vector<int> JointCoordinates<Space>::velocities(const std::string& joint) const {
  std::vector<int> own;
  std::ranges::copy_if(velocities_.at(joint), std::back_inserter(own),
                       [&](int i) { return !is_held(joint, component(i)); });
  return own;
}

template <class Space>
void JointCoordinates<Space>::fail_unknown(const Reference& joint) const {
  std::vector<std::string> names;
  for (const Joint& j : work_.model.mechanism.joints) names.push_back(j.name);
  for (const Body& b : work_.model.mechanism.bodies) names.push_back(b.name);
  throw Error(Errc::model, joint.where, fmt::format("no joint is named \"{}\"", joint.name),
              suggest_name(joint.name, names));
}

template <class Space>
int JointCoordinates<Space>::velocity(const Reference& joint, const std::string& component, const Where& where,
                                      std::string_view what) const {
  const auto found = velocities_.find(joint.name);
  if (found == velocities_.end()) fail_unknown(joint);
  std::vector<std::string> components;
  int only = -1;
  for (const int i : velocities(joint.name)) {
    components.push_back(this->component(i));
    if (components.back() == component) return i;
    only = i;
  }
  if (components.empty())
    throw Error(Errc::model, where,
                fmt::format("{} along \"{}\" is not possible: it has no coordinates", what, joint.name),
                "use another joint of the loop, or markers of the bodies");
  if (component.empty() && components.size() == 1) return only;
  if (component.empty())
    throw Error(Errc::model, where, fmt::format("\"{}\" has {} coordinates", joint.name, components.size()),
                fmt::format("say which: {}", list_names(components, false)));
  throw Error(Errc::model, where, fmt::format("\"{}\" has no coordinate \"{}\"", joint.name, component),
              suggest_name(component, components));
}

template class JointCoordinates<Planar>;
template class JointCoordinates<Spatial>;
template class JointCoordinates<PlanarOver<Dual>>;
template class JointCoordinates<SpatialOver<Dual>>;

}  // namespace maggi::mechanism
