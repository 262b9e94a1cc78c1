#include "interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace maggi::app {

namespace {

constexpr unsigned grace = 1;  // [s] from the signal to the end, whatever is being computed

std::atomic<bool> raised{false};
volatile std::sig_atomic_t received = 0;
static_assert(std::atomic<bool>::is_always_lock_free);

/// A search that does not look at the flag ends here, as by a second signal.
void end_program(int /*signal*/) {
  constexpr std::string_view text = "maggi: interrupted while nothing could be kept\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
  std::signal(received, SIG_DFL);
  std::raise(received);
}

void raise_flag(int signal) {
  raised = true;
  received = signal;
  std::signal(signal, SIG_DFL);
  std::signal(SIGALRM, end_program);
  alarm(grace);
}

}  // namespace

Interrupt::Interrupt() {
  raised = false;
  std::signal(SIGINT, raise_flag);
  std::signal(SIGTERM, raise_flag);
}

Interrupt::~Interrupt() {
  alarm(0);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGALRM, SIG_DFL);
}

const std::atomic<bool>& Interrupt::flag() const { return raised; }

}  // namespace maggi::app
