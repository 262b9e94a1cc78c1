#include "system/mechanism/topology.hpp"

#include <algorithm>
#include <tuple>

namespace maggi::mechanism {

namespace {

/// Grows a tree from the ground (Prim): always the best joint between a body that is reached and one that is not.
class Growth {
 public:
  Growth(int bodies, const std::vector<Edge>& edges) : edges_(edges), depth_(bodies, -1), used_(edges.size(), false) {
    depth_[0] = 0;
  }

  Topology grow() {
    // joints marked loop only hold what would float otherwise: never
    while (true) {
      if (const int edge = best(); edge >= 0)
        take(edge);
      else if (const auto loose = std::ranges::find(depth_, -1); loose != depth_.end())
        result_.tree.push_back({-1, static_cast<int>(loose - depth_.begin()), true}), *loose = 1;
      else
        break;
    }
    for (std::size_t e = 0; e < edges_.size(); ++e)
      if (!used_[e]) result_.loops.push_back(static_cast<int>(e));
    return result_;
  }

 private:
  bool reached(int body) const { return depth_[body] >= 0; }

  int best() const {
    int found = -1;
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const Edge& edge = edges_[e];
      if (edge.loop || !edge.in_tree || reached(edge.a) == reached(edge.b)) continue;
      if (found < 0 || rank(edge) > rank(edges_[found])) found = static_cast<int>(e);
    }
    return found;
  }

  std::tuple<bool, int, int> rank(const Edge& edge) const {
    return {edge.wanted, edge.rows, -std::max(depth_[edge.a], depth_[edge.b])};
  }

  void take(int e) {
    const bool forward = reached(edges_[e].a);
    const int from = forward ? edges_[e].a : edges_[e].b, to = forward ? edges_[e].b : edges_[e].a;
    depth_[to] = depth_[from] + 1;
    used_[e] = true;
    result_.tree.push_back({e, to, forward});
  }

  const std::vector<Edge>& edges_;
  std::vector<int> depth_;  // −1: not reached
  std::vector<bool> used_;
  Topology result_;
};

}  // namespace

Topology find_topology(int bodies, const std::vector<Edge>& edges) { return Growth(bodies, edges).grow(); }

}  // namespace maggi::mechanism
