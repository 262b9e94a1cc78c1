#pragma once
#include <vector>

namespace maggi::mechanism {

/// A joint as an edge of the graph of bodies; body 0 is the ground.
struct Edge {
  int a = 0, b = 0;
  int rows = 0;         ///< constraints, if it closes a loop
  bool in_tree = true;  ///< can be a joint of the tree
  bool loop = false;    ///< the user wants the loop closed here
  bool wanted = false;  ///< its coordinates are needed: a start or a force is given along them
};

/// A body reached through a joint, or (edge = −1) one that nothing in the tree holds: it floats.
struct Branch {
  int edge = -1;
  int body = 0;
  bool forward = true;  ///< from the joint's first body to its second
};

/// Which joints form the tree, in an order in which parents come first, and which close loops.
struct Topology {
  std::vector<Branch> tree;
  std::vector<int> loops;  ///< edges, in the order given
};

/// A spanning tree of the joints with the most constraints: what is cut costs the fewest equations and coordinates.
/// Joints that are wanted come first, those marked loop last; among equals the tree stays shallow.
Topology find_topology(int bodies, const std::vector<Edge>& edges);

}  // namespace maggi::mechanism
