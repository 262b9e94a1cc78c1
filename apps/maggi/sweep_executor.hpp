#pragma once
#include <atomic>
#include <string>

#include "maggi/sweep.hpp"

namespace CLI {
class App;
}

namespace maggi::app {

/// What makes the runs of a sweep: the threads of this process, or processes on several machines.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void add_to(CLI::App& command) = 0;  ///< its options
  virtual bool leads() const { return true; }  ///< does this process hold the table?
  virtual std::string text() const = 0;        ///< "2 threads"

  /// The process that leads: returns when nothing is left or soon after the interrupt. `accept` is called by one thread
  /// at a time.
  virtual void run_all(const Sweep& sweep, RunQueue& queue, const AcceptRuns& accept,
                       const std::atomic<bool>& interrupt) = 0;
  virtual void follow(const Sweep& /*sweep*/) {}  ///< the others: until there is nothing left
};

/// Threads of this process.
class Threads final : public Executor {
 public:
  void add_to(CLI::App& command) override;
  std::string text() const override;
  void run_all(const Sweep& sweep, RunQueue& queue, const AcceptRuns& accept,
               const std::atomic<bool>& interrupt) override;

 private:
  int count_ = 0;  // 0: as many as there are cores
};

}  // namespace maggi::app
