#include "integration/event/event_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/start_decision.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

namespace {
int sign(double x) { return (x > 0.0) - (x < 0.0); }
}  // namespace

bool EventWatch::Function::crossed() const {
  if (side == 0 || sign(now) == side || !source->watched(index)) return false;
  const Crossing wanted = source->crossing(index);
  return wanted == Crossing::any || (wanted == Crossing::rising) == (side < 0);
}

void EventWatch::Function::settle() {
  if (!source->watched(index))
    side = 0;
  else if (side != 0 || std::abs(now) > noise)
    side = sign(now);
  if (now - lift > noise) now -= lift, lift = 0.0;
  before = now;
}

EventWatch::EventWatch(Dynamics& dynamics, const State& start, const IntegrateOptions& options)
    : dynamics_(dynamics), sources_(make_event_sources(dynamics, options)) {
  for (const auto& source : sources_)
    for (int i = 0; i < source->count(); ++i) functions_.push_back({source.get(), i});
  values_.resize(functions_.size());
  nearby_.resize(functions_.size());
  probe_ = start;
  if (sources_.empty()) return;
  if (Mode mode = mode_at_start(dynamics, start); !(mode == dynamics.mode())) dynamics.set_mode(std::move(mode));
}

bool EventWatch::evaluate(const State& at, std::vector<double>& values) {
  if (!dynamics_.solve(at, scratch_)) return false;
  double* next = values.data();
  for (const auto& source : sources_) {
    source->values(at, scratch_, next);
    next += source->count();
  }
  for (std::size_t i = 0; i < functions_.size(); ++i) values[i] += functions_[i].lift;
  return true;
}

bool EventWatch::evaluate(const State& at) {
  if (!evaluate(at, values_)) return false;
  acceleration_ = scratch_;
  for (std::size_t i = 0; i < functions_.size(); ++i) functions_[i].now = values_[i];
  return true;
}

/// By how much the functions change when the state changes a little: the sum over its entries.
void EventWatch::find_noise(const State& at) {
  constexpr double little = 1e-10, little_time = 1e-12;
  for (Function& f : functions_) f.noise = 0.0;
  State probe = at;
  const auto probe_entry = [&](double& entry, double change) {
    const double kept = entry;
    entry += change * (1.0 + std::abs(entry));
    try {
      if (evaluate(probe, nearby_))
        for (std::size_t i = 0; i < functions_.size(); ++i)
          if (std::isfinite(nearby_[i])) functions_[i].noise += std::abs(nearby_[i] - values_[i]);
    } catch (const Error&) {  // a formula may end right beside the state
    }
    entry = kept;
  };
  for (double& entry : probe.q) probe_entry(entry, little);
  for (double& entry : probe.v) probe_entry(entry, little);
  probe_entry(probe.t, little_time);
}

bool EventWatch::arm(const State& at) {
  if (functions_.empty()) return true;
  const std::vector<int> fired = std::move(fired_);
  fired_.clear();
  for (Function& f : functions_) f.lift = 0.0;
  for (const auto& source : sources_) source->arm(at);
  if (!evaluate(at)) return false;
  find_noise(at);
  for (int i = 0; i < static_cast<int>(functions_.size()); ++i) {
    Function& f = functions_[i];
    const bool zero = !(std::abs(f.now) > f.noise), again = std::ranges::find(fired, i) != fired.end();
    const bool positive = f.source->keeps_positive(f.index) && f.source->watched(f.index);
    const bool close = f.close && zero && !again && !positive;
    if ((!zero || close) && !again && (f.crossed() || (positive && f.now < 0.0))) fired_.push_back(i);
    f.close = false;
    if (!close) f.side = 0;
    if (positive && zero) {
      f.lift = std::max(f.noise, std::numeric_limits<double>::min());
      f.now += f.lift;
      f.side = 1;
    }
    f.settle();
  }
  return true;
}

bool EventWatch::look(const State& end, const Motion& motion, double& from, double& to) {
  if (!evaluate(end)) return false;
  end_ = values_;
  for (std::size_t i = 0; i < functions_.size(); ++i) end_[i] -= functions_[i].lift;
  leave_zero(motion, from, to);
  if (!crossed()) look_inside(motion, from, to);
  if (crossed()) return true;
  for (Function& f : functions_) f.settle();
  for (const auto& source : sources_) source->follow(end);
  return true;
}

/// The step is seen as two: the part before `there`, where all functions are evaluated, counts if one has crossed in
/// it, otherwise the part behind it.
void EventWatch::split(double there, double& from, double& to) {
  collect_crossed();
  if (crossed()) {
    to = there;
    return;
  }
  for (Function& f : functions_) f.settle();
  from = there;
}

void EventWatch::return_to_end() {
  for (std::size_t i = 0; i < functions_.size(); ++i) functions_[i].now = end_[i] + functions_[i].lift;
  collect_crossed();
}

/// One that is still lifted, and below zero at the end, may have been above it on its way, as what bounces. The time
/// when it was is looked for from the end back to the begin, halving.
void EventWatch::leave_zero(const Motion& motion, double& from, double& to) {
  constexpr int most = 50;
  std::vector<const Function*> all;
  for (const Function& f : functions_)
    if (f.lift > 0.0 && f.crossed()) all.push_back(&f);
  double there = to;
  for (int k = 0; k < most && !all.empty(); ++k) {
    there = from + (there - from) / 2;
    if (!motion(there, probe_) || !evaluate(probe_)) break;
    if (!std::ranges::all_of(all, [](const Function* f) { return f->now - f->lift > f->noise; })) continue;
    split(there, from, to);
    if (crossed()) return;
    break;
  }
  return_to_end();
}

/// A function may have crossed zero twice.
void EventWatch::look_inside(const Motion& motion, double& from, double& to) {
  for (const int i : find_turning(from, to, motion)) {
    double there = to;
    if (!find_other_side(i, from, to, motion, there)) continue;
    split(there, from, to);
    if (crossed()) return;
    break;
  }
  return_to_end();
}

/// Functions that come closer to zero at the begin of the step and go away from it at its end.
std::vector<int> EventWatch::find_turning(double from, double to, const Motion& motion) {
  constexpr double near = 1e-3;  // of the step, for the slope
  std::vector<int> turning;
  if (!motion(from + near * (to - from), probe_) || !evaluate(probe_, values_)) return {};
  if (!motion(to - near * (to - from), probe_) || !evaluate(probe_, nearby_)) return {};
  for (int i = 0; i < static_cast<int>(functions_.size()); ++i) {
    const Function& f = functions_[i];
    if (f.side * (values_[i] - f.before) < 0.0 && f.side * (f.now - nearby_[i]) > 0.0) turning.push_back(i);
  }
  return turning;
}

/// Golden section for the value closest to zero, until one is beyond it: all functions are then evaluated there.
bool EventWatch::find_other_side(int i, double from, double to, const Motion& motion, double& there) {
  constexpr double golden = 0.6180339887498949;
  constexpr int most = 20;  // leaves 1e-4 of the step, and 1e-8 of what the function changes by over it
  const Function& f = functions_[i];
  double left = to - golden * (to - from), right = from + golden * (to - from);
  const auto height = [&](double t) {
    there = t;
    return motion(t, probe_) && evaluate(probe_) ? f.side * f.now : std::numeric_limits<double>::infinity();
  };
  double at_left = height(left);
  if (at_left <= 0.0) return true;
  double at_right = height(right);
  for (int k = 0; k < most && at_right > 0.0 && at_left > 0.0; ++k) {
    if (at_left < at_right) {
      to = right, right = left, at_right = at_left;
      left = to - golden * (to - from), at_left = height(left);
    } else {
      from = left, left = right, at_left = at_right;
      right = from + golden * (to - from), at_right = height(right);
    }
  }
  return at_left <= 0.0 || at_right <= 0.0;
}

void EventWatch::collect_crossed() {
  fired_.clear();
  for (int i = 0; i < static_cast<int>(functions_.size()); ++i) {
    if (functions_[i].crossed()) fired_.push_back(i);
  }
}

bool EventWatch::locate(double from, double to, double together, const Motion& motion, State& at) {
  const double end = to;
  // a function that crosses back further on is seen where the step has become shorter; each is located once, because
  // one that is all rounding around its zero would be found earlier every time
  std::vector<bool> located(functions_.size(), false);
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < static_cast<int>(functions_.size()); ++i) {
      if (located[i] || !functions_[i].crossed()) continue;
      if (!narrow(i, from, to, motion, at) || !motion(to, at) || !evaluate(at)) return false;
      located[i] = again = true;
    }
  }
  // those that cross at the same time but for rounding
  if (!motion(std::min(end, to + together), at) || !evaluate(at)) return false;
  collect_crossed();
  if (!motion(to, at) || !evaluate(at)) return false;
  for (int i = 0; i < static_cast<int>(functions_.size()); ++i) {  // what the others have become by now
    Function& f = functions_[i];
    if (std::ranges::find(fired_, i) != fired_.end()) continue;
    f.settle();
    f.close = f.side != 0 && !(std::abs(f.now) > f.noise);
  }
  return true;
}

/// [from, to] down to rounding, `to` stays behind the zero: inverse quadratic interpolation where the last three values
/// promise that it helps, bisection otherwise. [Chandrupatla1997]
bool EventWatch::narrow(int i, double from, double& to, const Motion& motion, State& at) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  constexpr int most = 200;  // bisection alone needs 60
  Function& f = functions_[i];
  const double h = to - from;
  double x1 = to, x2 = from, x3 = from;  // the zero is between x1 and x2; x3 was given up last
  double f1 = f.now, f2 = f.before, f3 = f.before;
  double part = 0.5;
  for (int k = 0; k < most; ++k) {
    const double x = x1 + part * (x2 - x1);
    if (!motion(x, at) || !evaluate(at)) return false;
    const bool behind = sign(f.now) != f.side;
    if (behind == (sign(f1) != f.side)) {
      x3 = x1, f3 = f1;
    } else {
      x3 = x2, f3 = f2;
      x2 = x1, f2 = f1;
    }
    x1 = x, f1 = f.now;
    const double tolerance = 2 * eps * std::max(std::abs(x1), h), least = tolerance / std::abs(x2 - x1);
    if (f1 == 0.0 || least > 0.5) break;
    const double xi = (x1 - x2) / (x3 - x2), phi = (f1 - f2) / (f3 - f2);
    part = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi
               ? f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
               : 0.5;
    part = std::clamp(part, least, 1 - least);
  }
  to = sign(f1) != f.side ? x1 : x2;
  return true;
}

Consequence EventWatch::fire(const State& at) {
  const Mode mode = dynamics_.mode();
  Consequence consequence{mode, false, {}};
  for (const int i : fired_) functions_[i].source->fire(functions_[i].index, at, acceleration_, consequence);
  if (!(dynamics_.mode() == mode)) {  // others were tried
    dynamics_.set_mode(mode);
    dynamics_.decide_rows(at);
  }
  return consequence;
}

}  // namespace maggi::integration
