#include <ida/ida.h>
#include <ida/ida_ls.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "integration/method/ggl_form.hpp"
#include "integration/method/sundials_integrators.hpp"
#include "integration/method/sundials_solver.hpp"
#include "integration/run/course.hpp"
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
  Ida(Course& course, Dynamics& dynamics)
      : course_(course), dynamics_(dynamics), start_(course.size()), kept_(course.size()) {}

  IntegrationResult run();

 private:
  static int residual(double t, N_Vector y, N_Vector ydot, N_Vector r, void* self);

  bool set_up();
  void set_tolerances();
  bool advance();
  bool restart();
  bool give_up(int flag);

  Course& course_;
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
    ++ida.course_.statistics().evaluations;
    if (ida.form_->residual(t, values(y), values(ydot), values(r))) return 0;
    ida.course_.form().note_failure(t, values(y));
    return 1;  // recoverable: IDA tries a smaller step
  });
}

/// For the rows that are in force now.
bool Ida::set_up() {
  form_ = std::make_unique<GglForm>(dynamics_);
  solver_.create(IDACreate(solver_.context()), form_->size());
  ydot_ = solver_.new_vector(), kind_ = solver_.new_vector(), atol_ = solver_.new_vector();
  if (!form_->begin(course_.t(), start_.data(), solver_.y(), values(ydot_.get())))
    return course_.stop_unsolvable(Instant(course_.t(), start_.data(), start_.data() + course_.shape().nq()));

  const IntegrateOptions& options = course_.options();
  void* const memory = solver_.memory();
  IDAInit(memory, residual, course_.t(), solver_.vector(), ydot_.get());
  IDASetUserData(memory, this);
  set_tolerances();
  solver_.use_dense_matrices();
  if (options.step > 0.0) IDASetInitStep(memory, std::min(options.step, course_.until() - course_.t()));
  if (std::isfinite(options.max_step)) IDASetMaxStep(memory, options.max_step);
  return true;
}

/// Multipliers are algebraic: out of the error test, and loose in Newton's method, where they are found as accurately
/// as the velocities they push.
void Ida::set_tolerances() {
  constexpr double loose = 1e3;
  for (int i = 0; i < form_->size(); ++i) {
    const bool differential = i < course_.size();
    values(kind_.get())[i] = differential ? 1.0 : 0.0;
    values(atol_.get())[i] = differential ? course_.options().atol : loose;
  }
  IDASVtolerances(solver_.memory(), course_.options().rtol, atol_.get());
  IDASetId(solver_.memory(), kind_.get());
  IDASetSuppressAlg(solver_.memory(), SUNTRUE);
}

IntegrationResult Ida::run() {
  bool on = course_.begin(start_.data());
  if (on && !course_.done()) on = set_up();
  while (on && !course_.done()) on = advance();
  course_.statistics().rejected = solver_.rejections();
  return course_.end();
}

bool Ida::advance() {
  double t = course_.t();
  IDASetStopTime(solver_.memory(), course_.horizon());
  const int flag = IDASolve(solver_.memory(), course_.until(), &t, solver_.vector(), ydot_.get(), IDA_ONE_STEP);
  carried_.rethrow();
  if (flag < 0) return give_up(flag);
  std::copy_n(solver_.y(), course_.size(), kept_.data());
  if (!course_.keeper().keep(t, kept_.data(), course_.largest_changes(kept_.data()))) return course_.stop_lost();
  const bool on =
      course_.accept(t, kept_.data(), [&](double at, double* y) { solver_.interpolate(at, y, course_.size()); });
  return on && (!course_.restarted() || restart());
}

/// After an event: other rows have other multipliers.
bool Ida::restart() {
  if (course_.done()) return true;
  solver_.about_to_restart();
  std::copy_n(course_.y(), course_.size(), start_.data());
  return set_up();
}

bool Ida::give_up(int flag) {
  if (course_.form().failed()) return course_.stop_unsolvable(course_.form().failure());
  return course_.stop_too_small(solver_.why_it_gives_up(course_.t(), flag));
}

}  // namespace

IntegrationResult run_ida(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options) {
  if (!dynamics.shape().laws.empty() || !dynamics.shape().controls.empty())
    throw Error(Errc::model, {}, "integrator = ida knows ideal constraints only, not force laws or controls",
                "use dopri5");
  Course course(dynamics, start, sink, options);
  return Ida(course, dynamics).run();
}

}  // namespace maggi::integration
