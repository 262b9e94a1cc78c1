#include "integration/dopri5_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "integration/dopri5_tableau.hpp"

namespace maggi::integration {

using namespace dopri5;

Dopri5Step::Dopri5Step(int size) : size_(size) {
  constexpr int vectors = 16, line = 8;  // each vector begins on a cache line of its own
  const std::size_t stride = (static_cast<std::size_t>(size) + line - 1) / line * line;
  memory_.assign(vectors * stride, 0.0);
  double* next = memory_.data();
  const auto take = [&] { return std::exchange(next, next + stride); };
  y_ = take(), y_new_ = take(), y_kept_ = take(), k_kept_ = take(), stage_ = take();
  for (double*& k : k_) k = take();
  for (double*& r : r_) r = take();
}

bool Dopri5Step::compute(Form& form, double t, double h) {
  const int n = size_;
  const double* const y = y_;
  double* const s = stage_;
  const double *k1 = k_[0], *k2 = k_[1], *k3 = k_[2], *k4 = k_[3], *k5 = k_[4], *k6 = k_[5];
  const auto evaluate = [&](double at, double* k) { return form(at, s, k); };
  t_ = t, h_ = h;
  for (int i = 0; i < n; ++i) s[i] = y[i] + h * a21 * k1[i];
  if (!evaluate(t + c2 * h, k_[1])) return false;
  for (int i = 0; i < n; ++i) s[i] = y[i] + h * (a31 * k1[i] + a32 * k2[i]);
  if (!evaluate(t + c3 * h, k_[2])) return false;
  for (int i = 0; i < n; ++i) s[i] = y[i] + h * (a41 * k1[i] + a42 * k2[i] + a43 * k3[i]);
  if (!evaluate(t + c4 * h, k_[3])) return false;
  for (int i = 0; i < n; ++i) s[i] = y[i] + h * (a51 * k1[i] + a52 * k2[i] + a53 * k3[i] + a54 * k4[i]);
  if (!evaluate(t + c5 * h, k_[4])) return false;
  for (int i = 0; i < n; ++i) s[i] = y[i] + h * (a61 * k1[i] + a62 * k2[i] + a63 * k3[i] + a64 * k4[i] + a65 * k5[i]);
  if (!evaluate(t + h, k_[5])) return false;
  for (int i = 0; i < n; ++i) s[i] = y[i] + h * (b1 * k1[i] + b3 * k3[i] + b4 * k4[i] + b5 * k5[i] + b6 * k6[i]);
  if (!evaluate(t + h, k_[6])) return false;
  std::copy(s, s + n, y_new_);
  return true;
}

double Dopri5Step::estimate(int i) const {
  return h_ * (e1 * k_[0][i] + e3 * k_[2][i] + e4 * k_[3][i] + e5 * k_[4][i] + e6 * k_[5][i] + e7 * k_[6][i]);
}

double Dopri5Step::error(double atol, double rtol) const {
  double sum = 0.0;
  for (int i = 0; i < size_; ++i) {
    const double scale = atol + rtol * std::max(std::abs(y_[i]), std::abs(y_new_[i]));
    const double part = estimate(i) / scale;
    sum += part * part;
  }
  return size_ > 0 ? std::sqrt(sum / size_) : 0.0;  // a motion that the constraints determine has no unknowns
}

int Dopri5Step::largest_error(double atol, double rtol) const {
  int largest = 0;
  double most = -1.0;
  for (int i = 0; i < size_; ++i) {
    const double part = std::abs(estimate(i)) / (atol + rtol * std::max(std::abs(y_[i]), std::abs(y_new_[i])));
    if (!(part <= most)) most = part, largest = i;
  }
  return largest;
}

void Dopri5Step::prepare_interpolation() {
  const double h = h_;
  for (int i = 0; i < size_; ++i) {
    const double change = y_new_[i] - y_[i];
    r_[0][i] = change;
    r_[1][i] = h * k_[0][i] - change;
    r_[2][i] = change - h * k_[6][i] - r_[1][i];
    r_[3][i] = h * (d1 * k_[0][i] + d3 * k_[2][i] + d4 * k_[3][i] + d5 * k_[4][i] + d6 * k_[5][i] + d7 * k_[6][i]);
  }
}

void Dopri5Step::interpolate(double t, double* y) const {
  const double theta = (t - t_) / h_, rest = 1.0 - theta;
  for (int i = 0; i < size_; ++i)
    y[i] = y_[i] + theta * (r_[0][i] + rest * (r_[1][i] + theta * (r_[2][i] + rest * r_[3][i])));
}

void Dopri5Step::reuse_last_stage() { std::copy(k_[6], k_[6] + size_, k_kept_); }

void Dopri5Step::advance() {
  std::swap(y_, y_kept_);
  std::swap(k_[0], k_kept_);
}

}  // namespace maggi::integration
