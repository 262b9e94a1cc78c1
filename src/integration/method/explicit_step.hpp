#pragma once
#include <array>
#include <limits>

#include "integration/method/one_step.hpp"

namespace maggi::integration {

/// Σ_j w_j k_j[i] with w = Weights()(); what has the weight 0 is left out when this is compiled.
template <class Weights>
inline double combine(Weights, const double* const* k, int i) {
  static constexpr auto w = Weights()();
  static constexpr int count = [] {
    int n = 0;
    for (const double x : w) n += x != 0.0;
    return n;
  }();
  static constexpr auto which = [] {
    std::array<int, count> found{};
    int n = 0;
    for (int j = 0; j < static_cast<int>(w.size()); ++j)
      if (w[j] != 0.0) found[n++] = j;
    return found;
  }();
  return [&]<int... j>(std::integer_sequence<int, j...>) { return (... + (w[which[j]] * k[which[j]][i])); }
  (std::make_integer_sequence<int, count>());
}

/// A step of an explicit Runge-Kutta method with embedded estimates and a continuous extension.
///
///     k_j = ẏ(t + c_j h, y + h Σ_{l<j} a_jl k_l),   y_new = y + h Σ b_j k_j,   error = h Σ e_j k_j                (1)
///     y(t + θh) = y + θ (r₀ + (1−θ)(r₁ + θ (r₂ + (1−θ)(r₃ + … ))))                                             (2)
///     r₀ = y_kept − y,   r₁ = h k₁ − r₀,   r₂ = r₀ − h k_kept − r₁,   r_{3+i} = h Σ d_ij k_j                   (3)
///
/// (2) meets y and ẏ at both ends. Where the projection moves y_new by no more than the error of a step, (3) loses no
/// order by taking the end that is kept; stages beyond those of (1) are evaluated when (2) is first asked for.
///
/// A Method has c, a, b, e (one or two estimates), d, rule, stable; `stages` of them make y_new, then comes the rate at
/// the end, unless it is the last of these, then those that only d needs.
template <class Method>
class ExplicitStep final : public OneStep {
 public:
  ExplicitStep(int size, Tolerance tolerance) : OneStep(size, tolerance, 2 + slopes + parts) {
    stage_ = take(), inner_ = take();
    for (double*& k : k_) k = take();
    for (double*& r : r_) r = take();
  }

  const StepRule& rule() const override { return Method::rule; }
  bool compute(Form& form, double t, double h) override;
  double error() const override;
  double error(int i) const override { return std::abs(h_ * estimate<0>(i)) / scale(i); }
  const double* rate_at_end() const override { return last_is_end ? k_[stages - 1] : nullptr; }
  void interpolate(Form& form, double t, double* y) override;
  double stretch() const override;
  double stable_stretch() const override { return Method::stable; }

 private:
  static constexpr int stages = Method::stages, slopes = static_cast<int>(Method::c.size());
  static constexpr int parts = 3 + static_cast<int>(Method::d.size());
  static constexpr bool last_is_end = Method::a[stages - 1] == Method::b;

  /// y + h Σ w_j k_j
  template <class Weights>
  void move(double* __restrict to, Weights weights) const {
    const double* const* const k = k_.data();
    const double* const y = y_;
    const double h = h_;
    const int n = size();
    for (int i = 0; i < n; ++i) to[i] = y[i] + h * combine(weights, k, i);
  }
  template <int j>
  bool evaluate_stage(Form& form, double* at);
  template <int which>
  double estimate(int i) const {
    return combine([] { return Method::e[which]; }, k_.data(), i);
  }
  template <int which>
  double sum_of_squares() const;
  void extend(Form& form);

  double *stage_, *inner_;         // the last stage before y_new; those that only d needs
  std::array<double*, slopes> k_;  // the first is k1_, the one at the end k_kept_ unless it is a stage
  std::array<double*, parts> r_;
  bool extended_ = false;
};

template <class Method>
template <int j>
bool ExplicitStep<Method>::evaluate_stage(Form& form, double* at) {
  move(at, [] { return Method::a[j]; });
  return form(t_ + Method::c[j] * h_, at, k_[j]);
}

template <class Method>
bool ExplicitStep<Method>::compute(Form& form, double t, double h) {
  t_ = t, h_ = h;
  k_[0] = k1_;
  extended_ = false;
  const bool solved = [&]<int... j>(std::integer_sequence<int, j...>) {
    return (evaluate_stage<j + 1>(form, last_is_end && j + 2 == stages ? y_new_ : stage_) && ...);
  }
  (std::make_integer_sequence<int, stages - 1>());
  if (last_is_end || !solved) return solved;
  move(y_new_, [] { return Method::b; });
  return true;
}

template <class Method>
template <int which>
double ExplicitStep<Method>::sum_of_squares() const {
  double sum = 0.0;
  for (int i = 0; i < size(); ++i) {
    const double part = estimate<which>(i) / scale(i);
    sum += part * part;
  }
  return sum;
}

/// Of two estimates, the first of higher order:  err₁²/√(err₁² + err₂²/100). [HairerNorsettWanner1993, II.10]
template <class Method>
double ExplicitStep<Method>::error() const {
  if (size() == 0) return 0.0;  // a motion that the constraints determine has no unknowns
  const double first = sum_of_squares<0>();
  if constexpr (Method::e.size() == 1) return h_ * std::sqrt(first / size());
  const double both = first + 0.01 * sum_of_squares<static_cast<int>(Method::e.size()) - 1>();
  return both > 0.0 ? h_ * first / std::sqrt(both * size()) : both;
}

template <class Method>
void ExplicitStep<Method>::extend(Form& form) {
  extended_ = true;
  if constexpr (!last_is_end) k_[stages] = k_kept_;
  constexpr int first = last_is_end ? stages : stages + 1;
  const bool solved = [&]<int... j>(std::integer_sequence<int, j...>) {
    return (evaluate_stage<first + j>(form, inner_) && ...);
  }
  (std::make_integer_sequence<int, slopes - first>());
  const double h = h_;
  for (int i = 0; i < size(); ++i) {
    r_[0][i] = solved ? y_kept_[i] - y_[i] : std::numeric_limits<double>::quiet_NaN();
    r_[1][i] = h * k1_[i] - r_[0][i];
    r_[2][i] = r_[0][i] - h * k_kept_[i] - r_[1][i];
  }
  [&]<int... j>(std::integer_sequence<int, j...>) {
    const auto fill = [&](auto weights, double* r) {
      for (int i = 0; i < size(); ++i) r[i] = h * combine(weights, k_.data(), i);
    };
    (fill([] { return Method::d[j]; }, r_[3 + j]), ...);
  }
  (std::make_integer_sequence<int, parts - 3>());
}

template <class Method>
void ExplicitStep<Method>::interpolate(Form& form, double t, double* y) {
  if (!extended_) extend(form);
  const double theta = (t - t_) / h_, rest = 1.0 - theta;
  for (int i = 0; i < size(); ++i) {
    double value = r_[parts - 1][i];
    for (int j = parts - 2; j >= 0; --j) value = r_[j][i] + (j % 2 == 0 ? rest : theta) * value;
    y[i] = y_[i] + theta * value;
  }
}

/// From the two last rates, whose states lie close together and differ in the fastest part most. [HairerWanner1996,
/// IV.2]
template <class Method>
double ExplicitStep<Method>::stretch() const {
  const double* const end = last_is_end ? y_new_ : y_kept_;
  const double* const k_end = last_is_end ? k_[stages - 1] : k_kept_;
  const double* const k_last = k_[last_is_end ? stages - 2 : stages - 1];
  double rates = 0.0, states = 0.0;
  for (int i = 0; i < size(); ++i) {
    const double rate = k_end[i] - k_last[i], state = end[i] - stage_[i];
    rates += rate * rate, states += state * state;
  }
  return states > 0.0 ? h_ * std::sqrt(rates / states) : 0.0;
}

}  // namespace maggi::integration
