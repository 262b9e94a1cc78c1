#pragma once
#include <vector>

namespace maggi {

/// Outputs that a pose tells but for whole turns (one: an angle [rad]) or but for their sign (four: a quaternion).
struct Cyclic {
  int first = 0, count = 1;
};

/// A system that has such outputs; who follows a motion counts on from one state to the next.
class CyclicOutputs {
 public:
  virtual ~CyclicOutputs() = default;
  virtual const std::vector<Cyclic>& cyclic() const = 0;
};

}  // namespace maggi
