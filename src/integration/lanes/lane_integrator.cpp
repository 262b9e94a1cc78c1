#include "integration/lanes/lane_integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "base/clones.hpp"
#include "integration/method/dopri5.hpp"
#include "integration/method/dopri5_tableau.hpp"
#include "integration/method/integrators.hpp"
#include "integration/method/step_control.hpp"
#include "integration/sink/output_grid.hpp"

namespace maggi {

namespace {

using integration::OutputGrid;
using integration::StepControl;
namespace tableau = integration::dopri5;

constexpr int lanes = Eight::lanes;
using Block = std::vector<Eight>;

LaneSet only(int lane) { return static_cast<LaneSet>(1U << lane); }
LaneSet both(LaneSet a, LaneSet b) { return static_cast<LaneSet>(a & b); }
LaneSet either(LaneSet a, LaneSet b) { return static_cast<LaneSet>(a | b); }
LaneSet without(LaneSet a, LaneSet b) { return static_cast<LaneSet>(a & ~b); }

/// result = y + h Σ_j a_j k_j.
template <std::size_t N>
MAGGI_INLINE void combine(const Block& y, const Eight& h, const std::array<double, N>& a,
                          const std::array<const Eight*, N>& k, Block& result) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    double sum[lanes];
    for (int l = 0; l < lanes; ++l) sum[l] = a[0] * k[0][i].lane[l];
    for (std::size_t j = 1; j < N; ++j)
      for (int l = 0; l < lanes; ++l) sum[l] += a[j] * k[j][i].lane[l];
    for (int l = 0; l < lanes; ++l) sum[l] = y[i].lane[l] + h.lane[l] * sum[l];
    for (int l = 0; l < lanes; ++l) result[i].lane[l] = sum[l];
  }
}

/// What a lane is doing.
struct Lane {
  std::optional<std::size_t> job{};  // none: it has no work
  StepControl control{integration::Dopri5::rule};
  double t = 0.0, h = 0.0, until = 0.0;
  int failures = 0;  // of the present step
  std::optional<OutputGrid> grid{};
  long stored = 0;  // states of the grid
  LaneRun run{};
};

}  // namespace

class LaneIntegrator::Memory {
 public:
  Memory(const EquationSystem& system, IntegrateOptions options)
      : options_(std::move(options)),
        motion_(system),
        n_(system.shape().n()),
        y_(2 * n_),
        y_new_(2 * n_),
        stage_(2 * n_),
        k_next_(2 * n_),
        lambda_(system.shape().m()) {
    for (Block& k : k_) k.resize(2 * n_);
    for (Block& r : r_) r.resize(2 * n_);
    state_ = {0.0, Vector::Zero(n_), Vector::Zero(n_)};
    acceleration_ = {Vector::Zero(n_), Vector::Zero(system.shape().m()), Vector::Zero(n_)};
  }

  void run(std::span<const LaneJob> jobs, LaneSink& sink) {
    jobs_ = jobs;
    sink_ = &sink;
    next_ = 0;
    fill();
    while (busy_ != 0) {
      if (options_.interrupt && options_.interrupt->load()) return end(busy_, false);
      step();
      sink.step();
      fill();
    }
  }

 private:
  /// Gives work to lanes that have none.
  void fill() {
    LaneSet fresh = 0;
    for (int l = 0; l < lanes; ++l) {
      Lane& lane = lanes_[l];
      if (lane.job || next_ == jobs_.size()) continue;
      const LaneJob& job = jobs_[next_];
      lane = {.job = next_++, .t = job.start.t, .until = options_.until};
      if (options_.output > 0.0) lane.grid.emplace(job.start.t, options_.until, options_.output);
      motion_.set_parameters(l, job.parameters);
      for (int i = 0; i < n_; ++i) y_[i][l] = job.start.q[i], y_[n_ + i][l] = job.start.v[i];
      fresh = either(fresh, only(l));
    }
    busy_ = either(busy_, fresh);
    if (fresh != 0) begin(fresh);
  }

  /// ẏ in all lanes; the lanes that it could not be found for.
  LaneSet rate(const Eight& t, const Block& y, Block& k) {
    std::copy_n(y.data() + n_, n_, k.data());
    return motion_.accelerate(t, y.data(), y.data() + n_, k.data() + n_);
  }

  void begin(LaneSet fresh);
  void step();
  LaneSet compute(const Eight& t, const Eight& h);
  void find_errors(const Eight& h, double* errors) const;
  double norm(const Block& x, int l) const;
  LaneSet store(LaneSet accepted, const Eight& t, const Eight& t_new, const Eight& h);
  void prepare_interpolation(const Eight& h);
  void interpolate(const Eight& theta, Block& y) const;
  void hand_over(LaneSet which, const Eight& t, const Block& y, const Block& k, const Eight* lambda);
  void end(LaneSet which, bool finished);

  IntegrateOptions options_;
  Lanes motion_;
  int n_;
  std::span<const LaneJob> jobs_;
  std::size_t next_ = 0;  // job
  LaneSink* sink_ = nullptr;
  std::array<Lane, lanes> lanes_;
  LaneSet busy_ = 0;
  Block y_, y_new_, stage_, k_next_;
  Block lambda_;  // at y_new_
  std::array<Block, 7> k_;
  std::array<Block, 4> r_;  // y(t + θh) = y + θ (r0 + (1−θ)(r1 + θ (r2 + (1−θ) r3)))
  State state_;
  Acceleration acceleration_;
};

double LaneIntegrator::Memory::norm(const Block& x, int l) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double part = x[i][l] / (options_.atol + options_.rtol * std::abs(y_[i][l]));
    sum += part * part;
  }
  return std::sqrt(sum / static_cast<double>(x.size()));
}

/// Rates, stored starts and first steps of lanes with new work; the step as the scalar method chooses it.
/// [HairerNorsettWanner1993, II.4 "starting step size"]
void LaneIntegrator::Memory::begin(LaneSet fresh) {
  Eight t, h0, t1;
  for (int l = 0; l < lanes; ++l) t[l] = lanes_[l].t;
  LaneSet bad = both(rate(t, y_, k_next_), fresh);
  hand_over(without(fresh, bad), t, y_, k_next_, motion_.lambda());
  for (int l = 0; l < lanes; ++l) {
    if (!contains(fresh, l)) continue;
    for (int i = 0; i < 2 * n_; ++i) k_[0][i][l] = k_next_[i][l];
    const double d0 = norm(y_, l), d1 = norm(k_next_, l);
    h0[l] = std::min(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, lanes_[l].until - lanes_[l].t);
    t1[l] = t[l] + h0[l];
  }
  combine<1>(y_, h0, {1.0}, {k_next_.data()}, stage_);
  const LaneSet beyond = rate(t1, stage_, y_new_);
  for (int i = 0; i < 2 * n_; ++i)
    for (int l = 0; l < lanes; ++l) y_new_[i][l] = (y_new_[i][l] - k_next_[i][l]) / h0[l];
  LaneSet over = 0;
  for (int l = 0; l < lanes; ++l) {
    if (!contains(fresh, l)) continue;
    Lane& lane = lanes_[l];
    const double most = std::max(norm(k_next_, l), norm(y_new_, l));
    const double h1 = most <= 1e-15 ? std::max(1e-6, 1e-3 * h0[l]) : std::pow(0.01 / most, 1.0 / 5.0);
    lane.h = contains(beyond, l) ? 1e-3 * h0[l] : std::min(100 * h0[l], h1);
    if (options_.step > 0.0) lane.h = options_.step;
    lane.h = std::min({lane.h, options_.max_step, lane.until - lane.t});
    if (lane.t >= lane.until) over = either(over, only(l));
  }
  end(bad, false);
  end(without(over, bad), true);
}

/// All stages; the lanes in which one could not be evaluated. y_new_ is the last.
MAGGI_CLONES LaneSet LaneIntegrator::Memory::compute(const Eight& t, const Eight& h) {
  using namespace tableau;
  const Eight *k1 = k_[0].data(), *k2 = k_[1].data(), *k3 = k_[2].data(), *k4 = k_[3].data(), *k5 = k_[4].data(),
              *k6 = k_[5].data();
  const auto at = [&](double c) {
    Eight result;
    for (int l = 0; l < lanes; ++l) result.lane[l] = t.lane[l] + c * h.lane[l];
    return result;
  };
  combine<1>(y_, h, {a21}, {k1}, stage_);
  LaneSet bad = rate(at(c2), stage_, k_[1]);
  combine<2>(y_, h, {a31, a32}, {k1, k2}, stage_);
  bad = either(bad, rate(at(c3), stage_, k_[2]));
  combine<3>(y_, h, {a41, a42, a43}, {k1, k2, k3}, stage_);
  bad = either(bad, rate(at(c4), stage_, k_[3]));
  combine<4>(y_, h, {a51, a52, a53, a54}, {k1, k2, k3, k4}, stage_);
  bad = either(bad, rate(at(c5), stage_, k_[4]));
  combine<5>(y_, h, {a61, a62, a63, a64, a65}, {k1, k2, k3, k4, k5}, stage_);
  bad = either(bad, rate(at(1.0), stage_, k_[5]));
  combine<5>(y_, h, {b1, b3, b4, b5, b6}, {k1, k3, k4, k5, k6}, y_new_);
  bad = either(bad, rate(at(1.0), y_new_, k_[6]));
  return bad;
}

/// Root mean square of the error estimate over atol + rtol max(|y|, |y_new|).
MAGGI_CLONES void LaneIntegrator::Memory::find_errors(const Eight& h, double* errors) const {
  using namespace tableau;
  const double atol = options_.atol, rtol = options_.rtol;
  double sum[lanes] = {};
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const double *k1 = k_[0][i].lane, *k3 = k_[2][i].lane, *k4 = k_[3][i].lane, *k5 = k_[4][i].lane,
                 *k6 = k_[5][i].lane, *k7 = k_[6][i].lane, *y = y_[i].lane, *y_new = y_new_[i].lane;
    double part[lanes];
    for (int l = 0; l < lanes; ++l) {
      const double estimate = e1 * k1[l] + e3 * k3[l] + e4 * k4[l] + e5 * k5[l] + e6 * k6[l] + e7 * k7[l];
      const double a = std::abs(y[l]), b = std::abs(y_new[l]);
      part[l] = h.lane[l] * estimate / (atol + rtol * (a > b ? a : b));
    }
    for (int l = 0; l < lanes; ++l) sum[l] += part[l] * part[l];
  }
  for (int l = 0; l < lanes; ++l) errors[l] = std::sqrt(sum[l] / static_cast<double>(y_.size()));
}

/// One attempt in every busy lane; idle lanes take steps of size zero.
void LaneIntegrator::Memory::step() {
  constexpr int most_failures = 20;
  Eight t, h, t_new;
  for (int l = 0; l < lanes; ++l) {
    const Lane& lane = lanes_[l];
    const bool last =
        lane.t + 1.01 * lane.h >= lane.until;  // extends the last step by up to 1 % instead of leaving a tiny remainder
    t[l] = lane.t;
    h[l] = !lane.job ? 0.0 : last ? lane.until - lane.t : lane.h;
    t_new[l] = last ? lane.until : lane.t + lane.h;
  }
  LaneSet bad = compute(t, h);
  double errors[lanes];
  find_errors(h, errors);
  LaneSet inaccurate = 0;
  for (int l = 0; l < lanes; ++l) {
    if (!std::isfinite(errors[l])) bad = either(bad, only(l));
    if (!(errors[l] <= 1.0)) inaccurate = either(inaccurate, only(l));
  }
  LaneSet good = without(busy_, either(bad, inaccurate));
  if (good != 0) {
    bad = either(bad, motion_.project(t_new, y_new_.data(), y_new_.data() + n_, good));
    bad = either(bad, rate(t_new, y_new_, k_next_));
    good = without(good, bad);
  }
  for (int l = 0; l < lanes; ++l) {
    if (!contains(good, l)) continue;
    Lane& lane = lanes_[l];
    lane.h = std::min(lane.control.accepted(h[l], errors[l]), options_.max_step);
    lane.failures = 0;
    ++lane.run.statistics.steps;
    ++lane.run.statistics.projections;
    lane.run.statistics.evaluations += 7;
  }
  LaneSet lost = store(good, t, t_new, h), over = 0;
  for (int l = 0; l < lanes; ++l) {
    if (!contains(busy_, l)) continue;
    Lane& lane = lanes_[l];
    if (contains(good, l)) {
      lane.t = t_new[l];
      for (int i = 0; i < 2 * n_; ++i) y_[i][l] = y_new_[i][l], k_[0][i][l] = k_next_[i][l];
      if (lane.t >= lane.until && !contains(lost, l)) over = either(over, only(l));
      continue;
    }
    ++lane.run.statistics.rejected;
    lane.run.statistics.evaluations += 6;
    lane.h = contains(bad, l) ? lane.control.failed(h[l]) : lane.control.rejected(h[l], errors[l]);
    const double smallest = 16 * 2.220446049250313e-16 * std::max(std::abs(lane.t), std::abs(lane.until));
    if (++lane.failures > most_failures || lane.h < smallest) lost = either(lost, only(l));
  }
  end(lost, false);
  end(over, true);
}

/// Hands over what is due of an accepted step; the lanes in which that failed.
LaneSet LaneIntegrator::Memory::store(LaneSet accepted, const Eight& t, const Eight& t_new, const Eight& h) {
  std::copy_n(motion_.lambda(), lambda_.size(), lambda_.data());
  const auto due = [&](auto before) {
    LaneSet result = 0;
    for (int l = 0; l < lanes; ++l)
      if (contains(accepted, l) && before((*lanes_[l].grid)[lanes_[l].stored], t_new[l]))
        result = either(result, only(l));
    return result;
  };
  if (options_.output == 0.0) {
    hand_over(accepted, t_new, y_new_, k_next_, lambda_.data());
    return 0;
  }
  LaneSet lost = 0;
  bool prepared = false;
  while (const LaneSet inside = without(due(std::less<>()), lost)) {
    if (!std::exchange(prepared, true)) prepare_interpolation(h);
    Eight at = t_new, theta;
    for (int l = 0; l < lanes; ++l) {
      theta[l] = 1.0;
      if (!contains(inside, l)) continue;
      at[l] = (*lanes_[l].grid)[lanes_[l].stored];
      theta[l] = (at[l] - t[l]) / h[l];
    }
    interpolate(theta, stage_);
    LaneSet bad = rate(at, stage_, k_[1]);
    bad = either(bad, motion_.project(at, stage_.data(), stage_.data() + n_, inside));
    bad = either(bad, rate(at, stage_, k_[1]));
    lost = either(lost, both(bad, inside));
    hand_over(without(inside, lost), at, stage_, k_[1], motion_.lambda());
  }
  hand_over(without(due(std::less_equal<>()), lost), t_new, y_new_, k_next_, lambda_.data());
  return lost;
}

void LaneIntegrator::Memory::prepare_interpolation(const Eight& h) {
  using namespace tableau;
  for (int i = 0; i < 2 * n_; ++i)
    for (int l = 0; l < lanes; ++l) {
      const double change = y_new_[i][l] - y_[i][l];
      r_[0][i][l] = change;
      r_[1][i][l] = h[l] * k_[0][i][l] - change;
      r_[2][i][l] = change - h[l] * k_[6][i][l] - r_[1][i][l];
      r_[3][i][l] = h[l] * (d1 * k_[0][i][l] + d3 * k_[2][i][l] + d4 * k_[3][i][l] + d5 * k_[4][i][l] +
                            d6 * k_[5][i][l] + d7 * k_[6][i][l]);
    }
}

void LaneIntegrator::Memory::interpolate(const Eight& theta, Block& y) const {
  for (int i = 0; i < 2 * n_; ++i)
    for (int l = 0; l < lanes; ++l) {
      const double rest = 1.0 - theta[l];
      const double inner = r_[1][i][l] + theta[l] * (r_[2][i][l] + rest * r_[3][i][l]);
      y[i][l] = y_[i][l] + theta[l] * (r_[0][i][l] + rest * inner);
    }
}

void LaneIntegrator::Memory::hand_over(LaneSet which, const Eight& t, const Block& y, const Block& k,
                                       const Eight* lambda) {
  for (int l = 0; l < lanes; ++l) {
    if (!contains(which, l)) continue;
    state_.t = t[l];
    for (int i = 0; i < n_; ++i)
      state_.q[i] = y[i][l], state_.v[i] = y[n_ + i][l], acceleration_.vdot[i] = k[n_ + i][l];
    for (int i = 0; i < acceleration_.lambda.size(); ++i) acceleration_.lambda[i] = lambda[i][l];
    sink_->accept(*lanes_[l].job, state_, acceleration_);
    ++lanes_[l].stored;
  }
}

void LaneIntegrator::Memory::end(LaneSet which, bool finished) {
  for (int l = 0; l < lanes; ++l) {
    if (!contains(which, l)) continue;
    Lane& lane = lanes_[l];
    lane.run.finished = finished;
    lane.run.last = {lane.t, Vector(n_), Vector(n_)};
    for (int i = 0; i < n_; ++i) lane.run.last.q[i] = y_[i][l], lane.run.last.v[i] = y_[n_ + i][l];
    const std::size_t job = *lane.job;
    lane.job.reset();
    busy_ = without(busy_, only(l));
    sink_->end(job, lane.run);
  }
}

std::string LaneIntegrator::why_not(const Shape& shape, const IntegrateOptions& options) {
  if (std::string why = Lanes::why_not(shape); !why.empty()) return why;
  if (!integration::entry_of(options.integrator).lanes)
    return fmt::format("integrator {} works on one motion at a time", options.integrator.name());
  if (options.drift != Drift::projection)
    return fmt::format("drift = {} works on one motion at a time", options.drift.name());
  if (options.unknowns != Unknowns::velocities)
    return fmt::format("unknowns = {} work on one motion at a time", options.unknowns.name());
  return "";
}

LaneIntegrator::LaneIntegrator(const EquationSystem& system, IntegrateOptions options) {
  if (const std::string why = why_not(system.shape(), options); !why.empty())
    throw Error(Errc::model, {}, "the motions of this system cannot be computed side by side: " + why);
  memory_ = std::make_unique<Memory>(system, std::move(options));
}
LaneIntegrator::~LaneIntegrator() = default;

void LaneIntegrator::run(std::span<const LaneJob> jobs, LaneSink& sink) { memory_->run(jobs, sink); }

}  // namespace maggi
