#pragma once
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "integration/integrate.hpp"

namespace maggi {

/// integrate() that stops at each time asked for and goes on from there: it runs on a thread of its own, which waits
/// between the calls of advance(). One of the two threads works at any time, so that they may share everything.
///
///     caller        advance(t₁) ─┐       ┌─ advance(t₂) ─┐
///     integrate()                └─ … t₁ ┘               └─ … t₂
class SteppedIntegration {
 public:
  /// The dynamics is at the start, with its rank decision. `sink` gets the states asked for, and those at events. What
  /// is given must live as long as this object.
  SteppedIntegration(Dynamics& dynamics, State start, Sink& sink, IntegrateOptions options);
  ~SteppedIntegration();  ///< what is left of the run is dropped
  SteppedIntegration(const SteppedIntegration&) = delete;
  SteppedIntegration& operator=(const SteppedIntegration&) = delete;

  /// Integrates to time t, beyond the last one and not beyond the end. Returns false if the run has ended. What
  /// integrate() throws is thrown here, Error (numerics) excepted: it ends the run with the outcome `failed`.
  bool advance(double t);

  const IntegrationResult& result() const { return result_; }  ///< after the end

 private:
  struct Abandoned {};
  enum class Turn { caller, integration };

  void run(const State& start, Sink& sink, const IntegrateOptions& options);
  double wait_for_request();  // by the thread of the integration: gives the turn to the caller

  Dynamics& dynamics_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Turn turn_ = Turn::integration;
  double asked_ = 0.0;
  bool abandoned_ = false, ended_ = false;
  std::exception_ptr fault_;
  IntegrationResult result_;
  std::thread thread_;  // the last: it uses the others
};

}  // namespace maggi
