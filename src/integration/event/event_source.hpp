#pragma once
#include <memory>
#include <vector>

#include "dynamics/contact_decision.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/sink/options.hpp"
#include "integration/sink/result.hpp"
#include "integration/sink/sink.hpp"

namespace maggi::integration {

/// What follows when functions have crossed zero: the mode from now on, and what the run reports.
struct Consequence {
  Mode mode;                         ///< as it is; whoever fires changes it
  bool stop = false;                 ///< the run ends here
  std::vector<EventRecord> records;  ///< name, what, on, off; the run adds the time and the jump
  std::vector<int> struck{};         ///< one-sided rows whose gap has closed; the run makes the velocities jump
  bool decide = false;               ///< what is in force must be decided again, at the velocities after a jump
  ContactsEnded ended{};             ///< what has brought this about
};

/// Functions of the state whose zeros are events, and what happens there.
class EventSource {
 public:
  virtual ~EventSource() = default;

  virtual int count() const = 0;
  virtual Crossing crossing(int i) const = 0;
  /// May function i not become negative? Then it has crossed zero also if it leaves it downwards.
  virtual bool keeps_positive(int /*i*/) const { return false; }

  /// At the start, and after an event: from here the functions are watched in the present mode of the dynamics.
  virtual void arm(const State& /*at*/) {}

  /// Does function i mean anything in the present mode of the dynamics?
  virtual bool watched(int /*i*/) const { return true; }
  /// The functions in the present mode. Error (numerics) if one that is watched is not finite.
  virtual void values(const Instant& at, const Acceleration& a, double* values) = 0;

  /// After a step without any event: what follows the motion smoothly.
  virtual void follow(const Instant& /*at*/) {}

  /// Function i has crossed zero at this state, with these accelerations before the event. May try other modes of the
  /// dynamics, and leaves it in the present one; the one that counts is that of the consequence.
  virtual void fire(int i, const State& at, const Acceleration& a, Consequence& consequence) = 0;
};

/// All sources that a system has.
std::vector<std::unique_ptr<EventSource>> make_event_sources(Dynamics& dynamics, const IntegrateOptions& options);

}  // namespace maggi::integration
