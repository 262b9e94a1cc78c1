#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "output.hpp"

namespace maggi::app {

namespace {
constexpr auto patience = std::chrono::milliseconds(500), pause = std::chrono::milliseconds(100);
constexpr int bar_width = 30;
}  // namespace

Progress::Progress(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO) != 0), next_(begin_ + patience) {}

Progress::~Progress() {
  if (shown_) complain("\r\033[K");
}

bool Progress::due() {
  if (!wanted_) return false;
  const Clock::time_point now = Clock::now();
  if (now < next_) return false;
  next_ = now + pause;
  return true;
}

void Progress::show(double part, std::string_view what) {
  if (!(part > 0.0)) return;
  shown_ = true;
  part = std::min(part, 1.0);
  const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
  std::string bar;
  for (int i = 0; i < bar_width; ++i) bar += i < part * bar_width ? "█" : "░";
  complain(fmt::format("\r{} {:3.0f} %  {}  {:.0f} s left \033[K", bar, 100 * part, what, elapsed * (1 - part) / part));
}

}  // namespace maggi::app
