#include "system/mechanism/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "maggi/base/names.hpp"
#include "system/mechanism/scene.hpp"
#include "system/mechanism/topology.hpp"

namespace maggi::mechanism {

namespace {

double rotational(const Matrix3& I, const Planar&) { return I(2, 2); }
Matrix3 rotational(const Matrix3& I, const Spatial&) { return I; }

template <class Space>
class Builder {
 public:
  Builder(const Model& model, const Numbers& numbers, const Drawing& drawing, const Formulas& formulas)
      : model_(model), number_(numbers), drawing_(drawing), formulas_(formulas) {
    links_.resize(drawing.bodies.size());
    drawn_.resize(1);
    const std::vector<Edge> edges = this->edges();
    const Topology topology = find_topology(static_cast<int>(drawing.bodies.size()), edges);
    shares_.assign(drawing.bodies.size(), 1);
    for (const int joint : topology.loops)
      if (is_welded(joint, edges)) ++shares_[hung(drawing.joints[joint])];
    put_origin();
    for (const Branch& branch : topology.tree) add_branch(branch);
    std::vector<std::pair<int, int>> welds;  // joint, link of the part that hangs on it
    for (const int joint : topology.loops)
      if (is_welded(joint, edges)) welds.emplace_back(joint, add_part(joint));
    built_.linkage.finish();
    for (std::size_t b = 1; b < drawing.bodies.size(); ++b)
      built_.bodies.push_back({drawing.bodies[b].name(), links_[b], drawn_[links_[b]].R});
    for (const HeldJoint& held : held_) add_closure(*held.joint, held.a, held.b, true);
    built_.loops.clear();  // no loops so far
    for (const int joint : topology.loops)
      if (const DrawnJoint& closes = drawing.joints[joint]; !is_welded(joint, edges) && edges[joint].rows > 0)
        add_closure(closes, links_[closes.a], links_[closes.b], false);
    for (const auto& [joint, link] : welds) add_weld(drawing.joints[joint], link);
    for (const int joint : topology.loops)
      if (edges[joint].rows == 0) {  // its rows are formulas
        const DrawnJoint& rolls = drawing.joints[joint];
        built_.reactions.push_back({point(rolls.b, rolls.at), -1, 1.0, -1, 0, false, axes(rolls)});
        reaction_of_.push_back(&rolls);
      }
    for (const DrawnSpring& spring : drawing.springs) add_spring(spring);
    for (const JointForce& force : model.mechanism.joint_forces)
      if (numbers.covers(force.force)) add_force(force);
    for (const Quantity& quantity : formulas.quantities())
      if (quantity.kind == Quantity::Kind::row) add_gauge(quantity);
    for (const Quantity& quantity : formulas.quantities())
      if (quantity.kind != Quantity::Kind::row) add_sum(quantity);
    add_outputs();
    fill_shape();
    fill_start();
    check_inertia();
    add_scene(drawing, links_, drawn_, built_);
  }

  Assembly<Space> take() { return std::move(built_); }

 private:
  using Linear = typename Space::Linear;

  static Linear linear(const Vector3& x) { return mechanism::linear(x, Space()); }
  static Pose<Space> pose(const Matrix3& R, const Vector3& p) { return mechanism::pose<Space>(R, p); }

  std::vector<Edge> edges() const {
    std::vector<Edge> result;
    for (const DrawnJoint& joint : drawing_.joints) {
      const JointKind kind = joint_kind<Space>(joint.given->type);
      const Joint& given = *joint.given;
      const bool moved = std::ranges::any_of(model_.mechanism.joint_forces,
                                             [&](const JointForce& f) { return f.joint.name == given.name; });
      result.push_back({.a = joint.a,
                        .b = joint.b,
                        .rows = static_cast<int>(kind.rows.size()),
                        .in_tree = kind.in_tree,
                        .loop = given.loop,
                        .wanted = moved || !given.start.empty() || !given.guess.empty() || !given.speed.empty() ||
                                  formulas_.uses_coordinates_of(given.name)});
    }
    return result;
  }

  void put_origin() {
    double mass = 0.0;
    Vector3 moment = Vector3::Zero();
    for (const DrawnBody& body : drawing_.bodies) mass += body.mass, moment += body.mass * body.position;
    if (mass > 0.0) built_.linkage.origin = linear(moment / mass);
    built_.linkage.gravity = linear(drawing_.gravity);
  }

  // ---- the tree

  /// A joint that closes a loop and whose coordinates are needed joins the tree all the same: the body behind it is cut
  /// in two parts with equal shares of its mass, which are welded together again.
  static bool is_welded(int joint, const std::vector<Edge>& edges) {
    return edges[joint].wanted && edges[joint].in_tree;
  }
  static int hung(const DrawnJoint& joint) { return joint.b > 0 ? joint.b : joint.a; }

  int add_part(int joint) {
    const DrawnJoint& drawn = drawing_.joints[joint];
    const int body = hung(drawn), whole = links_[body];
    add_branch({joint, body, body == drawn.b});
    return std::exchange(links_[body], whole);
  }

  void add_weld(const DrawnJoint& joint, int part) {
    const int body = hung(joint);
    const Pose<Space> frame = pose(Matrix3::Identity(), drawing_.bodies[body].position);
    Closure<Space> closure;
    closure.a = links_[body], closure.b = part;
    closure.on_a = drawn_[closure.a].inverse() * frame;
    closure.on_b = drawn_[closure.b].inverse() * frame;
    closure.rows = joint_kind<Space>(JointType::fixed).rows;
    for (JointRow& row : closure.rows) row.component = "cut_" + row.component;
    add_loop(joint, std::move(closure), drawing_.bodies[body].name());
  }

  void add_branch(const Branch& branch) {
    const DrawnBody& body = drawing_.bodies[branch.body];
    DrawnJoint floating;
    floating.at = body.position;
    const bool floats = branch.edge < 0;
    const DrawnJoint& joint = floats ? floating : drawing_.joints[branch.edge];
    const std::string& owner = floats ? body.name() : joint.given->name;
    const Where& where = floats ? body.given->where : joint.given->where;
    const int parent_body = floats ? 0 : branch.forward ? joint.a : joint.b;
    const auto first = built_.shape.coordinates.size();
    const bool held = !floats && joint.given->friction;
    const JointKind kind = joint_kind<Space>(floats ? JointType::free : joint.given->type);
    const std::vector<JointFreedom> freedoms = held ? with_all(kind) : kind.freedoms;
    // coordinates are numbered as the joint has them, links as the tree passes them
    std::vector<Link<Space>> chain;
    for (const JointFreedom& freedom : freedoms) {
      const bool own =
          std::ranges::find(kind.freedoms, freedom.component, &JointFreedom::component) != kind.freedoms.end();
      chain.push_back(new_link(freedom, own ? joint.pitch : 0.0, owner, where));
    }
    if (!branch.forward) std::ranges::reverse(chain);
    if (chain.empty()) chain.push_back(Link<Space>{});
    add_chain(chain, links_[parent_body], pose(joint.frame, joint.at), branch.forward ? 1.0 : -1.0);
    links_[branch.body] = static_cast<int>(built_.linkage.links.size()) - 1;
    put_body(body);

    MechanismSystem::Branch report{floats ? "" : owner, drawing_.bodies[parent_body].name(), body.name(), {}};
    for (auto i = first; i < built_.shape.coordinates.size(); ++i)
      report.coordinates.push_back(built_.shape.coordinates[i].name);
    built_.tree.push_back(std::move(report));
    if (floats) return;
    if (held) return held_.push_back({&joint, links_[joint.a], links_[joint.b]});
    const int link = links_[branch.body];
    built_.reactions.push_back(
        {point(joint.b, joint.at), link, branch.forward ? 1.0 : -1.0, -1, 0, false, axes(joint)});
    reaction_of_.push_back(&joint);
  }

  /// A joint with friction joins the tree with the freedoms that it forbids too; constraints hold them, so that their
  /// forces are known when friction asks for them. That of the cross of a universal joint lies between its pins.
  static std::vector<JointFreedom> with_all(const JointKind& kind) {
    std::vector<JointFreedom> all, own = kind.freedoms;
    for (const JointRow& row : kind.rows) {
      const JointFreedom freedom{unit_of(row.holds) == "m" ? Freedom::slide : Freedom::turn, row.axis, row.component};
      if (row.holds == Holds::cross)
        own.insert(own.begin() + 1, freedom);
      else
        all.push_back(freedom);
    }
    all.insert(all.end(), own.begin(), own.end());
    return all;
  }

  Link<Space> new_link(const JointFreedom& freedom, double pitch, const std::string& owner, const Where& where) {
    Shape& shape = built_.shape;
    Link<Space> link;
    link.freedom = freedom.freedom;
    link.axis = freedom.axis;
    link.pitch = pitch;
    link.q = shape.nq();
    link.v = shape.n();
    if (freedom.freedom == Freedom::ball) {
      for (const char* part : {".qw", ".qx", ".qy", ".qz"}) shape.coordinates.push_back({owner + part, "", where});
      for (const char* part : {".wx", ".wy", ".wz"}) shape.velocities.push_back({owner + part, "rad/s", where});
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
      link.joined = &link == &chain.front() ? drawn_[parent].inverse() * frame : Pose<Space>{};
      parent = built_.linkage.add(link);
      drawn_.push_back(frame);
    }
  }

  /// Numbers the coordinates of a chain in its order, and lists them so.
  void renumber(std::vector<Link<Space>>& chain) {
    Shape& shape = built_.shape;
    int q = shape.nq(), v = shape.n();
    for (const Link<Space>& link : chain) q = std::min(q, link.q), v = std::min(v, link.v);
    const std::vector<Channel> coordinates = shape.coordinates, velocities = shape.velocities;
    for (Link<Space>& link : chain) {
      const int values = link.freedom == Freedom::ball ? 4 : link.velocities;
      std::copy_n(coordinates.begin() + link.q, values, shape.coordinates.begin() + q);
      std::copy_n(velocities.begin() + link.v, link.velocities, shape.velocities.begin() + v);
      link.q = q, link.v = v;
      q += values, v += link.velocities;
    }
  }

  void put_body(const DrawnBody& body) {
    Link<Space>& link = built_.linkage.links.back();
    const Pose<Space> inverse = drawn_.back().inverse();
    const double share = shares_[&body - drawing_.bodies.data()];
    link.carries_body = true;
    link.m = body.mass / share;
    link.c = inverse * linear(body.position);
    link.I = Space::turned(inverse.R, rotational(body.inertia, Space())) / share;
  }

  LinkPoint<Space> point(int body, const Vector3& at) const {
    return {links_[body], drawn_[links_[body]].inverse() * linear(at)};
  }

  /// Where the axes are along which the reaction of a joint is given.
  std::pair<int, typename Space::Rotation> axes(const DrawnJoint& joint) const {
    const ReactionFrame frame = model_.mechanism.reaction_frame;
    if (frame == ReactionFrame::world) return {0, {}};
    const int link = links_[frame == ReactionFrame::joint ? joint.a : joint.b];
    const Pose<Space> drawn =
        pose(frame == ReactionFrame::joint ? joint.frame : drawing_.bodies[joint.b].turned, joint.at);
    return {link, (drawn_[link].inverse() * drawn).R};
  }

  // ---- loops

  /// `a`, `b`: links that it joins; `held`: it is in the tree too.
  void add_closure(const DrawnJoint& joint, int a, int b, bool held) {
    Closure<Space> closure;
    closure.a = a, closure.b = b;
    closure.on_a = drawn_[a].inverse() * pose(joint.frame, joint.at);
    closure.on_b = drawn_[b].inverse() * pose(joint.frame, joint.to);
    closure.rows = joint_kind<Space>(joint.given->type).rows;
    closure.length = joint.length;
    closure.pitch = joint.pitch;
    built_.reactions.push_back({{b, drawn_[b].inverse() * linear(joint.to)},
                                -1,
                                1.0,
                                static_cast<int>(built_.closures.size()),
                                built_.shape.m(),
                                false,
                                axes(joint)});
    reaction_of_.push_back(&joint);
    if (!held) add_loop_coordinates(joint, closure);
    add_loop(joint, std::move(closure), "");
  }

  /// How far a joint that closes a loop has moved follows from the poses of its bodies: slides, the sum of all turns
  /// in the plane, the others but for whole turns.
  void add_loop_coordinates(const DrawnJoint& joint, const Closure<Space>& closure) {
    using enum LoopCoordinate::Shows;
    const std::string& name = joint.given->name;
    std::vector<Channel>& outputs = built_.shape.outputs;
    for (const JointFreedom& freedom : joint_kind<Space>(joint.given->type).freedoms) {
      LoopCoordinate coordinate;
      coordinate.closure = static_cast<int>(built_.closures.size());
      coordinate.axis = freedom.axis;
      const int first = static_cast<int>(outputs.size());
      if (freedom.freedom == Freedom::ball) {
        coordinate.shows = rotation;
        for (const char* part : {".qw", ".qx", ".qy", ".qz"}) outputs.push_back({name + part, "", joint.given->where});
        built_.shape.cyclic.push_back({first, 4});
      } else {
        outputs.push_back({name + "." + freedom.component, unit_of(freedom.freedom), joint.given->where});
      }
      if (freedom.freedom == Freedom::turn && Space::turns == 1) {
        coordinate.shows = LoopCoordinate::Shows::turns;
        coordinate.turns = this->turns(closure);
      } else if (freedom.freedom == Freedom::turn && joint.pitch != 0.0) {
        coordinate.axis = 2, coordinate.scale = 1.0 / joint.pitch;  // a screw slides one pitch a radian
      } else if (freedom.freedom == Freedom::turn) {
        coordinate.shows = joint.given->type == JointType::universal ? pin_angle : angle;
        built_.shape.cyclic.push_back({first, 1});
      }
      built_.loop_coordinates.push_back(std::move(coordinate));
    }
  }

  void add_loop(const DrawnJoint& joint, Closure<Space> closure, const std::string& through) {
    const std::string& name = joint.given->name;
    for (const JointRow& row : closure.rows)
      built_.shape.rows.push_back({.name = name + "." + row.component,
                                   .owner = name,
                                   .component = row.component,
                                   .unit = unit_of(row.holds),
                                   .where = joint.given->where});
    built_.paths.push_back(path(closure));
    built_.loops.push_back({name, around(joint), static_cast<int>(closure.rows.size()), through});
    built_.closures.push_back(std::move(closure));
  }

  /// Velocities that move one of the two links but not both.
  Path path(const Closure<Space>& closure) const {
    const std::vector<int>&a = built_.linkage.moving(closure.a), &b = built_.linkage.moving(closure.b);
    Path result;
    for (const int j : a)
      if (!std::ranges::binary_search(b, j)) result.emplace_back(j, -1.0);
    for (const int j : b)
      if (!std::ranges::binary_search(a, j)) result.emplace_back(j, 1.0);
    std::ranges::sort(result);
    return result;
  }

  std::vector<std::string> to_ground(int body) const {
    std::vector<std::string> joints;
    for (std::string name = drawing_.bodies[body].name(); name != drawing_.bodies[0].name();) {
      const auto branch = std::ranges::find(built_.tree, name, &MechanismSystem::Branch::body);
      joints.push_back(branch->joint.empty() ? branch->body : branch->joint);
      name = branch->parent;
    }
    return joints;
  }

  std::vector<std::string> around(const DrawnJoint& joint) const {
    std::vector<std::string> a = to_ground(joint.a), b = to_ground(joint.b);
    while (!a.empty() && !b.empty() && a.back() == b.back()) a.pop_back(), b.pop_back();
    a.insert(a.end(), b.rbegin(), b.rend());
    return a;
  }

  // ---- quantities

  void add_gauge(const Quantity& quantity) {
    Closure<Space> gauge;
    gauge.a = links_[quantity.a], gauge.b = links_[quantity.b];
    gauge.on_a = drawn_[gauge.a].inverse() * pose(quantity.frame_a, quantity.at_a);
    gauge.on_b = drawn_[gauge.b].inverse() * pose(quantity.frame_b, quantity.at_b);
    gauge.rows = {quantity.row};
    gauge.length = quantity.length;
    const auto owner = std::ranges::find_if(
        reaction_of_, [&](const DrawnJoint* joint) { return joint->given->name == quantity.joint; });
    built_.gauge_reactions.push_back(owner == reaction_of_.end() ? -1 : static_cast<int>(owner - reaction_of_.begin()));
    built_.gauge_paths.push_back(path(gauge));
    built_.gauges.push_back(std::move(gauge));
  }

  void add_sum(const Quantity& quantity) {
    CoordinateSum sum;
    if (quantity.kind == Quantity::Kind::coordinate) {
      const std::size_t dot = quantity.name.find('.');
      const int v = coordinate({quantity.name.substr(0, dot), quantity.where}, quantity.name.substr(dot + 1),
                               quantity.where, "a formula");
      sum.terms.push_back({quantity.rate_only ? -1 : coordinate_of(v), v, 1.0});
      show_torque(quantity.name.substr(0, dot), v);
    } else {  // turns on the way from a to b
      Closure<Space> ends;
      ends.a = links_[quantity.a], ends.b = links_[quantity.b];
      sum = turns(ends);
    }
    built_.sums.push_back(std::move(sum));
  }

  CoordinateSum turns(const Closure<Space>& ends) const {
    CoordinateSum sum;
    for (const auto& [v, sign] : path(ends))
      if (const Link<Space>& link = built_.linkage.links[built_.linkage.link_of(v)]; link.freedom == Freedom::turn)
        sum.terms.push_back({link.q, v, sign * link.sign});
    return sum;
  }

  // ---- forces

  void add_spring(const DrawnSpring& spring) {
    built_.springs.push_back({point(spring.a, spring.from), point(spring.b, spring.to), spring.stiffness,
                              spring.damping, spring.force, spring.length});
    if (spring.damping != 0.0) dampers_.push_back(spring.given->name);
  }

  void add_force(const JointForce& given) {
    const int i = coordinate(given.joint, given.component, given.where, "a force");
    const auto number = [&](const Formula& formula, const char* what) {
      return formula.empty() ? 0.0 : number_(formula, fmt::format("{} of \"{}\"", what, given.name));
    };
    const CoordinateForce force{coordinate_of(i),
                                i,
                                number(given.stiffness, "the stiffness"),
                                number(given.damping, "the damping"),
                                number(given.force, "the force"),
                                number(given.rest, "the rest position")};
    built_.forces.push_back(force);
    if (force.damping != 0.0) dampers_.push_back(given.name);
    show_torque(given.joint.name, i);
  }

  /// Forces along a turning coordinate are part of the reaction of its joint.
  void show_torque(const std::string& joint, int velocity) {
    for (std::size_t k = 0; k < reaction_of_.size(); ++k)
      if (reaction_of_[k]->given->name == joint && unit_of_velocity(velocity) == "rad/s")
        built_.reactions[k].torque = true;
  }

  std::string unit_of_velocity(int i) const { return built_.shape.velocities[i].unit; }

  /// The coordinate of a velocity that is its rate.
  int coordinate_of(int velocity) const {
    const Link<Space>& link = built_.linkage.links[built_.linkage.link_of(velocity)];
    return link.q + velocity - link.v;
  }

  /// Is this one of the freedoms that a joint with friction forbids?
  bool is_held(const std::string& joint, const std::string& component) const {
    const auto held =
        std::ranges::find_if(held_, [&](const HeldJoint& each) { return each.joint->given->name == joint; });
    if (held == held_.end()) return false;
    const std::vector<JointFreedom> own = joint_kind<Space>(held->joint->given->type).freedoms;
    const bool turns_freely = std::ranges::find(own, Freedom::ball, &JointFreedom::freedom) != own.end();
    if (turns_freely && component.size() == 2 && (component[0] == 'w' || component[0] == 'q')) return false;
    return std::ranges::find(own, component, &JointFreedom::component) == own.end();
  }

  /// The velocity along a coordinate of a joint in the tree.
  int coordinate(const Reference& joint, const std::string& component, const Where& where,
                 std::string_view what) const {
    std::vector<std::string> names, components;
    for (const Joint& j : model_.mechanism.joints) names.push_back(j.name);
    for (const Body& b : model_.mechanism.bodies) names.push_back(b.name);  // those that float have coordinates
    if (std::ranges::find(names, joint.name) == names.end())
      throw Error(Errc::model, joint.where, fmt::format("no joint is named \"{}\"", joint.name),
                  suggest_name(joint.name, names));
    int only = -1, count = 0;
    const std::string prefix = joint.name + ".";
    for (int i = 0; i < built_.shape.n(); ++i) {
      std::string name = built_.shape.velocities[i].name;
      if (!name.starts_with(prefix)) continue;
      name.erase(0, prefix.size());
      if (name.ends_with('\'')) name.pop_back();
      if (is_held(joint.name, name)) continue;
      if (name == component) return i;
      components.push_back(name);
      only = i, ++count;
    }
    if (count == 0)
      throw Error(Errc::model, where,
                  fmt::format("{} along \"{}\" is not possible: it has no coordinates", what, joint.name),
                  "use another joint of the loop, or markers of the bodies");
    if (component.empty() && count == 1) return only;
    if (component.empty())
      throw Error(Errc::model, where, fmt::format("\"{}\" has {} coordinates", joint.name, count),
                  fmt::format("say which: {}", list_names(components, false)));
    throw Error(Errc::model, where, fmt::format("\"{}\" has no coordinate \"{}\"", joint.name, component),
                suggest_name(component, components));
  }

  // ---- what is seen from outside

  void add_outputs() {
    const std::vector<std::string> axes =
        Space::axes == 2 ? std::vector<std::string>{".x", ".y"} : std::vector<std::string>{".x", ".y", ".z"};
    for (std::size_t b = 1; b < drawing_.bodies.size(); ++b)
      for (std::size_t k = 0; k < drawing_.bodies[b].markers.size(); ++k) {
        const Marker& marker = drawing_.bodies[b].given->markers[k];
        built_.markers.push_back(point(static_cast<int>(b), drawing_.bodies[b].markers[k]));
        for (const std::string& axis : axes)
          built_.shape.outputs.push_back({drawing_.bodies[b].name() + "." + marker.name + axis, "m", marker.where});
      }
    for (std::size_t k = 0; k < built_.reactions.size(); ++k) {
      const DrawnJoint& joint = *reaction_of_[k];
      const JointKind kind = joint_kind<Space>(joint.given->type);
      bool& torque = built_.reactions[k].torque;
      torque =
          torque || std::ranges::any_of(kind.rows, [](const JointRow& row) { return unit_of(row.holds) == "rad"; });
      const std::string& name = joint.given->name;
      for (const std::string& axis : axes)
        built_.shape.outputs.push_back({name + ".force" + axis, "N", joint.given->where});
      if (!torque) continue;
      if (Space::turns == 1) built_.shape.outputs.push_back({name + ".torque", "N m", joint.given->where});
      if (Space::turns == 3)
        for (const std::string& axis : axes)
          built_.shape.outputs.push_back({name + ".torque" + axis, "N m", joint.given->where});
    }
  }

  void fill_shape() {
    Shape& shape = built_.shape;
    const int n = shape.n();
    shape.title = model_.title;
    shape.s_p = shape.m();
    shape.has_energy = true;
    if (!dampers_.empty())
      shape.energy_changes =
          fmt::format("{} {}", list_names(dampers_), dampers_.size() == 1 ? "is a damper" : "are dampers");
    shape.M = {.rows = n, .cols = n, .symmetric = true, .row = {}, .col = {}};
    for (int j = 0; j < n; ++j)
      for (const int k : built_.linkage.moving(built_.linkage.link_of(j)))
        if (k <= j) shape.M.add(j, k);
    shape.C = {.rows = shape.m(), .cols = n, .symmetric = false, .row = {}, .col = {}};
    int row = 0;
    for (std::size_t c = 0; c < built_.closures.size(); ++c)
      for (std::size_t i = 0; i < built_.closures[c].rows.size(); ++i, ++row)
        for (const auto& [j, sign] : built_.paths[c]) shape.C.add(row, j);
    for (Pattern* none : {&shape.J, &shape.F, &shape.T, &shape.B})
      *none = {.rows = n, .cols = 0, .symmetric = false, .row = {}, .col = {}};
    shape.J = {.rows = 0, .cols = n, .symmetric = false, .row = {}, .col = {}};
  }

  void fill_start() {
    const Shape& shape = built_.shape;
    Start& start = built_.start;
    if (model_.simulation.from) start.t = number_(*model_.simulation.from, "the start time");
    start.q.assign(shape.n(), {.guessed = true});  // as drawn
    start.v.assign(shape.n(), {.guessed = true});  // at rest
    if (!shape.identity_rates) {
      start.origin = Vector::Zero(shape.nq());
      for (const Link<Space>& link : built_.linkage.links)
        if (link.freedom == Freedom::ball) start.origin[link.q] = 1.0;
    }
    for (const Joint& joint : model_.mechanism.joints) {
      for (const JointValue& value : joint.guess) put(start.q, joint, value, "the guess for", false);
      for (const JointValue& value : joint.start) put(start.q, joint, value, "the start of", true);
      for (const JointValue& value : joint.speed) put(start.v, joint, value, "the speed of", true);
    }
  }

  void put(std::vector<Start::Value>& values, const Joint& joint, const JointValue& given, const char* what,
           bool kept) const {
    const int i = coordinate({joint.name, joint.where}, given.component, given.where, "a start");
    const Link<Space>& link = built_.linkage.links[built_.linkage.link_of(i)];
    if (&values == &built_.start.q && link.freedom == Freedom::ball)
      throw Error(Errc::model, given.where,
                  fmt::format("the start of the rotation of \"{}\" cannot be given", joint.name),
                  "it starts as drawn: turn the drawing");
    const double value = number_(given.value, fmt::format("{} \"{}\"", what, joint.name));
    values[i] = {.value = value, .given = kept, .guessed = !kept, .where = given.where};
  }

  /// A freedom that nothing resists and no loop holds has no acceleration.
  void check_inertia() const {
    const Linkage<Space>& linkage = built_.linkage;
    LinkState<Space> state = linkage.state();
    Vector q = Vector::Zero(built_.shape.nq()), M = Vector::Zero(built_.shape.M.size());
    if (built_.start.origin.size() > 0) q = built_.start.origin;
    linkage.positions(q.data(), state);
    linkage.mass_matrix(state, M);
    std::vector<bool> held(linkage.n(), false);
    for (const auto& path : built_.paths)
      for (const auto& [j, sign] : path) held[j] = true;
    Vector diagonal(linkage.n());
    for (int k = 0; k < built_.shape.M.size(); ++k)
      if (built_.shape.M.row[k] == built_.shape.M.col[k]) diagonal[built_.shape.M.row[k]] = M[k];
    for (int j = 0; j < linkage.n(); ++j) {
      double largest = 0.0;
      for (int k = 0; k < linkage.n(); ++k)
        if (unit_of_velocity(k) == unit_of_velocity(j)) largest = std::max(largest, diagonal[k]);
      if (held[j] || diagonal[j] > 1e-14 * largest) continue;
      const std::string& name = built_.shape.velocities[j].name;
      throw Error(Errc::model, built_.shape.velocities[j].where,
                  fmt::format("nothing resists the motion {}: what it moves has no {}", name,
                              unit_of_velocity(j) == "m/s" ? "mass" : "inertia about its axis"),
                  "give the body a mass and an inertia, or fix it");
    }
  }

  struct HeldJoint {
    const DrawnJoint* joint;
    int a, b;  // links
  };

  const Model& model_;
  const Numbers& number_;
  const Drawing& drawing_;
  const Formulas& formulas_;
  Assembly<Space> built_;
  std::vector<int> shares_;                     // of bodies: into how many parts they are cut
  std::vector<int> links_;                      // of bodies
  std::vector<Pose<Space>> drawn_;              // frames of links in the drawing
  std::vector<const DrawnJoint*> reaction_of_;  // joints in the order of the reactions
  std::vector<HeldJoint> held_;                 // joints of the tree whose freedoms are held by constraints
  std::vector<std::string> dampers_;
};

}  // namespace

template <class Space>
Assembly<Space> assemble(const Model& model, const Numbers& numbers, const Drawing& drawing, const Formulas& formulas) {
  return Builder<Space>(model, numbers, drawing, formulas).take();
}

template Assembly<Planar> assemble<Planar>(const Model&, const Numbers&, const Drawing&, const Formulas&);
template Assembly<Spatial> assemble<Spatial>(const Model&, const Numbers&, const Drawing&, const Formulas&);

}  // namespace maggi::mechanism
