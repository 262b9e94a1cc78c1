#include "simulation/stepped_integration.hpp"

#include <limits>
#include <utility>

namespace maggi {

SteppedIntegration::SteppedIntegration(Dynamics& dynamics, State start, Sink& sink, IntegrateOptions options)
    : dynamics_(dynamics) {
  options.next_output = [this, until = options.until](double after) {
    return after >= until ? std::numeric_limits<double>::infinity() : wait_for_request();
  };
  thread_ =
      std::thread([this, start = std::move(start), &sink, options = std::move(options)] { run(start, sink, options); });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return turn_ == Turn::caller; });  // it stands at the start
}

SteppedIntegration::~SteppedIntegration() {
  {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool SteppedIntegration::advance(double t) {
  std::unique_lock lock(mutex_);
  if (!ended_) {
    asked_ = t;
    turn_ = Turn::integration;
    changed_.notify_all();
    changed_.wait(lock, [&] { return turn_ == Turn::caller; });
  }
  if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
  return !ended_;
}

double SteppedIntegration::wait_for_request() {
  std::unique_lock lock(mutex_);
  turn_ = Turn::caller;
  changed_.notify_all();
  changed_.wait(lock, [&] { return turn_ == Turn::integration || abandoned_; });
  if (abandoned_) throw Abandoned{};
  return asked_;
}

void SteppedIntegration::run(const State& start, Sink& sink, const IntegrateOptions& options) {
  IntegrationResult result;
  std::exception_ptr fault;
  try {
    result = integrate(dynamics_, start, sink, options);
  } catch (const Abandoned&) {
  } catch (const Error& error) {
    if (error.code() != Errc::numerics) fault = std::current_exception();
    result.outcome = Outcome::failed;
    result.explanation = error.what();
  } catch (...) { fault = std::current_exception(); }
  const std::lock_guard lock(mutex_);
  result_ = std::move(result);
  fault_ = fault;
  ended_ = true;
  turn_ = Turn::caller;
  changed_.notify_all();
}

}  // namespace maggi
