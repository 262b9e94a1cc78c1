#pragma once
#include <vector>

#include "system/mechanism/tree/tree_model.hpp"

namespace maggi::mechanism {

/// What is seen of a mechanism: joints and markers as points, bodies by their shape or else by the points that they
/// connect, springs. `frame`: in which reactions are given; `links`: those of the bodies; `drawn`: frames of the links
/// in the drawing.
template <class Space>
void add_scene(const Drawing& drawing, ReactionFrame frame, const std::vector<int>& links,
               const std::vector<Pose<Space>>& drawn, TreeModel<Space>& built);

}  // namespace maggi::mechanism
