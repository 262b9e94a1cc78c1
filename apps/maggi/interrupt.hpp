#pragma once
#include <atomic>

namespace maggi::app {

/// While it lives, Ctrl-C and SIGTERM raise a flag, so that what exists can be written. The program ends at the second
/// one, and when the computation has not looked at the flag a second after the first: an Interrupt lives no longer than
/// what it interrupts.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& flag() const;
};

}  // namespace maggi::app
