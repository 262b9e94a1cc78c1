#pragma once
#include <memory>
#include <vector>

#include "integration/drift/constraint_keeper.hpp"
#include "integration/drift/rank_monitor.hpp"
#include "integration/form/form.hpp"
#include "integration/run/recorder.hpp"
#include "integration/singular/singularity_search.hpp"
#include "integration/sink/options.hpp"
#include "integration/sink/result.hpp"
#include "integration/sink/sink.hpp"

namespace maggi::integration {

/// The last accepted state of a run, as (q, v) and as the integrated variables y, and the objects that follow it: the
/// form of the equations, the projection, the rank of the constraints, the recorder.
struct RunState {
  RunState(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options);

  const Shape& shape() const { return dynamics.shape(); }
  int size() const { return form->size(); }
  bool done() const { return t >= options.until; }
  double span() const { return options.until - start.t; }

  /// Below this step size t + h can no longer be distinguished from t.
  double smallest_step() const;
  /// By how much the projection may change the entries of y: it removes local errors, it does not jump.
  const double* largest_changes(const double* of_y);
  /// The work done on the system since the start; 0 if it is not integrated.
  double work() const { return form->work_entry() < 0 ? 0.0 : y[form->work_entry()]; }

  /// Projects `from`, sets y to it and decides which rows are independent there, for the rows that are in force now.
  /// Returns false if the constraints cannot be met.
  bool begin_from(State& from);

  /// The state, next to it on the constraints where drift is not removed by projection: for what measures the rank.
  const State& on_constraints();

  /// Switches to another form of the equations. The caller must then fill `y`, except for its work entry.
  void use(std::unique_ptr<Form> other, double work);

  /// After an accepted step: the form may choose other variables for the same state; the integrator restarts then.
  void renew_form();

  Dynamics& dynamics;
  const IntegrateOptions& options;
  State start;
  Statistics statistics;
  std::unique_ptr<Form> form;
  ConstraintKeeper keeper;
  RankMonitor monitor;
  SingularitySearch search;
  Recorder recorder;

  double t;                ///< of the last accepted state [s]
  State state;             ///< that y stands for
  std::vector<double> y;   ///< the integrated variables at t
  bool restarted = false;  ///< y has jumped, or the step was shortened: the integrator must discard its history
  std::vector<EventRecord> events{};  ///< in the order of time

 private:
  std::vector<double> allowed_;  // largest_changes()
  State near_;                   // on_constraints()
};

}  // namespace maggi::integration
