#include "system/mechanism/tree/tree_model_builder.hpp"

#include <algorithm>

namespace maggi::mechanism {

namespace {

template <class Real>
Real rotational(const Matrix3Over<Real>& I, const PlanarOver<Real>&) {
  return I(2, 2);
}
template <class Real>
Matrix3Over<Real> rotational(const Matrix3Over<Real>& I, const SpatialOver<Real>&) {
  return I;
}

template <class Space>
class TreeBuilder {
 public:
  using Real = typename Space::Real;
  using DrawnBody = DrawnBodyOver<Real>;
  using DrawnJoint = DrawnJointOver<Real>;
  using Vector3 = Vector3Over<Real>;
  using Matrix3 = Matrix3Over<Real>;

  TreeBuilder(const Topology& topology, const std::vector<Edge>& edges, TreeModelBuilder<Space>& work) : work_(work) {
    const std::size_t bodies = work.drawing.bodies.size();
    work.links.assign(bodies, 0);
    work.parents.assign(bodies, -1);
    work.carriers.assign(bodies, nullptr);
    work.drawn.resize(1);
    shares_.assign(bodies, 1);
    for (const int joint : topology.loops)
      if (is_cut(edges[joint])) ++shares_[cut_body(work.drawing.joints[joint])];
    put_origin();
    for (const Branch& branch : topology.tree) add_branch(branch);
    for (const int joint : topology.loops)
      if (is_cut(edges[joint])) cuts.emplace_back(joint, add_part(joint));
    built().linkage.finish();
    for (std::size_t b = 1; b < bodies; ++b)
      built().bodies.push_back({work.drawing.bodies[b].name(), work.links[b], work.drawn[work.links[b]].R,
                                own_axes(work.drawing.bodies[b], work.drawn[work.links[b]].R)});
  }

  std::vector<std::pair<int, int>> cuts;  ///< joint, link of the part that hangs on it

 private:
  TreeModel<Space>& built() { return work_.built; }

  static typename Space::Rotation own_axes(const DrawnBody& body, const typename Space::Rotation& frame) {
    return frame.transpose() * rotation(body.turned, Space());
  }

  void put_origin() {
    Real mass = 0.0;
    Vector3 moment = Vector3::Zero();
    for (const DrawnBody& body : work_.drawing.bodies) mass += body.mass, moment += body.mass * body.position;
    if (mass > 0.0) built().linkage.origin = work_.linear(moment / mass);
    built().linkage.origin_in_model = work_.linear(work_.drawing.origin) + built().linkage.origin;
    built().linkage.gravity = work_.linear(work_.drawing.gravity);
  }

  int add_part(int joint) {
    const DrawnJoint& drawn = work_.drawing.joints[joint];
    const int body = cut_body(drawn), whole = work_.links[body];
    add_branch({joint, body, body == drawn.b});
    return std::exchange(work_.links[body], whole);
  }

  void add_branch(const Branch& branch) {
    const DrawnBody& body = work_.drawing.bodies[branch.body];
    DrawnJoint floating;
    floating.at = body.position;
    const bool floats = branch.edge < 0;
    const DrawnJoint& joint = floats ? floating : work_.drawing.joints[branch.edge];
    const std::string& owner = floats ? body.name() : joint.given->name;
    const Where& where = floats ? body.given->where : joint.given->where;
    const int parent_body = floats ? 0 : branch.forward ? joint.a : joint.b;
    const auto first = built().shape.coordinates.size();
    const bool held = !floats && joint.given->friction;
    const JointKind& kind = joint_kind<Space>(floats ? JointType::free : joint.given->type);
    const std::vector<JointFreedom> freedoms = held ? with_all(kind) : kind.freedoms;
    // coordinates are numbered as the joint has them, links as the tree passes them
    std::vector<Link<Space>> chain;
    for (const JointFreedom& freedom : freedoms) {
      const bool own =
          std::ranges::find(kind.freedoms, freedom.component, &JointFreedom::component) != kind.freedoms.end();
      Link<Space>& link =
          chain.emplace_back(new_link(freedom, own ? joint.pitch : Real(0.0), owner, floats ? ".body" : "", where));
      if (freedom.freedom != Freedom::ball) continue;
      link.own = own_axes(floats ? body : work_.drawing.bodies[joint.b], rotation(joint.frame, Space()));
    }
    if (!branch.forward) std::ranges::reverse(chain);
    if (chain.empty()) chain.push_back(Link<Space>{});
    add_chain(chain, work_.links[parent_body], work_.pose(joint.frame, joint.at), branch.forward ? 1.0 : -1.0);
    work_.links[branch.body] = static_cast<int>(built().linkage.links.size()) - 1;
    if (work_.parents[branch.body] < 0) work_.parents[branch.body] = parent_body, work_.carriers[branch.body] = &owner;
    put_body(body);
    if (floats && Space::turns == 3) built().spins.push_back(work_.links[branch.body]);

    MechanismSystem::Branch report{floats ? "" : owner, work_.drawing.bodies[parent_body].name(), body.name(), {}};
    for (auto i = first; i < built().shape.coordinates.size(); ++i)
      report.coordinates.push_back(built().shape.coordinates[i].name);
    built().tree.push_back(std::move(report));
    if (floats) return;
    if (held) return work_.held.push_back({&joint, work_.links[joint.a], work_.links[joint.b]});
    JointReaction<Space>& reaction = work_.add_reaction(joint, work_.links[joint.a], work_.links[joint.b]);
    reaction.link = work_.links[branch.body];
    reaction.sign = branch.forward ? 1.0 : -1.0;
  }

  /// A joint with friction joins the tree with the degrees of freedom that it forbids too; constraints hold them, so
  /// that their forces are known when friction asks for them. That of the cross of a universal joint lies between its
  /// pins.
  static std::vector<JointFreedom> with_all(const JointKind& kind) {
    std::vector<JointFreedom> all, own = kind.freedoms;
    for (const JointRow& row : kind.rows) {
      const JointFreedom freedom{is_rotation(row.holds) ? Freedom::turn : Freedom::slide, row.axis, row.component};
      if (row.holds == Holds::cross)
        own.insert(own.begin() + 1, freedom);
      else
        all.push_back(freedom);
    }
    all.insert(all.end(), own.begin(), own.end());
    return all;
  }

  /// Of what rotates freely the angular velocity, along own axes of a body, is named by the owner with `own`.
  Link<Space> new_link(const JointFreedom& freedom, const Real& pitch, const std::string& owner, const char* own,
                       const Where& where) {
    Shape& shape = built().shape;
    Link<Space> link;
    link.freedom = freedom.freedom;
    link.axis = freedom.axis;
    link.pitch = pitch;
    link.q = shape.nq();
    link.v = shape.n();
    if (freedom.freedom == Freedom::ball) {
      for (const char* part : {".qw", ".qx", ".qy", ".qz"}) shape.coordinates.push_back({owner + part, "", where});
      for (const char* part : {".wx", ".wy", ".wz"}) shape.velocities.push_back({owner + own + part, "rad/s", where});
      link.velocities = 3;
      shape.identity_rates = false;
    } else {
      const std::string unit = unit_of(freedom.freedom), name = owner + "." + freedom.component;
      shape.coordinates.push_back({name, unit, where});
      shape.velocities.push_back({name + "'", unit + "/s", where});
      link.velocities = 1;
    }
    return link;
  }

  void add_chain(std::vector<Link<Space>>& chain, int parent, const Pose<Space>& frame, double sign) {
    // as drawn every link of the chain lies in the frame of the joint; velocities are numbered in the order of links
    if (sign < 0) renumber(chain);
    for (Link<Space>& link : chain) {
      link.parent = parent;
      link.sign = sign;
      link.joined = &link == &chain.front() ? work_.drawn[parent].inverse() * frame : Pose<Space>{};
      parent = built().linkage.add(link);
      work_.drawn.push_back(frame);
    }
  }

  /// Numbers the coordinates of a chain, the last ones so far, in its order, and lists them so.
  void renumber(std::vector<Link<Space>>& chain) {
    if (chain.front().freedom == Freedom::none) return;
    Shape& shape = built().shape;
    int q = shape.nq(), v = shape.n();
    for (const Link<Space>& link : chain) q = std::min(q, link.q), v = std::min(v, link.v);
    const int first_q = q, first_v = v;
    const std::vector<Channel> coordinates(shape.coordinates.begin() + q, shape.coordinates.end());
    const std::vector<Channel> velocities(shape.velocities.begin() + v, shape.velocities.end());
    for (Link<Space>& link : chain) {
      const int values = link.freedom == Freedom::ball ? 4 : link.velocities;
      std::copy_n(coordinates.begin() + (link.q - first_q), values, shape.coordinates.begin() + q);
      std::copy_n(velocities.begin() + (link.v - first_v), link.velocities, shape.velocities.begin() + v);
      link.q = q, link.v = v;
      q += values, v += link.velocities;
    }
  }

  void put_body(const DrawnBody& body) {
    Link<Space>& link = built().linkage.links.back();
    const Pose<Space> inverse = work_.drawn.back().inverse();
    const double share = shares_[&body - work_.drawing.bodies.data()];
    link.carries_body = true;
    built().body_of.resize(built().linkage.links.size(), -1);
    built().body_of.back() = static_cast<int>(&body - work_.drawing.bodies.data()) - 1;
    link.m = body.mass / share;
    link.c = inverse * work_.linear(body.position);
    link.I = Space::turned(inverse.R, rotational(body.inertia, Space())) / share;
  }

  TreeModelBuilder<Space>& work_;
  std::vector<int> shares_;  // of bodies: into how many parts they are cut
};

}  // namespace

template <class Space>
std::vector<std::pair<int, int>> add_tree(const Topology& topology, const std::vector<Edge>& edges,
                                          TreeModelBuilder<Space>& work) {
  return TreeBuilder<Space>(topology, edges, work).cuts;
}

template std::vector<std::pair<int, int>> add_tree(const Topology&, const std::vector<Edge>&,
                                                   TreeModelBuilder<Planar>&);
template std::vector<std::pair<int, int>> add_tree(const Topology&, const std::vector<Edge>&,
                                                   TreeModelBuilder<Spatial>&);
template std::vector<std::pair<int, int>> add_tree(const Topology&, const std::vector<Edge>&,
                                                   TreeModelBuilder<PlanarOver<Dual>>&);
template std::vector<std::pair<int, int>> add_tree(const Topology&, const std::vector<Edge>&,
                                                   TreeModelBuilder<SpatialOver<Dual>>&);

}  // namespace maggi::mechanism
