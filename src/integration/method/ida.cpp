#include <ida/ida.h>
#include <ida/ida_ls.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "integration/method/ggl_form.hpp"
#include "integration/method/sundials_integrators.hpp"
#include "integration/method/sundials_solver.hpp"
#include "integration/run/run_loop.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

namespace {

constexpr SundialsFunctions ida_functions {
  .name = "IDA", .free = IDAFree, .error_test_failures = IDAGetNumErrTestFails,
  .convergence_failures = IDAGetNumNonlinSolvConvFails, .interpolate = IDAGetDky,
  .use_linear_solver = IDASetLinearSolver, .too_much_accuracy = IDA_TOO_MUCH_ACC,
#if SUNDIALS_VERSION_MAJOR < 7
  .handle_errors = IDASetErrHandlerFn,
#endif
};

/// IDA on the stabilised index-2 form: a cross-check that shares neither the formulation nor the drift control with
/// the other integrators. With drift = projection the stored states are projected; the integration is left alone.
class Ida {
 public:
  Ida(RunLoop& loop, Dynamics& dynamics) : loop_(loop), dynamics_(dynamics), start_(loop.size()), kept_(loop.size()) {}

  IntegrationResult run();

 private:
  static int residual(double t, N_Vector y, N_Vector ydot, N_Vector r, void* self);

  bool set_up();
  void set_tolerances();
  bool advance();
  bool restart();
  bool give_up(int flag);

  RunLoop& loop_;
  Dynamics& dynamics_;
  std::unique_ptr<GglForm> form_;
  CarriedException carried_;
  SundialsSolver solver_{ida_functions};
  SundialsPtr<N_Vector> ydot_, kind_, atol_;
  std::vector<double> start_, kept_;
};

int Ida::residual(double t, N_Vector y, N_Vector ydot, N_Vector r, void* self) {
  auto& ida = *static_cast<Ida*>(self);
  return ida.carried_.guard([&] {
    ++ida.loop_.statistics().evaluations;
    if (ida.form_->residual(t, values(y), values(ydot), values(r))) return 0;
    ida.loop_.form().note_failure(t, values(y));
    return 1;  // recoverable: IDA tries a smaller step
  });
}

/// For the rows that are in force now.
bool Ida::set_up() {
  form_ = std::make_unique<GglForm>(dynamics_);
  solver_.create(IDACreate(solver_.context()), form_->size());
  ydot_ = solver_.new_vector(), kind_ = solver_.new_vector(), atol_ = solver_.new_vector();
  if (!form_->begin(loop_.t(), start_.data(), solver_.y(), values(ydot_.get())))
    return loop_.stop_unsolvable(Instant(loop_.t(), start_.data(), start_.data() + loop_.shape().nq()));

  const IntegrateOptions& options = loop_.options();
  void* const memory = solver_.memory();
  IDAInit(memory, residual, loop_.t(), solver_.vector(), ydot_.get());
  IDASetUserData(memory, this);
  set_tolerances();
  solver_.use_dense_matrices();
  if (options.step > 0.0) IDASetInitStep(memory, std::min(options.step, loop_.until() - loop_.t()));
  if (std::isfinite(options.max_step)) IDASetMaxStep(memory, options.max_step);
  return true;
}

/// Multipliers are algebraic: out of the error test, and loose in Newton's method, where they are found as accurately
/// as the velocities they push.
void Ida::set_tolerances() {
  constexpr double loose = 1e3;
  for (int i = 0; i < form_->size(); ++i) {
    const bool differential = i < loop_.size();
    values(kind_.get())[i] = differential ? 1.0 : 0.0;
    values(atol_.get())[i] = differential ? loop_.options().atol : loose;
  }
  IDASVtolerances(solver_.memory(), loop_.options().rtol, atol_.get());
  IDASetId(solver_.memory(), kind_.get());
  IDASetSuppressAlg(solver_.memory(), SUNTRUE);
}

IntegrationResult Ida::run() {
  bool on = loop_.begin(start_.data());
  if (on && !loop_.done()) on = set_up();
  while (on && !loop_.done()) on = advance();
  loop_.statistics().rejected = solver_.rejections();
  return loop_.end();
}

bool Ida::advance() {
  double t = loop_.t();
  IDASetStopTime(solver_.memory(), loop_.horizon());
  const int flag = IDASolve(solver_.memory(), loop_.until(), &t, solver_.vector(), ydot_.get(), IDA_ONE_STEP);
  carried_.rethrow();
  if (flag < 0) return give_up(flag);
  std::copy_n(solver_.y(), loop_.size(), kept_.data());
  if (!loop_.keeper().keep(t, kept_.data(), loop_.largest_changes(kept_.data()))) return loop_.stop_lost();
  const bool on =
      loop_.accept(t, kept_.data(), [&](double at, double* y) { solver_.interpolate(at, y, loop_.size()); });
  return on && (!loop_.restarted() || restart());
}

/// After an event: other rows have other multipliers.
bool Ida::restart() {
  if (loop_.done()) return true;
  solver_.about_to_restart();
  std::copy_n(loop_.y(), loop_.size(), start_.data());
  return set_up();
}

bool Ida::give_up(int flag) {
  if (loop_.form().failed()) return loop_.stop_unsolvable(loop_.form().failure());
  return loop_.stop_too_small(solver_.why_it_gives_up(loop_.t(), flag));
}

}  // namespace

IntegrationResult run_ida(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options) {
  RunLoop loop(dynamics, start, sink, options);
  return Ida(loop, dynamics).run();
}

}  // namespace maggi::integration
