#pragma once
#include <vector>

#include "base/singular_values.hpp"
#include "system/mechanism/rounding/loop_block.hpp"

namespace maggi::mechanism {

/// What was found on a way.
template <class Block>
struct Way {
  double misfit = 0.0;    ///< largest |f̂| that no small motion takes away; ∞: the way could not be followed
  bool singular = false;  ///< it ended at a singular configuration of the motion itself
  std::vector<typename Block::Configuration> passed;
  std::vector<double> sigma;  ///< σ_r there, as a part of that at the beginning
};

inline constexpr double reach = 1.5;         ///< length of a way: errors of second order need it to show [rad, sizes]
inline constexpr double longest_step = 0.1;  ///< keeps the corrections close to the motion

/// Follows the motion of a block from q in the direction u, with the rank of the rows held at r: corrections go across
/// the motion, never along it, so that what is left of f̂ is what the rows disagree by.
/// `through`: singular configurations do not end the way, which goes straight over them.
template <class Block>
Way<Block> follow(Block& block, typename Block::Configuration q, int r, const Vector& u, double step = longest_step,
                  double length = reach, bool through = false);

/// The ways from q for rank r: along the only free motion to both sides, or along some of several.
template <class Block>
std::vector<Way<Block>> follow_all(Block& block, const typename Block::Configuration& q, int r);

/// The largest misfit of ways.
template <class Block>
double misfit(const std::vector<Way<Block>>& ways);

}  // namespace maggi::mechanism
