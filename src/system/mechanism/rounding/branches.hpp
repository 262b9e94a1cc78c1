#pragma once
#include "system/mechanism/rounding/followed_way.hpp"

namespace maggi::mechanism {

/// Configurations of the block near q, one on each motion that leads through it or past it: free directions of the
/// singular values below `small` are tried, and the rows closed up to `tolerance` from there. 0.2 is far outside the
/// gap of √tolerance that rounding opens between motions.
template <class Block>
std::vector<typename Block::Configuration> find_branches(Block& block, const typename Block::Configuration& q,
                                                         double small, double tolerance);

}  // namespace maggi::mechanism
