#include <algorithm>
#include <exception>
#include <thread>

#include "sweep/sweep.hpp"

namespace maggi {

Deal::Deal(const Sweep& sweep, std::vector<bool> done)
    : size_(sweep.design().size()), group_(sweep.group_size()), done_(std::move(done)) {}

std::optional<RunGroup> Deal::next() {
  const std::lock_guard lock(mutex_);
  while (next_ < size_) {
    const RunGroup group{next_, std::min(group_, size_ - next_)};
    next_ += group.count;
    const auto begin = done_.begin() + static_cast<std::ptrdiff_t>(group.first);
    if (!std::all_of(begin, begin + static_cast<std::ptrdiff_t>(group.count), [](bool done) { return done; }))
      return group;
  }
  return std::nullopt;
}

void work_off(const Sweep& sweep, Deal& deal, int threads, const AcceptRuns& accept,
              const std::atomic<bool>* interrupt) {
  std::mutex mutex;
  std::exception_ptr trouble;
  std::atomic<bool> ended = false;
  const auto one_at_a_time = [&](std::vector<RunResult> results) {
    const std::lock_guard lock(mutex);
    if (!ended) accept(std::move(results));
  };
  const auto work = [&] {
    try {
      SweepWorker worker(sweep, interrupt);
      while (!ended && !(interrupt && *interrupt)) {
        const std::optional<RunGroup> group = deal.next();
        if (!group || !worker.make(*group, one_at_a_time)) return;
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!trouble) trouble = std::current_exception();
      ended = true;
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  if (trouble) std::rethrow_exception(trouble);
}

}  // namespace maggi
