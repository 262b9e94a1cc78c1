#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "system/mechanism/tree/tree_model_builder.hpp"

namespace maggi::mechanism {

/// Finds joint coordinates by the names that the user gives them.
template <class Space>
class JointCoordinates {
 public:
  explicit JointCoordinates(const TreeModelBuilder<Space>& work);  ///< once the tree is there

  /// The velocity along a coordinate of a joint in the tree; an empty component means the only one. Error if there is
  /// none; `what` asks for it: "a force".
  int velocity(const Reference& joint, const std::string& component, const Where& where, std::string_view what) const;
  /// The velocities along all coordinates of a joint in the tree.
  std::vector<int> velocities(const std::string& joint) const;
  /// The coordinate of a velocity that is its rate.
  int coordinate(int velocity) const;

 private:
  std::string component(int velocity) const;
  bool is_held(const std::string& joint, const std::string& component) const;
  [[noreturn]] void fail_unknown(const Reference& joint) const;

  const TreeModelBuilder<Space>& work_;
  std::unordered_map<std::string_view, std::vector<int>> velocities_;  // of joints and of bodies that float
  std::unordered_map<std::string_view, JointType> held_;
};

}  // namespace maggi::mechanism
