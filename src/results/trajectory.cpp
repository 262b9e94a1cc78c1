#include "results/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "base/largest.hpp"
#include "results/law_channels.hpp"
#include "results/physical_forces.hpp"
#include "results/units.hpp"
#include "system/seam/displacement.hpp"

namespace maggi {

namespace {

constexpr std::size_t values_per_chunk = 1 << 16;

/// Numbers without any relation to each other or to the model, the same in every run.
double arbitrary(int k) { return 0.3 + std::fmod(0.6180339887498949 * (k + 1), 1.0); }

const char* why_open =
    "the constraints depend on each other, so it is not unique (min-norm shows the one of least norm)";

}  // namespace

Trajectory::Trajectory(const System& system, const Matrix& undetermined, Reactions reactions)
    : system_(system),
      workspace_(system.workspace()),
      forces_(std::make_unique<results::PhysicalForces>(system, undetermined)),
      laws_(std::make_unique<results::LawChannels>(system)),
      output_values_(system.shape().outputs.size()) {
  const Shape& shape = system.shape();
  assert(undetermined.cols() == 0 ||
         undetermined.rows() == shape.m() + static_cast<Eigen::Index>(shape.controls.size()));

  begin_group("time");
  add("t", "s");
  begin_group("coordinates");
  for (const Channel& q : shape.coordinates) add(q.name, q.unit);
  begin_group("velocities");
  for (const Channel& v : shape.velocities) add(v.name, v.unit);
  begin_group("accelerations");
  for (const Channel& v : shape.velocities) add(v.name + "'", results::per_second(v.unit));
  begin_group("multipliers");
  add_multipliers(undetermined, reactions);
  begin_group("controls");
  for (int i = 0; i < static_cast<int>(shape.controls.size()); ++i) {
    add("control." + shape.controls[i].name, shape.controls[i].unit);
    if (undetermined.cols() > 0 && !undetermined.row(shape.m() + i).isZero(0.0))
      open_controls_.push_back(shape.controls[i].name);
  }
  begin_group("reactions");
  if (shape.m() > 0)
    for (int i = 0; i < shape.n(); ++i) {
      const Channel& along = shape.identity_rates ? shape.coordinates[i] : shape.velocities[i];
      add("reaction." + along.name, shape.identity_rates ? results::force_along(along.unit) : "");
    }
  begin_group("forces");
  for (const Channel& force : forces_->channels()) add(force.name, force.unit);
  for (const Channel& force : laws_->forces()) add(force.name, force.unit);
  left_out_.insert(left_out_.end(), forces_->left_out().begin(), forces_->left_out().end());
  begin_group("energies");
  if (shape.has_energy)
    for (const char* name : {"energy.kinetic", "energy.potential", "energy.total"}) add(name, "J");
  if (balances())
    for (const char* name : {"energy.work", "energy.balance"}) add(name, "J");
  begin_group("powers");
  for (const Channel& power : laws_->powers()) add(power.name, power.unit);
  begin_group("contacts");
  for (const Channel& contact : laws_->contacts()) add(contact.name, contact.unit);
  begin_group("outputs");
  add_outputs(undetermined, reactions);
  begin_group("drawing");
  for (const Channel& each : shape.drawing) add(each.name, each.unit);
  begin_group("residuals");
  if (shape.s_p > 0) add("residual.position", "");
  if (shape.s_p + shape.s_v > 0)
    for (const char* name : {"residual.velocity", "distance.singularity"}) add(name, "");
  if (laws_->any()) add("residual.ideality", "");

  states_per_chunk_ = std::max<std::size_t>(1, values_per_chunk / channels_.size());
}

Trajectory::~Trajectory() = default;

bool Trajectory::balances() const { return system_.shape().has_energy && laws_->any(); }

void Trajectory::add(std::string name, std::string unit) {
  channels_.push_back({std::move(name), std::move(unit)});
  ++groups_.back().count;
}

void Trajectory::add_multipliers(const Matrix& undetermined, Reactions reactions) {
  const Shape& shape = system_.shape();
  for (const int i : shape.constraints()) {
    const Row& row = shape.rows[i];
    if (row.kind == RowKind::servo) continue;
    const bool unique = undetermined.cols() == 0 || undetermined.row(i).isZero(0.0);
    if (!unique && reactions == Reactions::unique_only) {
      left_out_.push_back(fmt::format("lambda.{} is left out: {}", row.name, why_open));
      continue;
    }
    add(fmt::format("lambda.{}{}", row.name, unique ? "" : " (min-norm)"),
        results::multiplier_unit(row.unit, row.level));
    rows_.push_back(i);
  }
}

void Trajectory::add_outputs(const Matrix& undetermined, Reactions reactions) {
  const Shape& shape = system_.shape();
  const std::vector<bool> varies = outputs_that_vary(undetermined);
  for (std::size_t i = 0; i < shape.outputs.size(); ++i) {
    const Channel& output = shape.outputs[i];
    if (varies[i] && reactions == Reactions::unique_only) {
      left_out_.push_back(fmt::format("{} is left out: {}", output.name, why_open));
      continue;
    }
    add(output.name + (varies[i] ? " (min-norm)" : ""), output.unit);
    outputs_.push_back(static_cast<int>(i));
  }
}

/// Outputs that are not the same at λ and at λ + z: tried at a few arbitrary states around the start.
std::vector<bool> Trajectory::outputs_that_vary(const Matrix& undetermined) {
  const Shape& shape = system_.shape();
  std::vector<bool> varies(shape.outputs.size(), false);
  if (undetermined.cols() == 0 || varies.empty()) return varies;

  const Start& start = system_.start();
  Vector x(shape.n()), q(shape.nq()), v(shape.n());
  Acceleration a{Vector(shape.n()), Vector(shape.m()), Vector::Zero(shape.n()), Vector::Zero(shape.laws.size()),
                 Vector::Zero(shape.controls.size())};
  std::vector<double> other(varies.size());
  constexpr int states = 4;
  for (int k = 0; k < states; ++k) {
    for (int i = 0; i < shape.n(); ++i) x[i] = start.q[i].value + 0.1 * k * arbitrary(i);
    q = Displacement(system_, start).q(x);
    for (int i = 0; i < shape.n(); ++i)
      v[i] = start.v[i].value + k * arbitrary(i + 1), a.vdot[i] = arbitrary(i + 2 * k);
    for (int i = 0; i < shape.m(); ++i) a.lambda[i] = arbitrary(3 * i + k);
    system_.outputs({start.t, q.data(), v.data()}, a, *workspace_, output_values_);
    for (Eigen::Index j = 0; j < undetermined.cols(); ++j) {
      Acceleration open = a;
      const Vector z = undetermined.col(j) / largest(undetermined.col(j));
      open.lambda += z.head(shape.m());
      open.p += z.tail(open.p.size());
      system_.outputs({start.t, q.data(), v.data()}, open, *workspace_, other);
      for (std::size_t i = 0; i < varies.size(); ++i) {
        constexpr double rounding = 1e-8;  // of z, which comes out of a least-squares solve
        const double scale = std::abs(output_values_[i]) + std::abs(other[i]);
        if (std::abs(other[i] - output_values_[i]) > rounding * scale) varies[i] = true;
      }
    }
  }
  return varies;
}

void Trajectory::accept(const Sample& sample) {
  const Shape& shape = system_.shape();
  const State& state = sample.state;
  double* const begin = next_state();
  double* at = begin;
  const auto put = [&at](const Vector& values) { at = std::copy(values.begin(), values.end(), at); };

  *at++ = state.t;
  put(state.q);
  put(state.v);
  put(sample.acceleration.vdot);
  for (const int row : rows_) *at++ = sample.acceleration.lambda[row];
  put(sample.acceleration.p);
  if (shape.m() > 0) put(sample.acceleration.reaction);
  at = forces_->evaluate(sample, at);
  laws_->evaluate(sample);
  if (laws_->any()) put(sample.acceleration.tau);
  if (shape.has_energy) {
    const Energy energy = system_.energy(state, *workspace_);
    *at++ = energy.kinetic, *at++ = energy.potential, *at++ = energy.total;
    if (size_ == 0) energy_at_start_ = energy.total - sample.work;
    if (balances()) *at++ = sample.work, *at++ = energy.total - energy_at_start_ - sample.work;
  }
  if (laws_->any()) put(laws_->power()), put(laws_->contact());
  if (!output_values_.empty()) {
    system_.outputs(state, sample.acceleration, *workspace_, output_values_);
    count_on();
    for (const int output : outputs_) *at++ = output_values_[output];
  }
  system_.drawing(state, *workspace_, {at, shape.drawing.size()});
  at += shape.drawing.size();
  if (shape.s_p > 0) *at++ = sample.residuals.position;
  if (shape.s_p + shape.s_v > 0) *at++ = sample.residuals.velocity, *at++ = sample.distance_to_singularity;
  if (laws_->any()) *at++ = laws_->ideality();
  assert(at == begin + width());

  const double* fault = std::find_if_not(begin, at, [](double value) { return std::isfinite(value); });
  if (fault == at) {
    ++size_;
    return;
  }
  const int channel = static_cast<int>(fault - begin);
  const auto from_formula = [&](const char* name) {  // of the user
    const Group& formulas = group(name);
    return channel >= formulas.first && channel < formulas.first + formulas.count;
  };
  const bool is_output = from_formula("outputs"), is_drawn = from_formula("drawing");
  throw Error(Errc::numerics,
              is_output  ? shape.outputs[outputs_[channel - group("outputs").first]].where
              : is_drawn ? shape.drawing[channel - group("drawing").first].where
                         : Where{},
              fmt::format("{}\"{}\" is not a finite number at t = {:.6g} s", is_output ? "the output " : "",
                          channels_[channel].name, state.t),
              is_output || is_drawn
                  ? "a division by zero, a root or logarithm of a negative number, or too large; the run stops here"
                  : "the run stops here");
}

void Trajectory::pass(const State& state) {
  if (still_.vdot.size() == 0) {
    const Shape& s = system_.shape();
    still_ = {Vector::Zero(s.n()), Vector::Zero(s.m()), Vector::Zero(s.n()), Vector::Zero(s.laws.size()),
              Vector::Zero(s.controls.size())};
  }
  system_.outputs(state, still_, *workspace_, output_values_);  // the cyclic ones need no acceleration
  count_on();
}

void Trajectory::clear() {
  size_ = 0;
  counted_.clear();
}

/// Angles by whole turns and quaternions by their sign to where they were before.
void Trajectory::count_on() {
  constexpr double turn = 2.0 * std::numbers::pi;
  std::size_t k = 0;
  for (const auto& [first, count] : shape().cyclic) {
    Eigen::Map<Vector> now(output_values_.data() + first, count);
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

double* Trajectory::next_state() {
  const std::size_t chunk = size_ / states_per_chunk_;
  if (chunk == chunks_.size())
    chunks_.push_back(std::make_unique_for_overwrite<double[]>(states_per_chunk_ * channels_.size()));
  return chunks_[chunk].get() + (size_ % states_per_chunk_) * channels_.size();
}

const double* Trajectory::state(std::size_t index) const {
  assert(index < size_);
  return chunks_[index / states_per_chunk_].get() + (index % states_per_chunk_) * channels_.size();
}

const Trajectory::Group& Trajectory::group(std::string_view name) const {
  const auto found = std::ranges::find(groups_, name, &Group::name);
  assert(found != groups_.end());
  return *found;
}

std::optional<int> Trajectory::find(std::string_view channel) const {
  const auto found = std::ranges::find(channels_, channel, &Channel::name);
  if (found == channels_.end()) return std::nullopt;
  return static_cast<int>(found - channels_.begin());
}

std::vector<double> Trajectory::values(int channel) const {
  std::vector<double> result(size_);
  for (std::size_t i = 0; i < size_; ++i) result[i] = (*this)(i, channel);
  return result;
}

}  // namespace maggi
