#include <algorithm>
#include <exception>
#include <thread>

#include "maggi/sweep.hpp"
#include "maggi/sweep/table.hpp"

namespace maggi {

RunQueue::RunQueue(const Sweep& sweep, std::vector<bool> done)
    : size_(sweep.design().size()), group_(sweep.group_size()), done_(std::move(done)) {}

std::optional<RunGroup> RunQueue::next() {
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

void run_all(const Sweep& sweep, RunQueue& queue, int threads, const AcceptRuns& accept,
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
        const std::optional<RunGroup> group = queue.next();
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

SweepTable run_all(const Sweep& sweep, int threads, const std::atomic<bool>* interrupt) {
  SweepTable table(sweep);
  RunQueue queue(sweep, table.done());
  const int count = threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto put = [&](std::vector<RunResult> results) {
    for (RunResult& result : results) table.put(std::move(result));
  };
  run_all(sweep, queue, count, put, interrupt);
  return table;
}

}  // namespace maggi
