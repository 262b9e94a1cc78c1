#pragma once
#include <vector>

#include "system/mechanism/rounding/followed_way.hpp"

namespace maggi::mechanism {

/// A singular configuration on the motion of a block, in which other motions cross it: the rank falls to `rank`.
/// Rounded data open such a crossing to a gap, of the square root of the rounding, where the motion turns aside.
template <class Block>
struct Crossing {
  typename Block::Configuration q;
  int rank = 0;
};

/// The crossings at the ends of the ways of rank r from q, if this leaves one degree of freedom: those which meet
///
///     f̂ = 0,   U₂ᵀ Ĉ V₂ = 0        Ĉ = U Σ Vᵀ, the columns beyond `rank`                                     (1)
///
/// up to `tolerance`, so that errors of the data explain the rest.
template <class Block>
std::vector<Crossing<Block>> find_crossings(Block& block, const typename Block::Configuration& q, int r,
                                            double tolerance);

/// Moves a crossing to where (1) is met best with the present geometry; returns what is left.
template <class Block>
double settle(Block& block, Crossing<Block>& crossing);

/// (1) as conditions A x = y on changes of p, from which the configuration is eliminated.
template <class Block>
void crossing_conditions(Block& block, const Crossing<Block>& crossing, const Vector& p, Matrix& A, Vector& y);

}  // namespace maggi::mechanism
