#pragma once
#include <vector>

#include "base/singular_values.hpp"
#include "system/mechanism/rounding/loop_block.hpp"

namespace maggi::mechanism {

/// What was found on a way.
template <class Space>
struct Way {
  double misfit = 0.0;    ///< largest |f̂| that no small motion takes away; ∞: the way could not be followed
  bool singular = false;  ///< it ended at a singular configuration of the motion itself
  std::vector<typename LoopBlock<Space>::Configuration> passed;
};

inline constexpr double reach = 1.5;         ///< length of a way: errors of second order need it to show [rad, sizes]
inline constexpr double longest_step = 0.1;  ///< keeps the corrections close to the motion

/// Follows the motion of a block from q in the direction u, with the rank of the rows held at r: corrections go across
/// the motion, never along it, so that what is left of f̂ is what the rows disagree by.
template <class Space>
Way<Space> follow(LoopBlock<Space>& block, typename LoopBlock<Space>::Configuration q, int r, const Vector& u,
                  double step = longest_step, double length = reach);

/// The ways from q for rank r: along the only free motion to both sides, or along some of several.
template <class Space>
std::vector<Way<Space>> follow_all(LoopBlock<Space>& block, const typename LoopBlock<Space>::Configuration& q, int r);

/// The largest misfit of ways.
template <class Space>
double misfit(const std::vector<Way<Space>>& ways);

}  // namespace maggi::mechanism
