#pragma once
#include "system/mechanism/rounding/axis_relations.hpp"
#include "system/mechanism/rounding/crossing.hpp"

namespace maggi::mechanism {

/// The least change of the geometry with which a block moves exactly.
struct LeastChange {
  Vector p;             ///< the block keeps it
  double before = 0.0;  ///< misfit on the way that was followed, with the geometry as given
  double after = 0.0;   ///< and with p, with the deviations of relations; ∞ if none was found
};

/// What is to hold exactly.
template <class Block>
struct Requirements {
  std::vector<std::pair<typename Block::Configuration, int>> from;  ///< motions begin here, of these ranks
  std::vector<AxisRelation> relations{};
  std::vector<Crossing<Block>> crossings{};
};

/// Gauss-Newton for f̂(q_t, p) = 0 along the ways that begin `from` configurations. The configurations q_t are
/// eliminated by Zᵀ, the rows left over at rank r, Zᵀ Ĉ = 0:
///
///     Z_tᵀ ∂f̂/∂p p = −Z_tᵀ f̂_t        of all p the smallest; weak conditions are taken in as the misfit falls
///
/// Relations and crossings are conditions besides.
template <class Block>
LeastChange find_least_change(Block& block, Requirements<Block> wanted);

}  // namespace maggi::mechanism
