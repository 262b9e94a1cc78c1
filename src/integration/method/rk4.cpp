#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/largest.hpp"
#include "integration/method/integrators.hpp"
#include "integration/run/run_loop.hpp"

namespace maggi::integration {

namespace {

/// The classical method of order 4 with a fixed step, t_k = t₀ + k h; the last step is shortened to end at `until`.
/// In between: cubic Hermite interpolation of (y, ẏ) at both ends, error O(h⁴).
class Rk4 {
 public:
  explicit Rk4(RunLoop& loop) : loop_(loop) { resize(); }

  IntegrationResult run() {
    bool on = loop_.begin(y_.data()) && evaluate(loop_.t(), y_, k1_);
    const double from = loop_.t(), step = loop_.options().step;
    for (long k = 1; on && !loop_.done();) {
      on = advance(from + static_cast<double>(k) * step);
      while (from + static_cast<double>(k) * step <= loop_.t() + crumb()) ++k;  // an event may end a step early
    }
    return loop_.end();
  }

 private:
  using Values = std::vector<double>;

  void resize() {
    size_ = loop_.size();
    for (Values* values : {&y_, &y_new_, &stage_, &k1_, &k2_, &k3_, &k4_, &k_new_, &most_}) values->resize(size_);
  }
  double crumb() const { return 1e-9 * loop_.options().step; }  // a remainder of rounding size is not a step
  bool advance(double t_new);
  bool evaluate(double t, const Values& y, Values& k) {
    return loop_.form()(t, y.data(), k.data()) ||
           loop_.stop_unsolvable(loop_.form().failure(), "a fixed step cannot be reduced; try integrator = dopri5");
  }
  void move(double h, const Values& k) {
    for (int i = 0; i < size_; ++i) stage_[i] = y_[i] + h * k[i];
  }
  const double* largest_changes();
  void interpolate(double t, double t_new, double* y) const;

  RunLoop& loop_;
  int size_ = 0;
  Values y_, y_new_, stage_, k1_, k2_, k3_, k4_, k_new_, most_;
};

bool Rk4::advance(double t_new) {
  const double t = loop_.t();
  if (t_new + crumb() >= loop_.horizon()) t_new = loop_.horizon();
  const double h = t_new - t;

  move(h / 2, k1_);
  if (!evaluate(t + h / 2, stage_, k2_)) return false;
  move(h / 2, k2_);
  if (!evaluate(t + h / 2, stage_, k3_)) return false;
  move(h, k3_);
  if (!evaluate(t_new, stage_, k4_)) return false;
  for (int i = 0; i < size_; ++i) y_new_[i] = y_[i] + h / 6 * (k1_[i] + 2 * k2_[i] + 2 * k3_[i] + k4_[i]);

  if (!loop_.keeper().keep(t_new, y_new_.data(), largest_changes())) return loop_.stop_lost();
  if (!evaluate(t_new, y_new_, k_new_)) return false;
  const bool on = loop_.accept(t_new, y_new_.data(), [&](double at, double* y) { interpolate(at, t_new, y); });
  std::swap(y_, y_new_);
  std::swap(k1_, k_new_);
  if (!on || !loop_.restarted()) return on;
  resize();
  std::copy(loop_.y(), loop_.y() + size_, y_.data());
  return loop_.done() || evaluate(loop_.t(), y_, k1_);
}

/// A projection that moves the state by a tenth of what the step did corrects no error, it jumps.
const double* Rk4::largest_changes() {
  Largest step;
  for (int i = 0; i < size_; ++i) step.note(y_new_[i] - y_[i]);
  for (int i = 0; i < size_; ++i) most_[i] = 0.1 * step.value() + 1e-9 * (1.0 + std::abs(y_[i]));
  return most_.data();
}

void Rk4::interpolate(double at, double t_new, double* y) const {
  const double t = loop_.t(), h = t_new - t, x = (at - t) / h, z = 1 - x;
  for (int i = 0; i < size_; ++i)
    y[i] = z * y_[i] + x * y_new_[i] + x * z * ((x - z) * (y_new_[i] - y_[i]) + h * (z * k1_[i] - x * k_new_[i]));
}

}  // namespace

IntegrationResult run_rk4(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options) {
  RunLoop loop(dynamics, start, sink, options);
  return Rk4(loop).run();
}

}  // namespace maggi::integration
