#pragma once
#include <atomic>

namespace maggi::app {

/// While it lives, Ctrl-C and SIGTERM raise a flag, so that what exists can be written; the second one ends the
/// program.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& flag() const;
};

}  // namespace maggi::app
