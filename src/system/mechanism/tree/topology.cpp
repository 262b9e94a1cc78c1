#include "system/mechanism/tree/topology.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

namespace maggi::mechanism {

namespace {

/// Grows a tree from the ground (Prim): always the best joint between a body that is reached and one that is not. Such
/// joints wait in a queue from when their first body is reached: O(joints · log joints).
class Growth {
 public:
  Growth(int bodies, const std::vector<Edge>& edges)
      : edges_(edges), depth_(bodies, -1), joints_(bodies), used_(edges.size(), false) {
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (edges[e].loop || !edges[e].in_tree) continue;
      joints_[edges[e].a].push_back(static_cast<int>(e));
      joints_[edges[e].b].push_back(static_cast<int>(e));
    }
    reach(0, 0);
  }

  Topology grow() {
    // joints marked loop only hold what would float otherwise: never
    for (int loose = 0; loose < static_cast<int>(depth_.size());) {
      if (const int edge = next(); edge >= 0)
        take(edge);
      else if (reached(loose))
        ++loose;
      else
        result_.tree.push_back({-1, loose, true}), reach(loose, 1);
    }
    for (std::size_t e = 0; e < edges_.size(); ++e)
      if (!used_[e]) result_.loops.push_back(static_cast<int>(e));
    return result_;
  }

 private:
  /// wanted, rows held, near to the ground, early in the file
  using Rank = std::tuple<bool, int, int, int>;

  bool reached(int body) const { return depth_[body] >= 0; }

  void reach(int body, int depth) {
    depth_[body] = depth;
    for (const int e : joints_[body]) queue_.emplace(edges_[e].wanted, edges_[e].rows, -depth, -e);
  }

  int next() {
    while (!queue_.empty()) {
      const int e = -std::get<3>(queue_.top());
      queue_.pop();
      if (reached(edges_[e].a) != reached(edges_[e].b)) return e;  // otherwise another joint was faster
    }
    return -1;
  }

  void take(int e) {
    const bool forward = reached(edges_[e].a);
    const int from = forward ? edges_[e].a : edges_[e].b, to = forward ? edges_[e].b : edges_[e].a;
    used_[e] = true;
    result_.tree.push_back({e, to, forward});
    reach(to, depth_[from] + 1);
  }

  const std::vector<Edge>& edges_;
  std::vector<int> depth_;                // −1: not reached
  std::vector<std::vector<int>> joints_;  // of bodies, that may join the tree
  std::priority_queue<Rank> queue_;
  std::vector<bool> used_;
  Topology result_;
};

}  // namespace

Topology find_topology(int bodies, const std::vector<Edge>& edges) { return Growth(bodies, edges).grow(); }

}  // namespace maggi::mechanism
