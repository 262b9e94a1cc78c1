#include "system/mechanism/rounding/loop_block.hpp"

#include <algorithm>
#include <numeric>

#include "base/largest.hpp"
#include "system/mechanism/kinematics/quaternion.hpp"

namespace maggi::mechanism {

namespace {

/// Coordinates of the space, in the world.
Vector3 lifted(const double* x, const Planar&) { return {x[0], x[1], 0.0}; }
Vector3 lifted(const double* x, const Spatial&) { return {x[0], x[1], x[2]}; }
Vector3 rotation_vector(const double* x, const Planar&) { return {0.0, 0.0, x[0]}; }
Vector3 rotation_vector(const double* x, const Spatial&) { return {x[0], x[1], x[2]}; }

double turned_unit(const Planar::Rotation&, int /*axis*/, const Planar&) { return 1.0; }
Vector3 turned_unit(const Spatial::Rotation& R, int axis, const Spatial&) { return R.R.col(axis); }

/// Angular velocity w about the point x.
template <class Space>
Motion<Space> turning_about(const typename Space::Angular& w, const typename Space::Linear& x) {
  return {w, -Space::turn(w, x)};
}

}  // namespace

template <class Space>
LoopBlock<Space>::LoopBlock(const Drawing& drawing, std::vector<int> joints)
    : drawing_(drawing), joints_(std::move(joints)) {
  measure(drawing);
  choose_tree(drawing);
  for (const int joint : joints_) {
    const Joint& given = *drawing.joints[joint].given;
    const bool distance = given.type == JointType::distance;
    Part part{changes_, distance ? 2 * Space::axes : Space::axes, distance ? 0 : Space::turns,
              distance && !given.length.empty() ? 1 : 0};
    changes_ += part.count();
    parts_.push_back(part);
  }
  for (const int joint : loops_)
    m_ += static_cast<int>(joint_kind<Space>(drawing.joints[joints_[joint]].given->type).rows.size());
  held_.assign(joints_.size(), false);
  geometry_ = given_;
  build();
}

/// Origin and size of the block, and its geometry in units of this size.
template <class Space>
void LoopBlock<Space>::measure(const Drawing& drawing) {
  std::vector<Vector3> points;
  for (const int joint : joints_) {
    const DrawnJoint& drawn = drawing.joints[joint];
    points.push_back(drawn.at);
    if (drawn.given->type == JointType::distance) points.push_back(drawn.to);
    for (const int body : {drawn.a, drawn.b})
      if (std::ranges::find(bodies_, body) == bodies_.end()) bodies_.push_back(body);
  }
  std::ranges::sort(bodies_);
  origin_ = points.front();
  Largest distance, remote;
  for (const Vector3& x : points) {
    remote.note(drawing.origin + x);
    for (const Vector3& y : points) distance.note((x - y).norm());
  }
  for (const int body : bodies_)
    if (distance.value() == 0.0 && body > 0) distance.note((drawing.bodies[body].position - origin_).norm());
  if (distance.value() > 0.0) size_ = distance.value();
  remote_ = remote.value() / size_;
  for (const int joint : joints_) {
    const DrawnJoint& drawn = drawing.joints[joint];
    given_.push_back({(drawn.at - origin_) / size_, (drawn.to - origin_) / size_, drawn.frame, drawn.length / size_});
  }
}

/// Joints with the most rows first, in the order of the model: a spanning tree from the ground, or from the first body.
template <class Space>
void LoopBlock<Space>::choose_tree(const Drawing& drawing) {
  const auto number = [&](int body) {
    return static_cast<int>(std::ranges::lower_bound(bodies_, body) - bodies_.begin());
  };
  std::vector<int> order(joints_.size()), group(bodies_.size());
  std::iota(order.begin(), order.end(), 0);
  std::iota(group.begin(), group.end(), 0);
  const auto rank = [&](int joint) {
    const JointKind kind = joint_kind<Space>(drawing.joints[joints_[joint]].given->type);
    return kind.in_tree ? static_cast<int>(kind.rows.size()) : -1;
  };
  std::ranges::stable_sort(order, std::greater{}, rank);
  std::vector<bool> in_tree(joints_.size(), false);
  for (const int joint : order) {
    const int a = group[number(drawing.joints[joints_[joint]].a)], b = group[number(drawing.joints[joints_[joint]].b)];
    if (a == b || rank(joint) < 0) continue;
    in_tree[joint] = true;
    std::ranges::replace(group, b, a);
  }
  std::vector<bool> reached(bodies_.size(), false);
  std::vector<int> queue{0};
  reached[0] = true;
  for (std::size_t next = 0;; ++next) {
    if (next == queue.size()) {  // what only distances hold floats
      const auto loose = std::ranges::find(reached, false);
      if (loose == reached.end()) break;
      *loose = true;
      queue.push_back(static_cast<int>(loose - reached.begin()));
      tree_.push_back({-1, 0, queue.back(), true});
    }
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const int a = number(drawing.joints[joints_[j]].a), b = number(drawing.joints[joints_[j]].b);
      const bool forward = a == queue[next];
      if (!in_tree[j] || (!forward && b != queue[next]) || reached[forward ? b : a]) continue;
      reached[forward ? b : a] = true;
      queue.push_back(forward ? b : a);
      tree_.push_back({static_cast<int>(j), queue[next], queue.back(), forward});
    }
  }
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (!in_tree[j]) loops_.push_back(static_cast<int>(j));
}

template <class Space>
void LoopBlock<Space>::build() {
  linkage_ = {};
  reference_.clear();
  closures_.clear();
  drawn_.assign(1, {});
  link_of_body_.assign(bodies_.size(), 0);
  tree_joints_.assign(1, {});
  for (const Step& step : tree_) {
    const bool floats = step.joint < 0;
    const DrawnJoint* joint = floats ? nullptr : &drawing_.joints[joints_[step.joint]];
    const JointGeometry geometry = floats ? JointGeometry{} : geometry_[step.joint];
    const int parent = link_of_body_[step.parent];
    const int link = hang(joint_kind<Space>(floats ? JointType::free : joint->given->type), parent,
                          pose<Space>(geometry.frame, geometry.at), step.forward, floats ? 0.0 : joint->pitch / size_);
    link_of_body_[step.child] = link;
    tree_joints_.resize(link + 1);
    tree_joints_[link] = tree_joints_[parent];
    if (floats) continue;
    tree_joints_[link].push_back(step.joint);
  }
  linkage_.finish();
  state_ = linkage_.state();
  for (const int joint : loops_) close(joint);
  rows_.resize(m_);
  f_ = Vector::Zero(m_);
  C_ = Matrix::Zero(m_, n());
}

/// The links of a joint after their parent; returns the last.
template <class Space>
int LoopBlock<Space>::hang(const JointKind& kind, int parent, const Pose<Space>& frame, bool forward, double pitch) {
  std::vector<Link<Space>> chain;
  for (const JointFreedom& freedom : kind.freedoms) {
    Link<Space>& link = chain.emplace_back();
    link.freedom = freedom.freedom;
    link.axis = freedom.axis;
    link.pitch = freedom.freedom == Freedom::turn ? pitch : 0.0;
    link.velocities = freedom.freedom == Freedom::ball ? 3 : 1;
  }
  if (!forward) std::ranges::reverse(chain);
  if (chain.empty()) chain.emplace_back();
  int velocity = 0;
  for (const Link<Space>& link : linkage_.links) velocity += link.velocities;
  for (Link<Space>& link : chain) {
    link.joined = &link == &chain.front() ? drawn_[parent].inverse() * frame : Pose<Space>{};
    link.parent = parent;
    link.sign = forward ? 1.0 : -1.0;
    link.q = static_cast<int>(reference_.size());
    link.v = velocity;
    velocity += link.velocities;
    if (link.freedom != Freedom::none) reference_.push_back(link.freedom == Freedom::ball ? 1.0 : 0.0);
    if (link.freedom == Freedom::ball) reference_.insert(reference_.end(), 3, 0.0);
    parent = linkage_.add(link);
    drawn_.push_back(frame);
  }
  return parent;
}

template <class Space>
void LoopBlock<Space>::close(int j) {
  const DrawnJoint& joint = drawing_.joints[joints_[j]];
  const auto link = [&](int body) { return link_of_body_[std::ranges::lower_bound(bodies_, body) - bodies_.begin()]; };
  Closure<Space> closure;
  closure.a = link(joint.a), closure.b = link(joint.b);
  closure.on_a = drawn_[closure.a].inverse() * pose<Space>(geometry_[j].frame, geometry_[j].at);
  closure.on_b = drawn_[closure.b].inverse() * pose<Space>(geometry_[j].frame, geometry_[j].to);
  closure.length = geometry_[j].length;
  closure.pitch = joint.pitch / size_;
  closure.rows = joint_kind<Space>(joint.given->type).rows;
  closures_.push_back(closure);
}

template <class Space>
void LoopBlock<Space>::move(Configuration& q, const Vector& displacement) const {
  for (const Link<Space>& link : linkage_.links) {
    if (link.freedom == Freedom::none) continue;
    if (link.freedom == Freedom::ball) {
      const Eigen::Vector4d turned = turned_quaternion(q.data() + link.q, displacement.segment<3>(link.v));
      std::copy_n(turned.data(), 4, q.begin() + link.q);
    } else {
      q[link.q] += displacement[link.v];
    }
  }
}

template <class Space>
void LoopBlock<Space>::evaluate(const Configuration& q) {
  linkage_.positions(q.data(), state_);
  ClosureRow<Space>* row = rows_.data();
  C_.setZero();
  int i = 0;
  for (const Closure<Space>& closure : closures_) {
    closure.evaluate(state_, false, row);
    for (std::size_t k = 0; k < closure.rows.size(); ++k, ++i, ++row) {
      f_[i] = row->f;
      for (const int j : linkage_.moving(closure.b)) C_(i, j) += row->W.dot(state_.S[j]);
      for (const int j : linkage_.moving(closure.a)) C_(i, j) -= row->W.dot(state_.S[j]);
    }
  }
}

template <class Space>
void LoopBlock<Space>::hold(const std::vector<bool>& held) {
  for (std::size_t j = 0; j < joints_.size(); ++j) held_[j] = held[joints_[j]];
}

template <class Space>
JointGeometry LoopBlock<Space>::changed(int joint, const Vector& p) const {
  const Part& part = parts_[joint];
  const double* x = p.data() + part.first;
  const bool distance = part.turns == 0;
  JointGeometry geometry = given_[joint];
  geometry.at += lifted(x, Space());
  geometry.to += lifted(distance ? x + Space::axes : x, Space());
  if (distance) {
    geometry.length = part.lengths > 0 ? geometry.length + x[part.points] : (geometry.to - geometry.at).norm();
  } else if (const Vector3 turn = rotation_vector(x + part.points, Space()); turn.norm() > 0.0) {
    geometry.frame = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix() * geometry.frame;
  }
  return geometry;
}

template <class Space>
void LoopBlock<Space>::change(const Vector& p) {
  for (int j = 0; j < static_cast<int>(joints_.size()); ++j) geometry_[j] = changed(j, p);
  build();
}

/// How a frame that a body carries in the reference configuration at `at` moves for each change of it: displaced along
/// the axes, then, if `turning`, turned about itself.
template <class Space>
std::vector<Motion<Space>> LoopBlock<Space>::twists(int link, const Vector3& at, bool turning) const {
  const typename Space::Rotation R = state_.pose[link].R * drawn_[link].R.transpose();
  const typename Space::Linear x = state_.pose[link] * (drawn_[link].inverse() * linear(at, Space()));
  std::vector<Twist> result;
  for (int k = 0; k < Space::axes; ++k)
    result.push_back({Space::zero(), R * linear(Vector3(Vector3::Unit(k)), Space())});
  for (int k = 0; turning && k < Space::turns; ++k)
    result.push_back(turning_about<Space>(turned_unit(R, k, Space()), x));
  return result;
}

template <class Space>
Matrix LoopBlock<Space>::f_by_changes() const {
  Matrix F = Matrix::Zero(m_, changes_);
  // a joint of the tree at P: what it carries moves as the frame at P on its parent, less as that on its child
  std::vector<std::vector<Twist>> carried(joints_.size());
  for (const Step& step : tree_) {
    if (step.joint < 0) continue;
    const int j = step.joint;
    const std::vector<Twist> before = twists(link_of_body_[step.parent], geometry_[j].at, true);
    const std::vector<Twist> behind = twists(link_of_body_[step.child], geometry_[j].at, true);
    for (std::size_t k = 0; k < before.size(); ++k) carried[j].push_back(before[k] - behind[k]);
  }
  int i = 0;
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    const int j = loops_[l];
    const Closure<Space>& closure = closures_[l];
    const Part& part = parts_[j];
    const bool distance = part.turns == 0;
    const std::vector<Twist> on_a = twists(closure.a, geometry_[j].at, !distance),
                             on_b = twists(closure.b, geometry_[j].to, !distance);
    const Vector3 drawn = (geometry_[j].to - geometry_[j].at).normalized();
    for (std::size_t k = 0; k < closure.rows.size(); ++k, ++i) {
      const Wrench<Space>& W = rows_[i].W;
      for (const auto& [link, sign] : {std::pair{closure.a, -1.0}, std::pair{closure.b, 1.0}})
        for (const int joint : tree_joints_[link])
          for (std::size_t c = 0; c < carried[joint].size(); ++c)
            F(i, parts_[joint].first + static_cast<int>(c)) += sign * W.dot(carried[joint][c]);
      for (std::size_t c = 0; c < on_a.size(); ++c) {
        const int column = part.first + static_cast<int>(c);
        F(i, column) -= W.dot(on_a[c]);
        F(i, column + (distance ? Space::axes : 0)) += W.dot(on_b[c]);
      }
      if (!distance) continue;
      for (int c = 0; part.lengths == 0 && c < Space::axes; ++c) {  // the length is the one drawn
        F(i, part.first + c) += drawn[c];
        F(i, part.first + Space::axes + c) -= drawn[c];
      }
      if (part.lengths > 0) F(i, part.first + part.points) = -1.0;
    }
  }
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (const Part& part = parts_[j]; held_[j]) F.middleCols(part.first, part.count()).setZero();
  return F;
}

template class LoopBlock<Planar>;
template class LoopBlock<Spatial>;

}  // namespace maggi::mechanism
