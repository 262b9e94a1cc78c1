#pragma once
#include <utility>
#include <vector>

#include "system/mechanism/functions/formulas.hpp"
#include "system/mechanism/loops/closure.hpp"
#include "system/mechanism/reference/drawing.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

/// A point of a link.
template <class Space>
struct LinkPoint {
  int link = 0;
  typename Space::Linear at = Space::Linear::Zero();  ///< in its frame
};

/// A spring and damper between two points; F = k (l − l₀) + d l̇ + f pulls them together.
template <class Space>
struct SpringElement {
  LinkPoint<Space> a, b;
  typename Space::Real stiffness, damping, force, length;
};

/// Force along one velocity: F = f − k (q − q₀) − d q̇.
template <class Real>
struct CoordinateForce {
  int q, v;
  Real stiffness, damping, force, rest;
};

/// A sum of joint coordinates.
struct CoordinateSum {
  struct Term {
    int q, v;  ///< q < 0: only the rate has a value
    double sign;
  };
  std::vector<Term> terms;
};

/// How a joint acts on one of its bodies: in which point, and along which axes this is given.
template <class Space>
struct JointSide {
  LinkPoint<Space> at;
  std::pair<int, typename Space::Rotation> axes{};  ///< link, and the axes in its frame
  bool torque = false;                              ///< about the point; otherwise there is none
};

/// What a joint acts with on its second body, and the opposite on its first: the force on a link of the tree, or the
/// multipliers of a closure.
template <class Space>
struct JointReaction {
  JointSide<Space> first, second;
  int link = -1;      ///< of the tree; −1: a closure
  double sign = 1.0;  ///< −1: the link is the first body
  int closure = -1, row = 0;
};

/// A coordinate of a joint that closes a loop, from where B is as seen from A.
struct LoopCoordinate {
  enum class Shows {
    slide,      ///< scale e · (p_B − p_A)
    turns,      ///< in the plane: the sum of all turns from A to B
    angle,      ///< about z, but for whole turns
    pin_angle,  ///< of a universal joint, about x_A or y_B, but for whole turns
    rotation,   ///< quaternion w, x, y, z, but for its sign
  };
  Shows shows = Shows::slide;
  int joint = -1, axis = 0;
  double scale = 1.0;
  CoordinateSum turns{};
};

/// Where a body is: its link, how that was turned in the drawing, and the own axes of the body on it.
template <class Space>
struct PlacedBody {
  std::string name;
  int link = 0;
  typename Space::Rotation drawn{}, own{};
};

/// Velocities that move something between two links, and their signs.
using Path = std::vector<std::pair<int, double>>;

/// A mechanism ready for evaluation: the spanning tree of its joints, the closures of its loops, the forces.
template <class Space>
struct TreeModel {
  std::vector<PlacedBody<Space>> bodies;
  std::vector<int> body_of{-1};  ///< of links: the body that they carry, or a part of it; −1: none
  Linkage<Space> linkage;
  std::vector<Closure<Space>> closures;
  std::vector<Path> paths;  ///< of closures
  // output functions that formulas use, after the gaps of the closures: functions between two frames, then sums
  std::vector<Closure<Space>> frame_functions;  ///< of one row each
  std::vector<Path> frame_function_paths;
  std::vector<int> frame_function_reactions;  ///< whose reaction a force along it belongs to; −1: none
  std::vector<CoordinateSum> sums;
  std::vector<SpringElement<Space>> springs;
  std::vector<CoordinateForce<typename Space::Real>> forces;
  std::vector<LinkPoint<Space>> markers;
  std::vector<int> spins;  ///< links of bodies that float in space: their angular velocity in the world is an output
  std::vector<LinkPoint<Space>> seen;                    ///< points of the scene
  std::vector<std::pair<int, Pose<Space>>> seen_frames;  ///< bodies of the scene: link, and their frame on it
  std::vector<Closure<Space>> loop_joints;               ///< where A and B are that have these
  std::vector<LoopCoordinate> loop_coordinates;
  std::vector<JointReaction<Space>> reactions;
  std::vector<MechanismSystem::Branch> tree;
  std::vector<MechanismSystem::Loop> loops;
  std::vector<MechanismSystem::RoundedLoop> rounded_loops;
  Shape shape;
  Start start;
};

}  // namespace maggi::mechanism
