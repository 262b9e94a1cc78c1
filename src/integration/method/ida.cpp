#include <fmt/format.h>
#include <ida/ida.h>
#include <ida/ida_ls.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "integration/method/ggl_form.hpp"
#include "integration/method/integrators.hpp"
#include "integration/method/sundials_objects.hpp"
#include "integration/run/course.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

namespace {

/// IDA on the stabilised index-2 form: a cross-check that shares neither the formulation nor the drift control with
/// the other integrators. With drift = projection the stored states are projected; the integration is left alone.
class Ida {
 public:
  Ida(Course& course, Dynamics& dynamics);
  ~Ida() { IDAFree(&memory_); }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;

  IntegrationResult run();

 private:
  static int residual(double t, N_Vector y, N_Vector ydot, N_Vector r, void* self);

  bool set_up();
  void set_tolerances();
  bool advance();
  bool restart();
  long rejections() const;
  bool give_up(int flag);
  N_Vector vector() { return N_VNew_Serial(form_->size(), context_); }

  Course& course_;
  Dynamics& dynamics_;
  std::unique_ptr<GglForm> form_;
  SundialsMessages messages_;
  CarriedException carried_;
  SundialsContext context_;
  SundialsPtr<N_Vector> y_, ydot_, between_, kind_, atol_;
  SundialsPtr<SUNMatrix> matrix_;
  SundialsPtr<SUNLinearSolver> linear_;
  std::vector<double> start_, kept_;
  long rejected_ = 0;  // before the last restart
  void* memory_ = nullptr;
};

Ida::Ida(Course& course, Dynamics& dynamics)
    : course_(course), dynamics_(dynamics), start_(course.size()), kept_(course.size()) {}

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
  IDAFree(&memory_);
  memory_ = IDACreate(context_);
  if (!memory_) throw std::bad_alloc();
  form_ = std::make_unique<GglForm>(dynamics_);
  y_ = own(vector()), ydot_ = own(vector()), between_ = own(vector()), kind_ = own(vector()), atol_ = own(vector());
  if (!form_->begin(course_.t(), start_.data(), values(y_.get()), values(ydot_.get())))
    return course_.stop_unsolvable(Instant(course_.t(), start_.data(), start_.data() + course_.shape().nq()));

  const IntegrateOptions& options = course_.options();
  IDAInit(memory_, residual, course_.t(), y_.get(), ydot_.get());
  IDASetErrHandlerFn(memory_, SundialsMessages::handler, &messages_);
  IDASetUserData(memory_, this);
  set_tolerances();
  matrix_ = own(SUNDenseMatrix(form_->size(), form_->size(), context_));
  linear_ = own(SUNLinSol_Dense(y_.get(), matrix_.get(), context_));
  IDASetLinearSolver(memory_, linear_.get(), matrix_.get());
  if (options.step > 0.0) IDASetInitStep(memory_, std::min(options.step, course_.until() - course_.t()));
  if (std::isfinite(options.max_step)) IDASetMaxStep(memory_, options.max_step);
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
  IDASVtolerances(memory_, course_.options().rtol, atol_.get());
  IDASetId(memory_, kind_.get());
  IDASetSuppressAlg(memory_, SUNTRUE);
}

IntegrationResult Ida::run() {
  bool on = course_.begin(start_.data());
  if (on && !course_.done()) on = set_up();
  while (on && !course_.done()) on = advance();
  course_.statistics().rejected = rejected_ + rejections();
  return course_.end();
}

long Ida::rejections() const {
  if (!memory_) return 0;  // done before it began
  long errors = 0, divergences = 0;
  IDAGetNumErrTestFails(memory_, &errors);
  IDAGetNumNonlinSolvConvFails(memory_, &divergences);
  return errors + divergences;
}

bool Ida::advance() {
  double t = course_.t();
  IDASetStopTime(memory_, course_.horizon());
  const int flag = IDASolve(memory_, course_.until(), &t, y_.get(), ydot_.get(), IDA_ONE_STEP);
  carried_.rethrow();
  if (flag < 0) return give_up(flag);
  std::copy_n(values(y_.get()), course_.size(), kept_.data());
  if (!course_.keeper().keep(t, kept_.data(), course_.largest_changes(kept_.data()))) return course_.stop_lost();
  const bool on = course_.accept(t, kept_.data(), [&](double at, double* y) {
    IDAGetDky(memory_, at, 0, between_.get());
    std::copy_n(values(between_.get()), course_.size(), y);
  });
  return on && (!course_.restarted() || restart());
}

/// After an event: other rows have other multipliers.
bool Ida::restart() {
  rejected_ += rejections();
  std::copy_n(course_.y(), course_.size(), start_.data());
  return course_.done() || set_up();
}

bool Ida::give_up(int flag) {
  if (course_.form().failed()) return course_.stop_unsolvable(course_.form().failure());
  const char* help = flag == IDA_TOO_MUCH_ACC ? " (the tolerances ask for more than double precision has)" : "";
  return course_.stop_too_small(fmt::format("at t = {:.9g} s IDA gives up: {}{}", course_.t(), messages_.last, help));
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
