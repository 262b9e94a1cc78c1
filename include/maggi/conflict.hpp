#pragma once
#include <string>
#include <vector>

#include "maggi/error.hpp"

namespace maggi {

/// A constraint, a law or a value given, as a member of a contradiction.
struct StartMember {
  enum class Kind { constraint, law, position, velocity, acceleration, multiplier, reaction };
  Kind kind;
  int index;         ///< the row, the law (of a contact the first), the coordinate
  std::string text;  ///< "\"rim\"", "friction \"rim\"", "x = 1.5", "x' = 0", "lambda.rim = 5"
  Where where;
};

/// Why there is no start: a set that cannot be satisfied, while without any one of its members it can.
struct Conflict {
  enum class Proof {
    linear,  ///< proven: the conditions are linear and contradict each other
    reach,   ///< proven: a condition is out of reach, whatever the values that are not given
    search,  ///< not proven: no solution was found
  };
  std::vector<StartMember> members;
  /// "in the reference configuration": the contradiction is one of the velocities there; empty: of everything asked for
  std::string place;
  std::string counts;  ///< "2 positions are given for 1 degree of freedom": more than can be chosen; else empty
  Proof proof = Proof::search;
  int starts = 0;         ///< from so many points
  double residual = 0.0;  ///< the smallest that was reached, in the units of the unknowns
  std::string explanation;
};

/// The Error of find_initial_conditions where members contradict each other.
class NoConsistentStart final : public Error {
 public:
  explicit NoConsistentStart(Conflict conflict);
  const Conflict& conflict() const { return conflict_; }

 private:
  Conflict conflict_;
};

}  // namespace maggi
