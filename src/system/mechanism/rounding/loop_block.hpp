#pragma once
#include <vector>

#include "maggi/expert/linear.hpp"
#include "system/mechanism/loops/closure.hpp"
#include "system/mechanism/reference/drawing.hpp"

namespace maggi::mechanism {

/// The geometry of a joint, relative to a point of its block and in units of the size of the block.
struct JointGeometry {
  Vector3 at = Vector3::Zero(), to = Vector3::Zero();
  Matrix3 frame = Matrix3::Identity();
  double length = 0.0;  ///< of a distance
};

/// Joints whose loops share joints, by themselves: a spanning tree of them, and closures of the others. Masses have no
/// part in it.
///
///     rows     as the joints have them, lengths in units of the block: f̂, and Ĉ with entries of size 1 or less
///     columns  radians, and lengths in units of the block
///     p        changes of the geometry of the joints, common to both of their bodies: the reference configuration
///              stays closed. Of each joint the displacement of its point, then the rotation of its axes; of a
///              distance its two points, then the length if one is given
///
/// Singular values of Ĉ move by at most about the change of a number of the geometry, whatever place, units and masses.
template <class Space>
class LoopBlock {
 public:
  using Configuration = std::vector<double>;

  LoopBlock(const Drawing& drawing, std::vector<int> joints);

  int n() const { return linkage_.n(); }
  int m() const { return m_; }
  double size() const { return size_; }          ///< largest distance between points of joints [m]
  double remoteness() const { return remote_; }  ///< largest distance from the origin of the model, in sizes
  const std::vector<int>& joints() const { return joints_; }  ///< numbers in the drawing

  Configuration reference() const { return reference_; }  ///< in which the bodies are given
  void move(Configuration& q, const Vector& displacement) const;

  /// f̂ and Ĉ at q.
  void evaluate(const Configuration& q);
  const Vector& f() const { return f_; }
  const Matrix& C() const { return C_; }

  /// The geometry of these joints of the drawing is not changed.
  void hold(const std::vector<bool>& held);
  int changes() const { return changes_; }
  void change(const Vector& p);  ///< of the geometry given, not of the last one
  /// ∂f̂/∂p at the configuration that was evaluated last.
  Matrix f_by_changes() const;
  /// The changes of a joint within p.
  struct Part {
    int first, points, turns, lengths;  ///< coordinates of its points, rotations, lengths
    int count() const { return points + turns + lengths; }
  };
  const Part& part(int joint) const { return parts_[joint]; }
  JointType type(int joint) const { return drawing_.joints[joints_[joint]].given->type; }
  bool held(int joint) const { return held_[joint]; }
  const JointGeometry& given(int joint) const { return given_[joint]; }
  JointGeometry changed(int joint, const Vector& p) const;
  const JointGeometry& geometry(int joint) const { return geometry_[joint]; }  ///< with the last change

 private:
  using Twist = Motion<Space>;
  void measure(const Drawing& drawing);
  void choose_tree(const Drawing& drawing);
  void build();
  int hang(const JointKind& kind, int parent, const Pose<Space>& frame, bool forward, double pitch);
  void close(int joint);
  std::vector<Twist> twists(int link, const Vector3& at, bool turning) const;

  struct Step {                // of the tree, parents first
    int joint, parent, child;  // joint −1: nothing holds the child; bodies by their number in the block
    bool forward;
  };

  const Drawing& drawing_;
  std::vector<int> joints_, bodies_;
  Vector3 origin_ = Vector3::Zero();
  double size_ = 1.0, remote_ = 0.0;
  std::vector<JointGeometry> given_, geometry_;
  std::vector<Part> parts_;
  std::vector<bool> held_;  // joints
  int changes_ = 0, m_ = 0;
  std::vector<Step> tree_;
  std::vector<int> loops_;  // joints that close loops
  // made of the geometry
  Linkage<Space> linkage_;
  std::vector<Pose<Space>> drawn_;  // of links
  std::vector<int> link_of_body_;
  std::vector<std::vector<int>> tree_joints_;  // of links: joints of the tree on the way to them
  std::vector<Closure<Space>> closures_;       // of loops_
  Configuration reference_;
  LinkState<Space> state_;
  std::vector<ClosureRow<Space>> rows_;
  Vector f_;
  Matrix C_;
};

}  // namespace maggi::mechanism
