#pragma once
#include <string>
#include <vector>

#include "maggi/formula.hpp"

namespace maggi {

/// What is kept of a run: one number of one channel of its trajectory.
///
///     x1                     its last value
///     min(x1)  max(x1)       over the stored states
///     mean(x1)  rms(x1)      over the time, by trapezoids between the stored states
///     at(x1, 2.5)            at a time [s], exactly: a state is stored there; a formula over the parameters
struct Measure {
  enum class Kind { last, min, max, mean, rms, at };
  Kind kind = Kind::last;
  std::string text;     ///< as given
  std::string channel;  ///< see Trajectory
  Formula time{};       ///< of `at`

  /// Error (model) if it cannot be read.
  explicit Measure(const std::string& text);

  /// Does it need the states on the way, or only those at the end or at its time?
  bool on_the_way() const { return kind != Kind::last && kind != Kind::at; }
};

/// A measure on the way through a run.
class Meter {
 public:
  explicit Meter(Measure::Kind kind, double time = 0.0, double within = 0.0)
      : kind_(kind), time_(time), within_(within) {}
  void accept(double t, double value);  ///< in the order of time; at a jump twice at the same one
  bool any() const { return any_; }     ///< was there a value?
  double value() const;

 private:
  Measure::Kind kind_;
  double time_, within_;  // of `at`
  bool any_ = false;
  double begin_ = 0.0, t_ = 0.0, last_ = 0.0, result_ = 0.0;  // the result so far; of mean and rms the integral
};

}  // namespace maggi
