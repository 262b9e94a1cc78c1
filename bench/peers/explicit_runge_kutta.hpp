#pragma once
// An explicit Runge-Kutta method with step control for a system of fixed size, and nothing else: what an integrator may
// cost besides its evaluations. The coefficients come from ARKODE.
#include <arkode/arkode_erkstep.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bench {

template <int n>
class ExplicitRungeKutta {
 public:
  using State = std::array<double, n>;

  explicit ExplicitRungeKutta(ARKODE_ERKTableID name) {
    ARKodeButcherTable table = ARKodeButcherTable_LoadERK(name);
    stages_ = table->stages, order_ = table->p;
    for (int i = 0; i < stages_; ++i) {
      b_[i] = table->b[i], e_[i] = table->b[i] - table->d[i];
      for (int j = 0; j < i; ++j) a_[i][j] = table->A[i][j];
    }
    reuses_last_ = table->c[stages_ - 1] == 1.0;
    for (int j = 0; j < stages_; ++j) reuses_last_ = reuses_last_ && table->A[stages_ - 1][j] == b_[j];
    ARKodeButcherTable_Free(table);
  }

  /// From t = 0; the local error is at most tolerance (1 + |y|). `rate(y, k)` fills k = ẏ.
  template <class Rate>
  void run(const Rate& rate, double until, double tolerance, State& y) const {
    State k[most_stages], stage, next;
    double t = 0.0, h = 1e-5;
    rate(y, k[0]);
    while (t < until) {
      h = std::min(h, until - t);
      for (int i = 1; i < stages_; ++i) {
        stage.fill(0.0);
        for (int j = 0; j < i; ++j)
          if (a_[i][j] != 0.0)
            for (int c = 0; c < n; ++c) stage[c] += a_[i][j] * k[j][c];
        for (int c = 0; c < n; ++c) stage[c] = y[c] + h * stage[c];
        rate(stage, k[i]);
      }
      State error{};
      next.fill(0.0);
      for (int j = 0; j < stages_; ++j)
        for (int c = 0; c < n; ++c) next[c] += b_[j] * k[j][c], error[c] += e_[j] * k[j][c];
      double sum = 0.0;
      for (int c = 0; c < n; ++c) {
        next[c] = y[c] + h * next[c];
        const double part = h * error[c] / (tolerance * (1 + std::max(std::abs(y[c]), std::abs(next[c]))));
        sum += part * part;
      }
      const double size = std::sqrt(sum / n);
      if (size <= 1.0) {
        t += h, y = next;
        if (reuses_last_)
          k[0] = k[stages_ - 1];
        else if (t < until)
          rate(y, k[0]);
      }
      h *= std::clamp(0.9 * std::pow(size + 1e-12, -1.0 / order_), 0.2, 5.0);
    }
  }

 private:
  static constexpr int most_stages = 16;
  int stages_ = 0, order_ = 0;
  bool reuses_last_ = false;
  double a_[most_stages][most_stages] = {}, b_[most_stages] = {}, e_[most_stages] = {};
};

}  // namespace bench
