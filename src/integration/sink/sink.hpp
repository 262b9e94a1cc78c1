#pragma once
#include <vector>

#include "maggi/expert/system.hpp"
#include "maggi/mode.hpp"
#include "maggi/outcome.hpp"
#include "manifold/projection.hpp"

namespace maggi {

/// A stored state with all that belongs to it.
struct Sample {
  const State& state;                ///< projected
  const Acceleration& acceleration;  ///< at that state
  Residuals residuals;
  const Mode* mode = nullptr;  ///< what is in force
  double work = 0.0;           ///< [J] on the system since the start, of all forces without potential; with laws only
  /// Smallest sine between an independent position or velocity row and the others, or what is left of a row that
  /// vanishes; 0: the rank drops here.
  double distance_to_singularity = 1.0;
};

/// Receiver of the results: integrate() calls accept() for every stored state, in the order of time.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void accept(const Sample& sample) = 0;
  virtual bool follows() const { return false; }  ///< does it want to see every accepted step, too?
  virtual void pass(const State& /*state*/) {}    ///< an accepted step, after what is stored of it
  /// Called at the beginning: where the events of the run are recorded, as long as it lasts.
  virtual void watch(const std::vector<EventRecord>& /*events*/) {}
};

}  // namespace maggi
