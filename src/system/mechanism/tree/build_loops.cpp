#include "system/mechanism/tree/tree_model_builder.hpp"

#include <algorithm>

namespace maggi::mechanism {

namespace {

template <class Space>
class LoopBuilder {
 public:
  using Real = typename Space::Real;
  using DrawnJoint = DrawnJointOver<Real>;
  using Vector3 = Vector3Over<Real>;
  using Matrix3 = Matrix3Over<Real>;

  LoopBuilder(const Topology& topology, const std::vector<Edge>& edges, const std::vector<std::pair<int, int>>& cuts,
              TreeModelBuilder<Space>& work)
      : work_(work), depths_(work.links.size(), 0) {
    for (const Branch& branch : topology.tree) depths_[branch.body] = depths_[work.parents[branch.body]] + 1;
    for (const HeldJoint<Real>& held : work.held) add_closure(*held.joint, held.a, held.b, true);
    built().loops.clear();  // no loops so far
    for (const int joint : topology.loops)
      if (const DrawnJoint& closes = work.drawing.joints[joint]; !is_cut(edges[joint]) && edges[joint].rows > 0)
        add_closure(closes, work.links[closes.a], work.links[closes.b], false);
    for (const auto& [joint, link] : cuts) add_weld(work.drawing.joints[joint], link);
    for (const int joint : topology.loops)
      if (edges[joint].rows == 0 && !is_cut(edges[joint])) {  // its rows, if it has any, are formulas
        const DrawnJoint& free = work.drawing.joints[joint];
        const int a = work.links[free.a], b = work.links[free.b];
        work.add_reaction(free, a, b);
        add_loop_coordinates(free, frames(free, a, b));
      }
  }

 private:
  TreeModel<Space>& built() { return work_.built; }

  void add_weld(const DrawnJoint& joint, int part) {
    const int body = cut_body(joint);
    const Pose<Space> frame = work_.pose(Matrix3::Identity(), work_.drawing.bodies[body].position);
    Closure<Space> closure;
    closure.a = work_.links[body], closure.b = part;
    closure.on_a = work_.drawn[closure.a].inverse() * frame;
    closure.on_b = work_.drawn[closure.b].inverse() * frame;
    std::vector<JointRow> rows = joint_kind<Space>(JointType::fixed).rows;
    for (JointRow& row : rows) row.component = "cut_" + row.component;
    add_loop(joint, closure, rows, work_.drawing.bodies[body].name());
  }

  /// `a`, `b`: links that it joins; `held`: it is in the tree too.
  void add_closure(const DrawnJoint& joint, int a, int b, bool held) {
    const Closure<Space> closure = frames(joint, a, b);
    JointReaction<Space>& reaction = work_.add_reaction(joint, a, b);
    reaction.closure = static_cast<int>(built().closures.size());
    reaction.row = built().shape.m();
    if (!held) add_loop_coordinates(joint, closure);
    add_loop(joint, closure, joint_kind<Space>(joint.given->type).rows, "");
  }

  /// Without rows so far.
  Closure<Space> frames(const DrawnJoint& joint, int a, int b) const {
    Closure<Space> closure;
    closure.a = a, closure.b = b;
    closure.on_a = work_.drawn[a].inverse() * work_.pose(joint.frame, joint.at);
    closure.on_b = work_.drawn[b].inverse() * work_.pose(joint.frame, joint.to);
    closure.length = joint.length;
    closure.pitch = joint.pitch;
    return closure;
  }

  /// How far a joint that closes a loop has moved follows from the poses of its bodies: slides, the sum of all turns
  /// in the plane, the others but for whole turns.
  void add_loop_coordinates(const DrawnJoint& joint, const Closure<Space>& closure) {
    using enum LoopCoordinate::Shows;
    const std::string& name = joint.given->name;
    std::vector<Channel>& outputs = built().shape.outputs;
    built().loop_joints.push_back(closure);
    for (const JointFreedom& freedom : joint_kind<Space>(joint.given->type).freedoms) {
      LoopCoordinate coordinate;
      coordinate.joint = static_cast<int>(built().loop_joints.size()) - 1;
      coordinate.axis = freedom.axis;
      const int first = static_cast<int>(outputs.size());
      if (freedom.freedom == Freedom::ball) {
        coordinate.shows = rotation;
        for (const char* part : {".qw", ".qx", ".qy", ".qz"}) outputs.push_back({name + part, "", joint.given->where});
        built().shape.cyclic.push_back({first, 4});
      } else {
        outputs.push_back({name + "." + freedom.component, unit_of(freedom.freedom), joint.given->where});
      }
      if (freedom.freedom == Freedom::turn && Space::turns == 1) {
        coordinate.shows = LoopCoordinate::Shows::turns;
        coordinate.turns = turns_between(closure.a, closure.b, built().linkage);
      } else if (freedom.freedom == Freedom::turn && joint.pitch != 0.0) {
        coordinate.axis = 2, coordinate.scale = 1.0 / value_of(joint.pitch);  // a screw slides one pitch a radian
      } else if (freedom.freedom == Freedom::turn) {
        coordinate.shows = entry_of(joint.given->type).keys.second_axis ? pin_angle : angle;
        built().shape.cyclic.push_back({first, 1});
      }
      built().loop_coordinates.push_back(std::move(coordinate));
    }
  }

  void add_loop(const DrawnJoint& joint, Closure<Space> closure, const std::vector<JointRow>& rows,
                const std::string& through) {
    const std::string& name = joint.given->name;
    closure.rows = rows;
    closure.scale = joint.scale;
    for (const JointRow& row : rows)
      built().shape.rows.push_back({.name = name + "." + row.component,
                                    .owner = name,
                                    .component = row.component,
                                    .unit = unit_of(row.holds),
                                    .where = joint.given->where});
    built().paths.push_back(path_between(closure.a, closure.b, built().linkage));
    built().loops.push_back({name, around(joint), static_cast<int>(rows.size()), through});
    built().closures.push_back(closure);
  }

  /// The joints between the two bodies of a joint, from its first to its second.
  std::vector<std::string> around(const DrawnJoint& joint) const {
    std::vector<std::string> from_a, from_b;
    for (int a = joint.a, b = joint.b; a != b;) {
      const bool climb_a = depths_[a] >= depths_[b];
      int& body = climb_a ? a : b;
      (climb_a ? from_a : from_b).push_back(*work_.carriers[body]);
      body = work_.parents[body];
    }
    from_a.insert(from_a.end(), from_b.rbegin(), from_b.rend());
    return from_a;
  }

  TreeModelBuilder<Space>& work_;
  std::vector<int> depths_;  // of bodies
};

}  // namespace

template <class Space>
void add_loops(const Topology& topology, const std::vector<Edge>& edges, const std::vector<std::pair<int, int>>& cuts,
               TreeModelBuilder<Space>& work) {
  LoopBuilder<Space>(topology, edges, cuts, work);
}

template <class Space>
Path path_between(int a, int b, const Linkage<Space>& linkage) {
  Path result;
  while (a != b) {  // parents come first: the later of two links does not carry the other
    int& link = a > b ? a : b;
    const Link<Space>& passed = linkage.links[link];
    for (int j = passed.v; j < passed.v + passed.velocities; ++j) result.emplace_back(j, a > b ? -1.0 : 1.0);
    link = passed.parent;
  }
  std::ranges::sort(result);
  return result;
}

template <class Space>
CoordinateSum turns_between(int a, int b, const Linkage<Space>& linkage) {
  CoordinateSum sum;
  for (const auto& [v, sign] : path_between(a, b, linkage))
    if (const Link<Space>& link = linkage.links[linkage.link_of(v)]; link.freedom == Freedom::turn)
      sum.terms.push_back({link.q, v, sign * link.sign});
  return sum;
}

template void add_loops(const Topology&, const std::vector<Edge>&, const std::vector<std::pair<int, int>>&,
                        TreeModelBuilder<Planar>&);
template Path path_between(int, int, const Linkage<Planar>&);
template CoordinateSum turns_between(int, int, const Linkage<Planar>&);
template void add_loops(const Topology&, const std::vector<Edge>&, const std::vector<std::pair<int, int>>&,
                        TreeModelBuilder<Spatial>&);
template Path path_between(int, int, const Linkage<Spatial>&);
template CoordinateSum turns_between(int, int, const Linkage<Spatial>&);
template void add_loops(const Topology&, const std::vector<Edge>&, const std::vector<std::pair<int, int>>&,
                        TreeModelBuilder<PlanarOver<Dual>>&);
template Path path_between(int, int, const Linkage<PlanarOver<Dual>>&);
template CoordinateSum turns_between(int, int, const Linkage<PlanarOver<Dual>>&);
template void add_loops(const Topology&, const std::vector<Edge>&, const std::vector<std::pair<int, int>>&,
                        TreeModelBuilder<SpatialOver<Dual>>&);
template Path path_between(int, int, const Linkage<SpatialOver<Dual>>&);
template CoordinateSum turns_between(int, int, const Linkage<SpatialOver<Dual>>&);

}  // namespace maggi::mechanism
