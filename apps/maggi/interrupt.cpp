#include "interrupt.hpp"

#include <csignal>

namespace maggi::app {

namespace {

std::atomic<bool> raised{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void raise_flag(int signal) {
  raised = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  raised = false;
  std::signal(SIGINT, raise_flag);
  std::signal(SIGTERM, raise_flag);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& Interrupt::flag() const { return raised; }

}  // namespace maggi::app
