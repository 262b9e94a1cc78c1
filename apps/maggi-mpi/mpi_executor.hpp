#pragma once
#include "sweep_executor.hpp"

namespace maggi::app {

/// The processes of an MPI world, one core each. Rank 0 holds the table, deals groups of runs to the others and makes
/// runs itself; a world of one is enough. Every rank reads the model file.
///
///     rank k → 0   identity                    which sweep it has understood
///     0 → rank k   group                       two to begin with, so that it never waits; a last one without runs
///     rank k → 0   results of a group
///     rank k → 0   trouble                     why it cannot go on
class MpiExecutor final : public Executor {
 public:
  MpiExecutor(int& argc, char**& argv);
  ~MpiExecutor() override;

  void add_to(CLI::App& /*command*/) override {}
  bool leads() const override { return rank_ == 0; }
  std::string text() const override;
  void run_all(const Sweep& sweep, RunQueue& queue, const AcceptRuns& accept,
               const std::atomic<bool>& interrupt) override;
  void follow(const Sweep& sweep) override;

  void report(const std::string& why);  ///< not rank 0: that it cannot go on

 private:
  struct Other {
    int under_way = 0;  // groups sent to it
    bool home = false;  // it has been told that nothing is left
  };
  void send_home(int rank);
  void deal_to(int rank, const std::optional<RunGroup>& next);

  int rank_ = 0;
  std::vector<Other> others_;  // rank 0: ranks 1, 2, …
};

}  // namespace maggi::app
