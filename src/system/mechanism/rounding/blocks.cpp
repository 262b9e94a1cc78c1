#include "system/mechanism/rounding/blocks.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "system/mechanism/kinematics/joint_kind.hpp"

namespace maggi::mechanism {

namespace {

/// Depth-first search that keeps the joints passed on a stack; a body behind which nothing leads further back than to
/// where it was reached from ends a block [HopcroftTarjan1973].
class BlockSearch {
 public:
  explicit BlockSearch(const Drawing& drawing)
      : ends_(drawing.joints.size()),
        joints_of_(drawing.bodies.size()),
        number_(drawing.bodies.size(), -1),
        lowest_(drawing.bodies.size()) {
    for (std::size_t j = 0; j < drawing.joints.size(); ++j) {
      const DrawnJoint& joint = drawing.joints[j];
      if (!holds(joint, drawing.planar)) continue;
      ends_[j] = {joint.a, joint.b};
      for (const int body : {joint.a, joint.b}) joints_of_[body].push_back(static_cast<int>(j));
    }
    for (std::size_t body = 0; body < joints_of_.size(); ++body)
      if (number_[body] < 0) search(static_cast<int>(body));
    std::ranges::sort(blocks);
  }

  std::vector<std::vector<int>> blocks;

 private:
  struct Visit {
    int body, by;  // joint by which it was reached
    std::size_t next = 0;
  };

  static bool holds(const DrawnJoint& joint, bool planar) {
    const JointType type = joint.given->type;
    return !(planar ? joint_kind<Planar>(type) : joint_kind<Spatial>(type)).rows.empty();
  }

  void search(int root) {
    std::vector<Visit> open{{root, -1}};
    number_[root] = lowest_[root] = count_++;
    while (!open.empty()) {
      Visit& visit = open.back();
      if (visit.next < joints_of_[visit.body].size()) {
        const int joint = joints_of_[visit.body][visit.next++];
        const int from = visit.body, to = ends_[joint].first == from ? ends_[joint].second : ends_[joint].first;
        if (joint == visit.by) continue;
        if (number_[to] < 0) {
          passed_.push_back(joint);
          number_[to] = lowest_[to] = count_++;
          open.push_back({to, joint});
        } else if (number_[to] < number_[from]) {
          passed_.push_back(joint);
          lowest_[from] = std::min(lowest_[from], number_[to]);
        }
        continue;
      }
      const Visit done = visit;
      open.pop_back();
      if (open.empty()) return;
      const int parent = open.back().body;
      lowest_[parent] = std::min(lowest_[parent], lowest_[done.body]);
      if (lowest_[done.body] >= number_[parent]) close(done.by);
    }
  }

  void close(int first) {
    std::vector<int> block;
    do {
      block.push_back(passed_.back());
      passed_.pop_back();
    } while (block.back() != first);
    if (block.size() < 2) return;  // no loop leads through it
    std::ranges::sort(block);
    blocks.push_back(std::move(block));
  }

  std::vector<std::pair<int, int>> ends_;
  std::vector<std::vector<int>> joints_of_;
  std::vector<int> number_, lowest_, passed_;
  int count_ = 0;
};

/// A graph of bodies that grows by joints.
class GrowingGraph {
 public:
  explicit GrowingGraph(const Drawing& drawing) : drawing_(drawing), joints_of_(drawing.bodies.size()) {}

  void add(int joint) {
    for (const int body : {drawing_.joints[joint].a, drawing_.joints[joint].b}) joints_of_[body].push_back(joint);
  }

  /// A spanning tree of shortest ways to a body.
  std::set<int> tree(int root) const {
    std::set<int> joints, reached{root};
    std::vector<int> queue{root};
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (const int joint : joints_of_[queue[next]])
        if (const int body = other(joint, queue[next]); reached.insert(body).second) {
          joints.insert(joint);
          queue.push_back(body);
        }
    return joints;
  }

  /// The joints on a short way between two bodies, found from both ends: the body with fewer joints is looked at first,
  /// so that those of the ground, which may be thousands, seldom are.
  std::vector<int> way(int from, int to) const {
    std::array<Side, 2> sides{Side(from), Side(to)};
    while (sides[0].more() || sides[1].more()) {
      const std::size_t k = !sides[0].more() || (sides[1].more() && degree(sides[1]) < degree(sides[0])) ? 1 : 0;
      Side &side = sides[k], &across = sides[1 - k];
      const int body = side.queue[side.next++];
      for (const int joint : joints_of_[body]) {
        const int reached = other(joint, body);
        if (!side.by.emplace(reached, joint).second) continue;
        side.queue.push_back(reached);
        if (!across.by.contains(reached)) continue;
        std::vector<int> joints = back(sides[0], reached), rest = back(sides[1], reached);
        joints.insert(joints.end(), rest.begin(), rest.end());
        return joints;
      }
    }
    return {};
  }

 private:
  /// Bodies that are reached from one, and by which joint.
  struct Side {
    explicit Side(int from) : by{{from, -1}}, queue{from} {}
    std::unordered_map<int, int> by;
    std::vector<int> queue;
    std::size_t next = 0;
    bool more() const { return next < queue.size(); }
  };
  std::size_t degree(const Side& side) const { return joints_of_[side.queue[side.next]].size(); }
  std::vector<int> back(const Side& side, int body) const {
    std::vector<int> joints;
    for (int joint = side.by.at(body); joint >= 0; joint = side.by.at(body)) {
      joints.push_back(joint);
      body = other(joint, body);
    }
    return joints;
  }
  int other(int joint, int body) const {
    const DrawnJoint& drawn = drawing_.joints[joint];
    return drawn.a == body ? drawn.b : drawn.a;
  }

  const Drawing& drawing_;
  std::vector<std::vector<int>> joints_of_;
};

}  // namespace

std::vector<std::vector<int>> short_loops(const Drawing& drawing, const std::vector<int>& block) {
  GrowingGraph all(drawing), graph(drawing);
  for (const int joint : block) all.add(joint);
  const std::set<int> in_tree = all.tree(drawing.joints[block.front()].a);
  for (const int joint : in_tree) graph.add(joint);
  std::vector<std::vector<int>> loops;
  for (const int joint : block) {
    if (in_tree.contains(joint)) continue;
    loops.push_back(graph.way(drawing.joints[joint].a, drawing.joints[joint].b));
    loops.back().push_back(joint);
    std::ranges::sort(loops.back());
    graph.add(joint);
  }
  return loops;
}

std::vector<std::vector<int>> loop_blocks(const Drawing& drawing) { return BlockSearch(drawing).blocks; }

}  // namespace maggi::mechanism
