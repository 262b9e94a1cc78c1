#include "sweep_executor.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "output.hpp"
#include "text/words.hpp"

namespace maggi::app {

void Threads::add_to(CLI::App& command) {
  constexpr int most = 4096;
  command.add_option("--threads", count_, "how many runs at a time [as many as there are cores]")
      ->type_name("N")
      ->check(CLI::Range(1, most));
}

std::string Threads::text() const {
  return maggi::text::count(count_ > 0 ? count_ : std::max(1U, std::thread::hardware_concurrency()), "thread");
}

void Threads::run_all(const Sweep& sweep, RunQueue& queue, const AcceptRuns& accept,
                      const std::atomic<bool>& interrupt) {
  if (count_ == 0) count_ = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  maggi::run_all(sweep, queue, count_, accept, &interrupt);
}

}  // namespace maggi::app
