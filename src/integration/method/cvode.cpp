#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "integration/method/sundials_integrators.hpp"
#include "integration/method/sundials_solver.hpp"
#include "integration/run/run_loop.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

namespace {

constexpr SundialsFunctions cvode_functions {
  .name = "CVODE", .free = CVodeFree, .error_test_failures = CVodeGetNumErrTestFails,
  .convergence_failures = CVodeGetNumNonlinSolvConvFails, .interpolate = CVodeGetDky,
  .use_linear_solver = CVodeSetLinearSolver, .too_much_accuracy = CV_TOO_MUCH_ACC,
#if SUNDIALS_VERSION_MAJOR < 7
  .handle_errors = CVodeSetErrHandlerFn,
#endif
};

/// CVODE: BDF with Newton's method and the projection inside every step, or Adams with functional
/// iteration and no projection. [HindmarshEtAl2005]
class Cvode {
 public:
  Cvode(RunLoop& loop, int method) : loop_(loop), method_(method) { create(); }

  IntegrationResult run();

 private:
  static int rate(double t, N_Vector y, N_Vector ydot, void* self);
  static int project(double t, N_Vector y, N_Vector correction, double tolerance, N_Vector error, void* self);

  void create();
  void set_up();
  void set_up_method();
  bool advance();
  void restart();
  bool give_up(int flag);

  RunLoop& loop_;
  int method_;
  CarriedException carried_;
  SundialsSolver solver_{cvode_functions};
  SundialsPtr<SUNNonlinearSolver> nonlinear_;
  std::vector<double> kept_;
};

/// For as many unknowns as there are now.
void Cvode::create() {
  if (loop_.size() == 0)
    throw Error(
        Errc::model, {}, "there is nothing to integrate: the constraints determine the motion",
        loop_.shape().n() == 0 ? "take integrator = dopri5" : "take integrator = dopri5, or unknowns = velocities");
  solver_.create(CVodeCreate(method_, solver_.context()), loop_.size());
  kept_.resize(loop_.size());
}

int Cvode::rate(double t, N_Vector y, N_Vector ydot, void* self) {
  auto& cvode = *static_cast<Cvode*>(self);
  return cvode.carried_.guard([&] {
    return cvode.loop_.form()(t, values(y), values(ydot)) ? 0 : 1;  // 1: recoverable, try a smaller step
  });
}

int Cvode::project(double t, N_Vector y, N_Vector correction, double, N_Vector, void* self) {
  auto& cvode = *static_cast<Cvode*>(self);
  return cvode.carried_.guard([&] {
    double* const kept = cvode.kept_.data();
    const int size = cvode.loop_.size();
    std::copy_n(values(y), size, kept);
    if (!cvode.loop_.keeper().keep(t, kept, cvode.loop_.largest_changes(kept))) return 1;
    for (int i = 0; i < size; ++i) values(correction)[i] = kept[i] - values(y)[i];
    return 0;
  });
}

void Cvode::set_up() {
  const IntegrateOptions& options = loop_.options();
  void* const memory = solver_.memory();
  CVodeInit(memory, rate, loop_.t(), solver_.vector());
  CVodeSetUserData(memory, this);
  CVodeSStolerances(memory, options.rtol, options.atol);
  CVodeSetMaxHnilWarns(memory, -1);
  if (options.step > 0.0) CVodeSetInitStep(memory, std::min(options.step, loop_.until() - loop_.t()));
  if (std::isfinite(options.max_step)) CVodeSetMaxStep(memory, options.max_step);
  set_up_method();
}

void Cvode::set_up_method() {
  void* const memory = solver_.memory();
  if (method_ == CV_ADAMS) {
    nonlinear_ = own(SUNNonlinSol_FixedPoint(solver_.vector(), 0, solver_.context()));
    CVodeSetNonlinearSolver(memory, nonlinear_.get());
    return;
  }
  solver_.use_dense_matrices();
  if (!loop_.keeper().projects()) return;
  CVodeSetProjFn(memory, project);
  CVodeSetProjFrequency(memory, 1);
  CVodeSetProjErrEst(memory, SUNFALSE);  // the state is projected, its error estimate is not
}

IntegrationResult Cvode::run() {
  bool on = loop_.begin(solver_.y());
  if (on && !loop_.done()) set_up();
  while (on && !loop_.done()) on = advance();
  loop_.statistics().rejected = solver_.rejections();
  return loop_.end();
}

bool Cvode::advance() {
  double t = loop_.t();
  CVodeSetStopTime(solver_.memory(), loop_.horizon());
  const int flag = CVode(solver_.memory(), loop_.until(), solver_.vector(), &t, CV_ONE_STEP);
  carried_.rethrow();
  if (flag < 0) return give_up(flag);
  const bool on = loop_.accept(t, solver_.y(), [&](double at, double* y) { solver_.interpolate(at, y, loop_.size()); });
  if (on && loop_.restarted()) restart();
  return on;
}

/// y has jumped: the history of the multistep method is of no use.
void Cvode::restart() {
  if (loop_.done()) return;
  solver_.about_to_restart();
  const bool other_size = static_cast<int>(kept_.size()) != loop_.size();
  if (other_size) create();
  std::copy_n(loop_.y(), loop_.size(), solver_.y());
  if (other_size) set_up();
  CVodeReInit(solver_.memory(), loop_.t(), solver_.vector());
  CVodeSetInitStep(solver_.memory(), 0.0);
}

bool Cvode::give_up(int flag) {
  if (flag == CV_PROJFUNC_FAIL || flag == CV_REPTD_PROJFUNC_ERR) return loop_.stop_lost();
  if (loop_.form().failed()) return loop_.stop_unsolvable(loop_.form().failure());
  return loop_.stop_too_small(solver_.why_it_gives_up(loop_.t(), flag));
}

}  // namespace

IntegrationResult run_cvode_bdf(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options) {
  RunLoop loop(dynamics, start, sink, options);
  return Cvode(loop, CV_BDF).run();
}

IntegrationResult run_cvode_adams(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options) {
  RunLoop loop(dynamics, start, sink, options);
  return Cvode(loop, CV_ADAMS).run();
}

}  // namespace maggi::integration
