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

Progress::Progress(double from, double until, bool wanted)
    : from_(from), until_(until), wanted_(wanted && isatty(STDERR_FILENO) != 0), next_(begin_ + patience) {}

Progress::~Progress() {
  if (shown_) complain("\r\033[K");
}

void Progress::operator()(double t) {
  if (!wanted_ || !(t > from_)) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + pause;
  shown_ = true;
  show(t, std::chrono::duration<double>(now - begin_).count());
}

void Progress::show(double t, double elapsed) const {
  const double part = std::clamp((t - from_) / (until_ - from_), 0.0, 1.0);
  std::string bar;
  for (int i = 0; i < bar_width; ++i) bar += i < part * bar_width ? "█" : "░";
  complain(fmt::format("\r{} {:3.0f} %  t = {:.4g} of {:.4g} s  {:.0f} s left \033[K", bar, 100 * part, t, until_,
                       elapsed * (1 - part) / part));
}

}  // namespace maggi::app
