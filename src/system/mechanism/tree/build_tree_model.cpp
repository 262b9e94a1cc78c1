#include "system/mechanism/tree/build_tree_model.hpp"

#include <unordered_set>

#include "system/mechanism/tree/scene.hpp"
#include "system/mechanism/tree/topology.hpp"
#include "system/mechanism/tree/tree_model_builder.hpp"

namespace maggi::mechanism {

namespace {

/// The joints as edges of the graph of bodies.
template <class Space>
std::vector<Edge> edges(const Model& model, const Drawing& drawing, const Formulas& formulas) {
  std::unordered_set<std::string> moved;
  for (const JointForce& force : model.mechanism.joint_forces) moved.insert(force.joint.name);
  std::vector<Edge> result;
  for (const DrawnJoint& joint : drawing.joints) {
    const JointKind& kind = joint_kind<Space>(joint.given->type);
    const Joint& given = *joint.given;
    result.push_back({.a = joint.a,
                      .b = joint.b,
                      .rows = static_cast<int>(kind.rows.size()),
                      .in_tree = kind.in_tree,
                      .loop = given.loop,
                      .wanted = moved.contains(given.name) || !given.start.empty() || !given.guess.empty() ||
                                !given.speed.empty() || formulas.uses_coordinates_of(given.name)});
  }
  return result;
}

}  // namespace

template <class Space>
TreeModel<Space> build_tree_model(const Model& model, const Numbers& numbers, const Drawing& drawing,
                                  const Formulas& formulas) {
  const std::vector<Edge> joints = edges<Space>(model, drawing, formulas);
  const Topology topology = find_topology(static_cast<int>(drawing.bodies.size()), joints);
  TreeModelBuilder<Space> work{model, numbers, drawing, formulas};
  const std::vector<std::pair<int, int>> cuts = add_tree(topology, joints, work);
  add_loops(topology, joints, cuts, work);
  add_forces(work);
  add_functions(work);
  fill_shape(work);
  fill_start(cuts, work);
  check_inertia(work);
  add_scene(drawing, model.mechanism.reaction_frame, work.links, work.drawn, work.built);
  return std::move(work.built);
}

template TreeModel<Planar> build_tree_model<Planar>(const Model&, const Numbers&, const Drawing&, const Formulas&);
template TreeModel<Spatial> build_tree_model<Spatial>(const Model&, const Numbers&, const Drawing&, const Formulas&);

}  // namespace maggi::mechanism
