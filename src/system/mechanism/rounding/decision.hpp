#pragma once
#include "system/mechanism/rounding/least_change.hpp"

namespace maggi::mechanism {

/// How a block moves, as far as data that are rounded can tell.
struct Decision {
  enum class Kind {
    as_typed,  ///< no singular value is small, or the small ones are no motion: nothing is changed
    repaired,  ///< it moves within the tolerance: the block keeps the least change with which it moves exactly
    singular,  ///< the same in a singular configuration, from which several motions lead
    locked,    ///< it misses a motion by little: nothing is changed
    shaky,     ///< rigid, but for a motion that is infinitely small
  };
  Kind kind = Kind::as_typed;
  bool redundant = false;    ///< rows that depend on others: changes of the data would make them disagree
  int freedom = 0;           ///< degrees of freedom taken; of a lock, as typed
  int freedom_missed = 0;    ///< of a lock: those that it would have
  double data = 0.0;         ///< what errors of the data may be: of points in sizes of the block, of axes in rad
  double tolerance = 0.0;    ///< of the misfit that such errors may leave
  double misfit = 0.0;       ///< largest |f̂| along the motion taken, or missed
  double change = 0.0;       ///< largest component of p
  Vector p;                  ///< least change, made if repaired
  double left = 0.0;         ///< misfit after a repair
  double data_needed = 0.0;  ///< of a lock: errors of the data with which it would be taken as moving; 0: none
};

/// What arithmetic leaves of a singular value, or a deviation, that is 0: numbers far away have no more digits.
template <class Block>
double arithmetic_noise(const Block& block);

/// Decides whether small singular values of Ĉ in the reference configuration are rounding of the data: they propose
/// ranks, the motion of each is followed a finite way, and the rank with the most degrees of freedom is taken whose
/// misfit and least change lie within `data`, the largest error of the data that is rounding.
template <class Block>
Decision decide(Block& block, double data);

}  // namespace maggi::mechanism
