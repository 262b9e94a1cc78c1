#pragma once
#include "dynamics/dynamics.hpp"
#include "integration/sink/options.hpp"
#include "maggi/run_options.hpp"
#include "system/formula_evaluator.hpp"

namespace maggi {

/// Decides whether the formulas of a run are compiled. `always` and `never` are done at once; `automatic` uses code
/// that is in the cache, and otherwise looks at the run itself: after its first part the number of evaluations that are
/// still to come is known well enough to say whether compiling pays. Compiled formulas give the same bits, so the run
/// goes on with them.
class CompileWhenItPays {
 public:
  /// Hooks itself into the progress function of the options, which it must outlive.
  CompileWhenItPays(System& system, const Dynamics& dynamics, Compile when, IntegrateOptions& options, double begin);
  CompileWhenItPays(const CompileWhenItPays&) = delete;
  CompileWhenItPays& operator=(const CompileWhenItPays&) = delete;

  const FormulaEvaluator& evaluator() const { return evaluator_; }  ///< what evaluates them at present

 private:
  void look(double t);

  System& system_;
  const Dynamics& dynamics_;
  FormulaEvaluator evaluator_;
  double begin_, until_;
  long before_;  // evaluations at the begin of the run
  bool decided_ = false;
};

}  // namespace maggi
