#include "system/mechanism/tree/build_tree_model.hpp"

#include <unordered_set>

#include "system/mechanism/tree/scene.hpp"
#include "system/mechanism/tree/topology.hpp"
#include "system/mechanism/tree/tree_model_builder.hpp"

namespace maggi::mechanism {

namespace {

/// The joints as edges of the graph of bodies.
template <class Space>
std::vector<Edge> edges(const Model& model, const DrawingOver<typename Space::Real>& drawing,
                        const FormulasOver<typename Space::Real>& formulas) {
  std::unordered_set<std::string> moved;
  for (const JointForce& force : model.mechanism.joint_forces) moved.insert(force.joint.name);
  std::vector<Edge> result;
  for (const DrawnJointOver<typename Space::Real>& joint : drawing.joints) {
    const JointKind& kind = joint_kind<Space>(joint.given->type);
    const Joint& given = *joint.given;
    result.push_back({.a = joint.a,
                      .b = joint.b,
                      .rows = static_cast<int>(kind.rows.size()),
                      .in_tree = kind.in_tree,
                      .loop = given.loop,
                      .wanted = moved.contains(given.name) || !given.start.empty() || !given.guess.empty() ||
                                !given.speed.empty() || !given.speed_guess.empty() || !given.acceleration.empty() ||
                                !given.weight.empty() || !given.speed_weight.empty() ||
                                formulas.uses_coordinates_of(given.name)});
  }
  return result;
}

/// The tree, its loops, its forces and what formulas use. Returns what fill_start() needs: joints that cut bodies, and
/// the links of the parts behind these.
template <class Space>
std::vector<std::pair<int, int>> add_moving_parts(TreeModelBuilder<Space>& work) {
  const std::vector<Edge> joints = edges<Space>(work.model, work.drawing, work.formulas);
  const Topology topology = find_topology(static_cast<int>(work.drawing.bodies.size()), joints);
  std::vector<std::pair<int, int>> cuts = add_tree(topology, joints, work);
  add_loops(topology, joints, cuts, work);
  add_forces(work);
  add_functions(work);
  return cuts;
}

}  // namespace

template <class Space>
TreeModel<Space> build_tree_model(const Model& model, const Numbers& numbers, const Drawing& drawing,
                                  const Formulas& formulas) {
  TreeModelBuilder<Space> work{model, numbers, drawing, formulas};
  const std::vector<std::pair<int, int>> cuts = add_moving_parts(work);
  fill_shape(work);
  fill_start(cuts, work);
  check_inertia(work);
  add_scene(drawing, model.mechanism.reaction_frame, work.links, work.drawn, work.built);
  return std::move(work.built);
}

template <class Space>
TreeModel<Space> build_tree_with_derivatives(const Model& model, const DualNumbers& numbers,
                                             const DrawingOver<Dual>& drawing, const FormulasOver<Dual>& formulas) {
  TreeModelBuilder<Space> work{model, numbers, drawing, formulas};
  add_moving_parts(work);
  return std::move(work.built);
}

template TreeModel<Planar> build_tree_model<Planar>(const Model&, const Numbers&, const Drawing&, const Formulas&);
template TreeModel<Spatial> build_tree_model<Spatial>(const Model&, const Numbers&, const Drawing&, const Formulas&);
template TreeModel<PlanarOver<Dual>> build_tree_with_derivatives(const Model&, const DualNumbers&,
                                                                 const DrawingOver<Dual>&, const FormulasOver<Dual>&);
template TreeModel<SpatialOver<Dual>> build_tree_with_derivatives(const Model&, const DualNumbers&,
                                                                  const DrawingOver<Dual>&, const FormulasOver<Dual>&);

}  // namespace maggi::mechanism
