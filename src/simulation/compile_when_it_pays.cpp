#include "simulation/compile_when_it_pays.hpp"

#include <utility>

#include "integration/method/integrators.hpp"

namespace maggi {

namespace {
constexpr double part_of_run = 1.0 / 64;   // after which the rest is extrapolated
constexpr long enough_evaluations = 5000;  // or earlier, when so many have been counted
}  // namespace

CompileWhenItPays::CompileWhenItPays(System& system, const Dynamics& dynamics, Compile when, IntegrateOptions& options,
                                     double begin)
    : system_(system),
      dynamics_(dynamics),
      evaluator_(compile_formulas(system, when)),
      begin_(begin),
      until_(options.until),
      before_(dynamics.evaluations()) {
  if (when == Compile::always && evaluator_.name.empty())
    evaluator_.text = "none: bodies and joints are computed by the library, so --compile does nothing here";
  if (when != Compile::automatic || evaluator_.name != "tape" || !(until_ > begin_)) return;
  if (const int each = integration::entry_of(options.integrator).evaluations; each > 0 && options.step > 0.0) {
    evaluator_ = compile_formulas(system_, when, each * (until_ - begin_) / options.step);
    return;
  }
  options.progress = [this, then = std::move(options.progress)](double t) {
    if (!decided_) look(t);
    if (then) then(t);
  };
}

void CompileWhenItPays::look(double t) {
  const double passed = t - begin_, whole = until_ - begin_;
  const long evaluations = dynamics_.evaluations() - before_;
  if (passed <= 0.0 || (passed < part_of_run * whole && evaluations < enough_evaluations)) return;
  decided_ = true;
  const double to_come = static_cast<double>(evaluations) * (whole - passed) / passed;
  if (to_come > 0.0) evaluator_ = compile_formulas(system_, Compile::automatic, to_come);
}

}  // namespace maggi
