#pragma once
#include <limits>
#include <string>

#include "dynamics/contact_check.hpp"
#include "integration/drift/constraint_keeper.hpp"
#include "integration/drift/rank_monitor.hpp"
#include "integration/form/form.hpp"
#include "integration/run/state_check.hpp"
#include "integration/singular/singular_crossing.hpp"
#include "integration/sink/options.hpp"
#include "integration/sink/output_times.hpp"
#include "integration/sink/result.hpp"
#include "integration/sink/sink.hpp"

namespace maggi::integration {

/// Passes the states that are due to the sink: interpolated, projected, with v̇, λ and residuals.
/// An interpolant is called as at(t, y) and writes y.
class Recorder {
 public:
  Recorder(Dynamics& dynamics, Form& form, ConstraintKeeper& keeper, RankMonitor& monitor, Sink& sink, double from,
           const IntegrateOptions& options, const Statistics& statistics);

  /// Is a state due before t, inside the step that ends there?
  bool due_before(double t) const { return !times_.every_step() && times_.due() < t; }

  /// Stores all states due before t. false if one of them could not be: see trouble().
  template <class Interpolant>
  bool before(double t, const Interpolant& at) {
    for (; due_before(t); times_.stored()) {
      at(times_.due(), y_.data());
      if (!load(times_.due(), y_.data()) || !kept() || !store()) return false;
    }
    return true;
  }

  /// Stores the state at t if it is due; it has been kept already.
  bool arrive(double t, const double* y);
  /// Stores a state at an event, due or not; `again`: also if one is stored at this time.
  bool insert(double t, const double* y, bool again);
  /// The last state of a run that ends early, if it is not stored yet; may fail silently.
  void stop(double t, const double* y);

  void use(Form& form);                                              ///< from now on
  void follow(SingularCrossing* crossing) { crossing_ = crossing; }  ///< states now lie on it; null: no longer

  enum class Trouble { none, constraints, accelerations, check, contacts };
  Trouble trouble() const { return trouble_; }
  const StateCheck& check() const { return check_; }           ///< says what is wrong, if that is the trouble
  const State& state() const { return state_; }                ///< the last one tried
  const std::string& violation() const { return violation_; }  ///< of what contacts can do

 private:
  bool due_at(double t) const { return !times_.every_step() && times_.due() == t; }
  bool taken(bool due);  // after a state has been stored: the next one
  bool load(double t, const double* y);
  bool kept();
  bool store();
  double distance();

  Dynamics& dynamics_;
  Form* form_;
  ConstraintKeeper& keeper_;
  RankMonitor& monitor_;
  SingularCrossing* crossing_ = nullptr;
  Sink& sink_;
  StateCheck check_;
  OutputTimes times_;
  double stored_ = -std::numeric_limits<double>::infinity();  // time of the last state stored
  Vector y_;
  State state_, near_;  // near: on the constraints
  Acceleration acceleration_;
  double work_ = 0.0;
  bool ends_ = false;  // the run has ended, and says why
  Trouble trouble_ = Trouble::none;
  ContactCheck contacts_;
  std::string violation_;
};

}  // namespace maggi::integration
