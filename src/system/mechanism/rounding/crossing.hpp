#pragma once
#include <vector>

#include "system/mechanism/rounding/followed_way.hpp"

namespace maggi::mechanism {

/// A singular configuration on the motion of a block, in which other motions cross it: the rank falls to `rank`.
/// Rounded data open such a crossing to a gap, of the square root of the rounding, where the motion turns aside.
template <class Space>
struct Crossing {
  typename LoopBlock<Space>::Configuration q;
  int rank = 0;
};

/// The crossings at the ends of the ways of rank r from q, if this leaves one degree of freedom: those which meet
///
///     f̂ = 0,   U₂ᵀ Ĉ V₂ = 0        Ĉ = U Σ Vᵀ, the columns beyond `rank`                                     (1)
///
/// up to `tolerance`, so that errors of the data explain the rest.
template <class Space>
std::vector<Crossing<Space>> find_crossings(LoopBlock<Space>& block, const typename LoopBlock<Space>::Configuration& q,
                                            int r, double tolerance);

/// Moves a crossing to where (1) is met best with the present geometry; returns what is left.
template <class Space>
double settle(LoopBlock<Space>& block, Crossing<Space>& crossing);

/// (1) as conditions A x = y on changes of p, from which the configuration is eliminated.
template <class Space>
void crossing_conditions(LoopBlock<Space>& block, const Crossing<Space>& crossing, const Vector& p, Matrix& A,
                         Vector& y);

}  // namespace maggi::mechanism
