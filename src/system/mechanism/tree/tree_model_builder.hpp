#pragma once
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "system/mechanism/tree/topology.hpp"
#include "system/mechanism/tree/tree_model.hpp"

namespace maggi::mechanism {

/// A joint of the tree whose degrees of freedom are held by constraints, and the links that it joins.
template <class Real>
struct HeldJoint {
  const DrawnJointOver<Real>* joint;
  int a, b;
};

/// Working data of the builder of a TreeModel: inputs, the result under construction, and maps between bodies and
/// links. The functions below are called in their order; each costs O(size of what it adds).
template <class Space>
struct TreeModelBuilder {
  using Real = typename Space::Real;
  using DrawnJoint = DrawnJointOver<Real>;
  using Vector3 = Vector3Over<Real>;
  using Matrix3 = Matrix3Over<Real>;

  const Model& model;
  const NumbersOver<Real>& number;
  const DrawingOver<Real>& drawing;
  const FormulasOver<Real>& formulas;
  TreeModel<Space> built{};
  std::vector<int> links{};                                ///< of bodies
  std::vector<int> parents{};                              ///< of bodies: the body on which one hangs
  std::vector<const std::string*> carriers{};              ///< of bodies: the joint by which it hangs, or its own name
  std::vector<Pose<Space>> drawn{};                        ///< frames of links in the drawing
  std::vector<HeldJoint<Real>> held{};                     ///< in the order of the tree
  std::vector<const DrawnJoint*> reaction_of{};            ///< joints in the order of the reactions
  std::unordered_map<std::string, int> reaction_number{};  ///< of joints
  std::vector<std::string> dampers{};

  static typename Space::Linear linear(const Vector3& x) { return mechanism::linear(x, Space()); }
  static Pose<Space> pose(const Matrix3& R, const Vector3& p) { return mechanism::pose<Space>(R, p); }

  LinkPoint<Space> point(int body, const Vector3& at) const {
    return {links[body], drawn[links[body]].inverse() * linear(at)};
  }
  /// A joint between two links, which acts on each of them. What with is for the caller to say.
  JointReaction<Space>& add_reaction(const DrawnJoint& joint, int a, int b) {
    const auto side = [&](int body, int link, const Vector3& at) {
      JointSide<Space> result{{link, drawn[link].inverse() * linear(at)}};
      const auto turned = [&](int carrier, const Matrix3& R) {
        result.axes = {carrier, (drawn[carrier].inverse() * pose(R, at)).R};
      };
      if (model.mechanism.reaction_frame == ReactionFrame::joint) turned(a, joint.frame);
      if (model.mechanism.reaction_frame == ReactionFrame::body) turned(link, drawing.bodies[body].turned);
      return result;
    };
    reaction_number.emplace(joint.given->name, static_cast<int>(reaction_of.size()));
    reaction_of.push_back(&joint);
    built.reactions.push_back({side(joint.a, a, joint.at), side(joint.b, b, joint.to)});
    return built.reactions.back();
  }
};

/// A joint that closes a loop and whose coordinates are needed joins the tree all the same: the body behind it is cut
/// in two parts with equal shares of its mass, which are welded together again.
inline bool is_cut(const Edge& edge) { return edge.wanted && edge.in_tree; }
/// The body that is cut for it.
template <class Real>
int cut_body(const DrawnJointOver<Real>& joint) {
  return joint.b > 0 ? joint.b : joint.a;
}

/// The links, and the parts of bodies that are cut: which joints cut them, and the links of the parts behind these.
template <class Space>
std::vector<std::pair<int, int>> add_tree(const Topology& topology, const std::vector<Edge>& edges,
                                          TreeModelBuilder<Space>& work);

/// Constraints: of joints that are held, that close loops, and where bodies are cut.
template <class Space>
void add_loops(const Topology& topology, const std::vector<Edge>& edges, const std::vector<std::pair<int, int>>& cuts,
               TreeModelBuilder<Space>& work);
/// Velocities that move one of the two links but not both.
template <class Space>
Path path_between(int a, int b, const Linkage<Space>& linkage);
/// The turns in the plane on the way from one link to the other.
template <class Space>
CoordinateSum turns_between(int a, int b, const Linkage<Space>& linkage);

/// What formulas use.
template <class Space>
void add_functions(TreeModelBuilder<Space>& work);
/// Springs, and forces along joint coordinates.
template <class Space>
void add_forces(TreeModelBuilder<Space>& work);
/// Forces along a turning coordinate are part of the reaction of its joint.
template <class Space>
void show_torque(const std::string& joint, int velocity, TreeModelBuilder<Space>& work);

/// Outputs, and the sparsity of the matrices.
template <class Space>
void fill_shape(TreeModelBuilder<Space>& work);

/// `cuts`: joints that cut bodies, and the links of the parts behind these.
template <class Space>
void fill_start(const std::vector<std::pair<int, int>>& cuts, TreeModelBuilder<Space>& work);
/// Error if a freedom has no acceleration, because nothing resists it and no loop holds it.
template <class Space>
void check_inertia(const TreeModelBuilder<Space>& work);

}  // namespace maggi::mechanism
