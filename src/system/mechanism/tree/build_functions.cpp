#include "system/mechanism/tree/joint_coordinates.hpp"

namespace maggi::mechanism {

namespace {

template <class Space>
void add_frame_function(const OutputFunctionOver<typename Space::Real>& function, TreeModelBuilder<Space>& work) {
  TreeModel<Space>& built = work.built;
  Closure<Space> frame_function;
  frame_function.a = work.links[function.a], frame_function.b = work.links[function.b];
  frame_function.on_a = work.drawn[frame_function.a].inverse() * work.pose(function.frame_a, function.at_a);
  frame_function.on_b = work.drawn[frame_function.b].inverse() * work.pose(function.frame_b, function.at_b);
  frame_function.rows = std::vector{function.row};
  frame_function.length = function.length;
  const auto owner = work.reaction_number.find(function.joint);
  built.frame_function_reactions.push_back(owner == work.reaction_number.end() ? -1 : owner->second);
  built.frame_function_paths.push_back(path_between(frame_function.a, frame_function.b, built.linkage));
  built.frame_functions.push_back(std::move(frame_function));
}

template <class Space>
CoordinateSum one_coordinate(const OutputFunctionOver<typename Space::Real>& function,
                             const JointCoordinates<Space>& coordinates, TreeModelBuilder<Space>& work) {
  const std::size_t dot = function.name.find('.');
  const std::string joint = function.name.substr(0, dot);
  const int v =
      coordinates.velocity({joint, function.where}, function.name.substr(dot + 1), function.where, "a formula");
  show_torque(joint, v, work);
  return {{{function.rate_only ? -1 : coordinates.coordinate(v), v, 1.0}}};
}

}  // namespace

template <class Space>
void add_functions(TreeModelBuilder<Space>& work) {
  const JointCoordinates<Space> coordinates(work);
  for (const OutputFunctionOver<typename Space::Real>& function : work.formulas.functions())
    if (function.kind == OutputFunctionKind::row) add_frame_function(function, work);
  for (const OutputFunctionOver<typename Space::Real>& function : work.formulas.functions())
    if (function.kind == OutputFunctionKind::coordinate)
      work.built.sums.push_back(one_coordinate(function, coordinates, work));
    else if (function.kind != OutputFunctionKind::row)
      work.built.sums.push_back(turns_between(work.links[function.a], work.links[function.b], work.built.linkage));
}

template void add_functions(TreeModelBuilder<Planar>&);
template void add_functions(TreeModelBuilder<Spatial>&);
template void add_functions(TreeModelBuilder<PlanarOver<Dual>>&);
template void add_functions(TreeModelBuilder<SpatialOver<Dual>>&);

}  // namespace maggi::mechanism
