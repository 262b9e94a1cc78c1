#pragma once
#include <vector>

#include "system/mechanism/reference/drawing.hpp"

namespace maggi::mechanism {

/// The joints of a mechanism whose loops share joints, block by block: the components of the graph of bodies that no
/// single body takes apart (biconnected components). A joint that is in no loop is in no block.
std::vector<std::vector<int>> loop_blocks(const Drawing& drawing);

/// Short loops of a block, one for each joint beyond a spanning tree: the joint, and the shortest way between its
/// bodies over the tree and the joints before it. All loops of the block are combinations of these.
std::vector<std::vector<int>> short_loops(const Drawing& drawing, const std::vector<int>& block);

}  // namespace maggi::mechanism
