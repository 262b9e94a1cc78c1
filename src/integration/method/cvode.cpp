#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <fmt/format.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "integration/method/integrators.hpp"
#include "integration/method/sundials_objects.hpp"
#include "integration/run/course.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

namespace {

/// CVODE: BDF with Newton's method and the projection inside every step, or Adams with functional
/// iteration and no projection. [HindmarshEtAl2005]
class Cvode {
 public:
  Cvode(Course& course, int method);
  ~Cvode() { CVodeFree(&memory_); }
  Cvode(const Cvode&) = delete;
  Cvode& operator=(const Cvode&) = delete;

  IntegrationResult run();

 private:
  static int rate(double t, N_Vector y, N_Vector ydot, void* self);
  static int project(double t, N_Vector y, N_Vector correction, double tolerance, N_Vector error, void* self);

  void create();
  void set_up();
  void set_up_solver();
  long rejections() const;
  bool advance();
  void restart();
  bool give_up(int flag);

  Course& course_;
  int method_;
  SundialsMessages messages_;
  CarriedException carried_;
  SundialsContext context_;
  SundialsPtr<N_Vector> y_, between_;
  SundialsPtr<SUNMatrix> matrix_;
  SundialsPtr<SUNLinearSolver> linear_;
  SundialsPtr<SUNNonlinearSolver> nonlinear_;
  std::vector<double> kept_;
  long rejected_ = 0;  // before the last restart
  void* memory_ = nullptr;
};

Cvode::Cvode(Course& course, int method) : course_(course), method_(method) { create(); }

/// For as many unknowns as there are now.
void Cvode::create() {
  if (course_.size() == 0)
    throw Error(Errc::model, {}, "there is nothing to integrate: the constraints determine the motion",
                "take integrator = dopri5, or unknowns = velocities");
  CVodeFree(&memory_);
  memory_ = CVodeCreate(method_, context_);
  if (!memory_) throw std::bad_alloc();
  y_ = own(N_VNew_Serial(course_.size(), context_));
  between_ = own(N_VNew_Serial(course_.size(), context_));
  kept_.resize(course_.size());
}

int Cvode::rate(double t, N_Vector y, N_Vector ydot, void* self) {
  auto& cvode = *static_cast<Cvode*>(self);
  return cvode.carried_.guard([&] {
    return cvode.course_.form()(t, values(y), values(ydot)) ? 0 : 1;  // 1: recoverable, try a smaller step
  });
}

int Cvode::project(double t, N_Vector y, N_Vector correction, double, N_Vector, void* self) {
  auto& cvode = *static_cast<Cvode*>(self);
  return cvode.carried_.guard([&] {
    double* const kept = cvode.kept_.data();
    const int size = cvode.course_.size();
    std::copy_n(values(y), size, kept);
    if (!cvode.course_.keeper().keep(t, kept, cvode.course_.largest_changes(kept))) return 1;
    for (int i = 0; i < size; ++i) values(correction)[i] = kept[i] - values(y)[i];
    return 0;
  });
}

void Cvode::set_up() {
  const IntegrateOptions& options = course_.options();
  CVodeInit(memory_, rate, course_.t(), y_.get());
  CVodeSetErrHandlerFn(memory_, SundialsMessages::handler, &messages_);
  CVodeSetUserData(memory_, this);
  CVodeSStolerances(memory_, options.rtol, options.atol);
  CVodeSetMaxHnilWarns(memory_, -1);
  if (options.step > 0.0) CVodeSetInitStep(memory_, std::min(options.step, course_.until() - course_.t()));
  if (std::isfinite(options.max_step)) CVodeSetMaxStep(memory_, options.max_step);
  set_up_solver();
}

void Cvode::set_up_solver() {
  if (method_ == CV_ADAMS) {
    nonlinear_ = own(SUNNonlinSol_FixedPoint(y_.get(), 0, context_));
    CVodeSetNonlinearSolver(memory_, nonlinear_.get());
    return;
  }
  matrix_ = own(SUNDenseMatrix(course_.size(), course_.size(), context_));
  linear_ = own(SUNLinSol_Dense(y_.get(), matrix_.get(), context_));
  CVodeSetLinearSolver(memory_, linear_.get(), matrix_.get());
  if (!course_.keeper().projects()) return;
  CVodeSetProjFn(memory_, project);
  CVodeSetProjFrequency(memory_, 1);
  CVodeSetProjErrEst(memory_, SUNFALSE);  // the state is projected, its error estimate is not
}

IntegrationResult Cvode::run() {
  bool on = course_.begin(values(y_.get()));
  if (on && !course_.done()) set_up();
  while (on && !course_.done()) on = advance();
  course_.statistics().rejected = rejected_ + rejections();
  return course_.end();
}

long Cvode::rejections() const {
  long errors = 0, divergences = 0;
  CVodeGetNumErrTestFails(memory_, &errors);
  CVodeGetNumNonlinSolvConvFails(memory_, &divergences);
  return errors + divergences;
}

bool Cvode::advance() {
  double t = course_.t();
  CVodeSetStopTime(memory_, course_.horizon());
  const int flag = CVode(memory_, course_.until(), y_.get(), &t, CV_ONE_STEP);
  carried_.rethrow();
  if (flag < 0) return give_up(flag);
  const bool on = course_.accept(t, values(y_.get()), [&](double at, double* y) {
    CVodeGetDky(memory_, at, 0, between_.get());
    std::copy_n(values(between_.get()), course_.size(), y);
  });
  if (on && course_.restarted()) restart();
  return on;
}

/// y has jumped: the history of the multistep method is of no use.
void Cvode::restart() {
  rejected_ += rejections();
  if (course_.done()) return;
  const bool other_size = static_cast<int>(kept_.size()) != course_.size();
  if (other_size) create();
  std::copy_n(course_.y(), course_.size(), values(y_.get()));
  if (other_size) set_up();
  CVodeReInit(memory_, course_.t(), y_.get());
  CVodeSetInitStep(memory_, 0.0);
}

bool Cvode::give_up(int flag) {
  switch (flag) {
    case CV_PROJFUNC_FAIL:
    case CV_REPTD_PROJFUNC_ERR: return course_.stop_lost();
    default: break;
  }
  if (course_.form().failed()) return course_.stop_unsolvable(course_.form().failure());
  const char* help = flag == CV_TOO_MUCH_ACC ? " (the tolerances ask for more than double precision has)" : "";
  return course_.stop_too_small(fmt::format("at t = {:.9g} s CVODE gives up: {}{}", course_.t(), messages_.last, help));
}

}  // namespace

IntegrationResult run_cvode_bdf(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options) {
  Course course(dynamics, start, sink, options);
  return Cvode(course, CV_BDF).run();
}

IntegrationResult run_cvode_adams(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options) {
  Course course(dynamics, start, sink, options);
  return Cvode(course, CV_ADAMS).run();
}

}  // namespace maggi::integration
