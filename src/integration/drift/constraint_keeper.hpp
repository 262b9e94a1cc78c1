#pragma once
#include <string>

#include "integration/form/form.hpp"
#include "integration/sink/options.hpp"
#include "integration/sink/result.hpp"
#include "integration/sink/sink.hpp"
#include "manifold/projection.hpp"

namespace maggi::integration {

/// Keeps states on the constraints, if drift control is wanted. Allocates nothing after construction.
class ConstraintKeeper {
 public:
  ConstraintKeeper(Dynamics& dynamics, Form& form, bool project, Statistics& statistics);

  bool projects() const { return project_ && rows_; }
  bool has_rows() const { return rows_; }  ///< of position or velocity level, in force now or later

  /// The state on the constraints that is next to this one, which the monitor and the searches need, also where drift
  /// is controlled otherwise or not at all. false if there is none near.
  bool nearest(State& state);
  /// A step over a singular configuration is made on the constraints, whatever the drift control.
  void insist(bool on) { insist_ = on; }

  /// Projects a state. false if the constraints cannot be met near it; then explain_lost() says which.
  bool keep(State& state);

  /// The same for unknowns y. false also if entry i would change by more than most[i]: then it is not drift that is
  /// removed, but another branch of the motion that is jumped to.
  bool keep(double t, double* y, const double* most);

  void follow_rows();    ///< the active rows of the dynamics are others
  void use(Form& form);  ///< from now on

  Projection& projection() { return projection_; }
  Residuals residuals(const State& state) { return projection_.residuals(state, dynamics_.workspace()); }
  std::string explain_lost();
  void note_lost(const State& state) { refuse(state, -1); }  ///< the constraints cannot be met here
  const State& failed() const { return failed_; }            ///< where they could not be met last

  /// Below it a scaled residual is no reason to stop. Redundant velocity rows agree only as far as the positions are
  /// met: their residual is rounding of q times the speed.
  static double rounding(const State& state);

 private:
  bool keeps() const { return rows_ && (project_ || insist_); }
  bool refuse(const State& state, int far);
  std::vector<std::string> contradicting();

  Dynamics& dynamics_;
  Form* form_;
  const Shape& shape_;
  Projection projection_;
  Statistics& statistics_;
  bool project_, rows_, insist_ = false;
  State state_, failed_;  // for y; where keep() failed last
  std::vector<double> kept_;
  int far_ = -1;  // the entry of y that would change too much
};

}  // namespace maggi::integration
