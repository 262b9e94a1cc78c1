#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "formulation/lanes.hpp"
#include "integration/sink/options.hpp"
#include "integration/sink/result.hpp"

namespace maggi {

/// One of many motions of the same system.
struct LaneJob {
  std::vector<double> parameters;  ///< as EquationSystem::parameters()
  State start;                     ///< consistent with these parameters
};

/// How it ended.
struct LaneRun {
  /// false: run it with integrate(), which decides ranks, crosses singular configurations and says what is wrong. The
  /// states that were stored for this job are to be discarded.
  bool finished = false;
  State last{};             ///< on the constraints
  Statistics statistics{};  ///< of this motion alone
};

/// Receiver of the motions.
class LaneSink {
 public:
  virtual ~LaneSink() = default;
  /// A stored state, on the constraints, with v̇ and λ there (no reaction, no τ, no p); those of a job in the order of
  /// time.
  virtual void accept(std::size_t job, const State& state, const Acceleration& acceleration) = 0;
  virtual void end(std::size_t /*job*/, const LaneRun& /*run*/) {}
  virtual void step() {}  ///< the lanes have gone one step further
};

/// Many motions, eight at a time: the pair of Dormand and Prince with projection, in lanes.
///
/// Every lane has its own parameters, time and step size, and takes the next job as soon as it is free. So no lane
/// waits for another, and a motion is the same to the last bit in whatever lane and company it is computed. Jobs begin
/// in the order in which they are given; they end in the order of their lengths.
///
///     if (LaneIntegrator::why_not(system.shape(), options).empty()) {
///       LaneIntegrator integrator(system, options);   // one per thread
///       integrator.run(jobs, sink);                   // accept(job, state, acceleration) ..., end(job, run)
///     }
class LaneIntegrator {
 public:
  /// Why integrate() must do it, in words; empty if lanes can.
  static std::string why_not(const Shape& shape, const IntegrateOptions& options);

  /// Error (model) if why_not() says so. The system must outlive this object.
  LaneIntegrator(const EquationSystem& system, IntegrateOptions options);
  ~LaneIntegrator();

  /// Until all jobs have ended, or `interrupt` of the options is set; then those under way end unfinished.
  void run(std::span<const LaneJob> jobs, LaneSink& sink);

 private:
  class Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace maggi
