#include "results/output_channels.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "base/largest.hpp"
#include "results/multiplier_channels.hpp"
#include "system/seam/displacement.hpp"

namespace maggi::results {

namespace {

/// Numbers without any relation to each other or to the model, the same in every run.
double unrelated(int k) { return 0.3 + std::fmod(0.6180339887498949 * (k + 1), 1.0); }

Acceleration zero_acceleration(const Shape& shape) {
  return {Vector::Zero(shape.n()), Vector::Zero(shape.m()), Vector::Zero(shape.n()), Vector::Zero(shape.laws.size()),
          Vector::Zero(shape.controls.size())};
}

}  // namespace

OutputChannels::OutputChannels(const System& system, const Matrix& undetermined, Reactions reactions)
    : Channels("outputs"),
      system_(system),
      shape_(system.shape()),
      workspace_(system.workspace()),
      values_(shape_.outputs.size()),
      still_(zero_acceleration(shape_)) {
  const std::vector<bool> varies = that_vary(undetermined);
  for (std::size_t i = 0; i < shape_.outputs.size(); ++i) {
    const Channel& output = shape_.outputs[i];
    if (varies[i] && reactions == Reactions::unique_only) {
      leave_out(fmt::format("{} is left out: {}", output.name, why_not_unique));
      continue;
    }
    add(output.name + (varies[i] ? " (min-norm)" : ""), output.unit, output.where);
    outputs_.push_back(static_cast<int>(i));
  }
}

/// Outputs that are not the same at λ and at λ + z: tried at a few arbitrary states around the start.
std::vector<bool> OutputChannels::that_vary(const Matrix& undetermined) {
  std::vector<bool> varies(shape_.outputs.size(), false);
  if (undetermined.cols() == 0 || varies.empty()) return varies;

  const Start& start = system_.start();
  Vector x(shape_.n()), q(shape_.nq()), v(shape_.n());
  Acceleration a = zero_acceleration(shape_);
  std::vector<double> other(varies.size());
  constexpr int states = 4;
  for (int k = 0; k < states; ++k) {
    for (int i = 0; i < shape_.n(); ++i) x[i] = start.q[i].value + 0.1 * k * unrelated(i);
    q = Displacement(system_, start).q(x);
    for (int i = 0; i < shape_.n(); ++i)
      v[i] = start.v[i].value + k * unrelated(i + 1), a.vdot[i] = unrelated(i + 2 * k);
    for (int i = 0; i < shape_.m(); ++i) a.lambda[i] = unrelated(3 * i + k);
    system_.outputs({start.t, q.data(), v.data()}, a, *workspace_, values_);
    for (Eigen::Index j = 0; j < undetermined.cols(); ++j) {
      Acceleration open = a;
      open.lambda += undetermined.col(j) / largest(undetermined.col(j));
      system_.outputs({start.t, q.data(), v.data()}, open, *workspace_, other);
      for (std::size_t i = 0; i < varies.size(); ++i) {
        constexpr double rounding = 1e-8;  // of z, which comes out of a least-squares solve
        const double scale = std::abs(values_[i]) + std::abs(other[i]);
        if (std::abs(other[i] - values_[i]) > rounding * scale) varies[i] = true;
      }
    }
  }
  return varies;
}

double* OutputChannels::fill(SampleInUse& sample, double* values) {
  if (values_.empty()) return values;
  system_.outputs(sample->state, sample->acceleration, *workspace_, values_);
  count_on();
  for (const int output : outputs_) *values++ = values_[output];
  return values;
}

void OutputChannels::pass(const State& state) {
  system_.outputs(state, still_, *workspace_, values_);  // the cyclic ones need no acceleration
  count_on();
}

/// Angles by whole turns and quaternions by their sign to where they were before.
void OutputChannels::count_on() {
  constexpr double turn = 2.0 * std::numbers::pi;
  std::size_t k = 0;
  for (const auto& [first, count] : shape_.cyclic) {
    Eigen::Map<Vector> now(values_.data() + first, count);
    if (counted_.size() < k + count) counted_.insert(counted_.end(), now.begin(), now.end());
    Eigen::Map<Vector> before(counted_.data() + k, count);
    if (count == 1)
      now[0] += turn * std::round((before[0] - now[0]) / turn);
    else if (now.dot(before) < 0.0)
      now = -now;
    before = now;
    k += count;
  }
}

}  // namespace maggi::results
