#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integration/method/integrators.hpp"
#include "integration/method/make_step.hpp"
#include "integration/run/run_loop.hpp"

namespace maggi::integration {

namespace {

/// The loop around a one-step method: the step size follows the error, y is kept on the constraints after every
/// accepted step.
///
/// integrator = auto begins with an explicit method, the one that needs less work at the tolerance asked for. When
/// stability holds its steps back for long, radau5 goes on, until its steps are such as the explicit one could take.
class AdaptiveRun {
 public:
  explicit AdaptiveRun(RunLoop& loop)
      : loop_(loop),
        options_(loop.options()),
        automatic_(options_.integrator == Integrator::automatic),
        method_(first_integrator(options_)),
        step_(make_step()),
        control_(step_->rule()) {}

  IntegrationResult run() {
    bool on = loop_.begin(step_->y()) && begin();
    while (on && !loop_.done()) on = advance();
    return loop_.end();
  }

 private:
  enum class Trial { good, inaccurate, unsolvable, off_constraints };

  std::unique_ptr<OneStep> make_step() const {
    return integration::make_step(method_, loop_.size(), {options_.atol, options_.rtol});
  }
  bool begin();
  bool advance();
  bool restart();
  void follow_stiffness(double stretch);
  void change_method(Integrator method, const std::string& why);
  Trial attempt(double t_new, double h);
  bool give_up(Trial why);
  double first_step();
  double norm(const double* x) const;

  RunLoop& loop_;
  const IntegrateOptions& options_;
  bool automatic_;
  Integrator method_;
  std::unique_ptr<OneStep> step_;
  StepControl control_;
  double h_ = 0.0, error_ = 0.0;
  int for_change_ = 0, against_ = 0;  // steps that speak for another method; those since then that do not
};

bool AdaptiveRun::begin() {
  if (loop_.done()) return true;
  if (!loop_.form()(loop_.t(), step_->y(), step_->k1())) return loop_.stop_unsolvable(loop_.form().failure());
  h_ = std::min(options_.step > 0.0 ? options_.step : first_step(), options_.max_step);
  return true;
}

/// One accepted step, after as many attempts as it takes. false: the run is over.
bool AdaptiveRun::advance() {
  const double t = loop_.t(), until = loop_.horizon();
  for (;;) {
    const bool last = t + 1.01 * h_ >= until;  // extends the last step by up to 1 % instead of leaving a tiny remainder
    const double h = last ? until - t : h_, t_new = last ? until : t + h_;
    const Trial trial = attempt(t_new, h);
    if (trial == Trial::good) {
      h_ = std::min(control_.accepted(h, error_), options_.max_step);
      const double stretch = automatic_ ? step_->stretch() : 0.0;
      const bool on =
          loop_.accept(t_new, step_->y_kept(), [&](double at, double* y) { step_->interpolate(loop_.form(), at, y); });
      step_->advance();
      if (!on || (loop_.restarted() && !restart())) return false;
      if (automatic_) follow_stiffness(stretch);
      return true;
    }
    ++loop_.statistics().rejected;
    h_ = trial == Trial::inaccurate ? control_.rejected(h, error_) : control_.failed(h);
    if (h_ < loop_.smallest_step()) return give_up(trial);
  }
}

/// y has jumped: its rate is computed again, the step size is kept.
bool AdaptiveRun::restart() {
  if (step_->size() != loop_.size()) step_ = make_step();
  step_->forget();
  std::copy(loop_.y(), loop_.y() + loop_.size(), step_->y());
  return loop_.done() || loop_.form()(loop_.t(), step_->y(), step_->k1()) ||
         loop_.stop_unsolvable(loop_.form().failure());
}

/// As many steps as [HairerWanner1996, IV.2] waits for, not all of them in a row.
void AdaptiveRun::follow_stiffness(double stretch) {
  constexpr int enough = 15, doubt = 6;
  constexpr double easy = 2.0;  // |λ|h where the explicit methods are stable, and accurate
  const bool implicit = method_ == Integrator::radau5;
  if (implicit ? stretch < easy : stretch > step_->stable_stretch()) {
    against_ = 0;
    if (++for_change_ < enough || loop_.done()) return;
    if (implicit)
      change_method(first_integrator(options_),
                    fmt::format("no longer stiff: |λ|h = {:.2g} at h = {:.2g} s", stretch, h_));
    else
      change_method(Integrator::radau5,
                    fmt::format("stiff: stability holds the step at {:.2g} s, |λ|h = {:.2g}", h_, stretch));
  } else if (++against_ == doubt) {
    for_change_ = 0;
  }
}

void AdaptiveRun::change_method(Integrator method, const std::string& why) {
  method_ = method;
  const std::unique_ptr<OneStep> before = std::exchange(step_, make_step());
  std::copy(before->y(), before->y() + loop_.size(), step_->y());
  std::copy(before->k1(), before->k1() + loop_.size(), step_->k1());
  control_ = StepControl(step_->rule());
  for_change_ = against_ = 0;
  loop_.note_choice(fmt::format("{} goes on: {}", Choice(method_).name(), why));
}

AdaptiveRun::Trial AdaptiveRun::attempt(double t_new, double h) {
  if (!step_->compute(loop_.form(), loop_.t(), h)) return Trial::unsolvable;
  error_ = step_->error();
  if (!(error_ <= 1.0)) return std::isfinite(error_) ? Trial::inaccurate : Trial::unsolvable;

  std::copy(step_->y_new(), step_->y_new() + loop_.size(), step_->y_kept());
  if (!loop_.keeper().projects() && step_->rate_at_end()) {
    std::copy(step_->rate_at_end(), step_->rate_at_end() + loop_.size(), step_->k_kept());
    return Trial::good;
  }
  if (!loop_.keeper().keep(t_new, step_->y_kept(), loop_.largest_changes(step_->y()))) return Trial::off_constraints;
  return loop_.form()(t_new, step_->y_kept(), step_->k_kept()) ? Trial::good : Trial::unsolvable;
}

bool AdaptiveRun::give_up(Trial why) {
  if (why == Trial::off_constraints) return loop_.stop_lost();
  if (why == Trial::unsolvable && loop_.form().failed()) return loop_.stop_unsolvable(loop_.form().failure());
  int i = 0;
  for (int k = 1; k < loop_.size(); ++k)
    if (!(step_->error(k) <= step_->error(i))) i = k;
  return loop_.stop_too_small(
      fmt::format("at t = {:.9g} s the step fell below {:.2g} s; the error is largest in \"{}\" = {:.3g} (does the "
                  "solution end here? stiff? try integrator = radau5)",
                  loop_.t(), loop_.smallest_step(), loop_.form().name(i), step_->y()[i]));
}

double AdaptiveRun::norm(const double* x) const {
  const double* y = step_->y();
  double sum = 0.0;
  for (int i = 0; i < loop_.size(); ++i) {
    const double part = x[i] / (Tolerance{options_.atol, options_.rtol}.scale(y[i]));
    sum += part * part;
  }
  return loop_.size() > 0 ? std::sqrt(sum / loop_.size()) : 0.0;
}

/// From the size of y, ẏ and, by one step of Euler's method, ÿ. [HairerNorsettWanner1993, II.4 "starting step size"]
double AdaptiveRun::first_step() {
  const int n = loop_.size();
  const double *y = step_->y(), *k1 = step_->k1();
  double *y1 = step_->y_kept(), *k2 = step_->k_kept();
  const double limit = std::min(options_.max_step, loop_.until() - loop_.t());
  const double d0 = norm(y), d1 = norm(k1);
  const double h0 = std::min(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, limit);

  for (int i = 0; i < n; ++i) y1[i] = y[i] + h0 * k1[i];
  if (!loop_.form()(loop_.t() + h0, y1, k2)) return 1e-3 * h0;
  for (int i = 0; i < n; ++i) y1[i] = (k2[i] - k1[i]) / h0;
  const double d2 = norm(y1), most = std::max(d1, d2);
  const double h1 = most <= 1e-15 ? std::max(1e-6, 1e-3 * h0) : std::pow(0.01 / most, 1.0 / step_->rule().order);
  return std::min({100 * h0, h1, limit});
}

}  // namespace

IntegrationResult run_one_step(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options) {
  RunLoop loop(dynamics, start, sink, options);
  return AdaptiveRun(loop).run();
}

}  // namespace maggi::integration
