#pragma once
#include "maggi/system/system.hpp"

namespace maggi {

/// A sink that also sees the accepted steps at which no state is stored.
class Follower {
 public:
  virtual ~Follower() = default;
  virtual bool follows() const = 0;  ///< does it want to?
  virtual void pass(const State& state) = 0;
};

}  // namespace maggi
