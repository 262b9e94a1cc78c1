#include "integration/singular/singularity_search.hpp"

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"

namespace maggi::integration {

SingularitySearch::SingularitySearch(Dynamics& dynamics, RankMonitor& monitor)
    : dynamics_(dynamics),
      shape_(dynamics.shape()),
      monitor_(monitor),
      probe_{0.0, Vector::Zero(shape_.nq()), Vector::Zero(shape_.n())},
      way_(Vector::Zero(shape_.n())),
      vdot_(Vector::Zero(shape_.n())) {
  stage_.fill(vdot_);
}

void SingularitySearch::begin(const State& start) {
  false_alarm_ = confirmed_ = rough_time_ = none;
  rate_ = none;
  turned_ = 0.0;
  largest_ = monitor_.last().clearance;
  squares_.setZero(monitor_.rows().size());
  begin_ = dynamics_.workspace().terms.C;
  end_ = change_ = begin_;
  between_.fill(begin_);
  choice_ = -1;
  follow_choice(start);
}

void SingularitySearch::follow(const State& state) {
  begin_ = dynamics_.workspace().terms.C;
  follow_choice(state);
}

void SingularitySearch::follow_choice(const State& state) {
  if (choice_ == monitor_.choice()) return;
  choice_ = monitor_.choice();
  constexpr double roughly = 1e-6;
  rough_.emplace(dynamics_.system(), roughly);
  rough_->use_rows(dynamics_.active_rows());
  if (dynamics_.recursion()) rough_->rely_on(dynamics_.rows().rows());
  probe_ = state;
  (*rough_)(probe_, dynamics_.workspace());  // it takes its memory now
}

double SingularitySearch::turn(const Vector& from, const Vector& to) {
  change_ = to - from;
  const RowSelection& rows = monitor_.rows();
  rows.squared_lengths(change_, squares_);
  Largest part;
  for (int k = 0; k < rows.size(); ++k)
    if (const double longest = monitor_.longest(rows.rows()[k]); longest > 0.0) part.note(squares_[k] / longest);
  return std::sqrt(part.value());
}

bool SingularitySearch::possible(const Place& from, const Place& to, double turn) const {
  constexpr double safety = 4.0;
  return from.clearance + to.clearance <= safety * (turned_ < full_turn ? 1.0 : largest_) * turn;
}

double SingularitySearch::inside(double from, double to, const Motion& motion, bool& searched) {
  constexpr double far = 0.5,
                   fine = 0.25;  // up to which a chord is as long as the arc; part in which no turn is missed
  constexpr double fewest = 2.0, most = 100.0;
  end_ = dynamics_.workspace().terms.C;
  const Place first{from, monitor_.last().clearance, &begin_}, last{to, monitor_.clearance(), &end_};
  const double chord = turn(begin_, end_), h = to - from;
  const double way = std::max(chord, rate_ < none ? rate_ * h : 2 * far);
  searched = false;
  if (way < far) {
    rate_ = chord / h;
    turned_ += chord;
    largest_ = std::max(largest_, last.clearance);
    if (!possible(first, last, way)) return none;
  }
  searched = true;
  return walk(first, last, static_cast<int>(std::clamp(std::ceil(way / fine), fewest, most)), way / h, motion);
}

double SingularitySearch::walk(const Place& first, const Place& last, int parts, double rate, const Motion& motion) {
  double way = 0.0;
  Place before{first.t, first.clearance, &between_[0]};
  between_[0] = begin_;
  for (int k = 1; k <= parts; ++k) {
    const double t = first.t + (last.t - first.t) * k / parts;
    const Place here = k < parts ? examine(t, motion, between_[1]) : last;
    way += turn(*before.C, *here.C);
    if (double time = none; narrow(before, here, rate, 2, motion, time)) return time;
    between_[0] = *here.C;
    before = {here.t, here.clearance, &between_[0]};
  }
  turned_ += way;
  rate_ = way / (last.t - first.t);
  return none;
}

SingularitySearch::Place SingularitySearch::examine(double t, const Motion& motion, Vector& C) {
  motion(t, probe_);
  rough_->positions(probe_, dynamics_.workspace());  // it may fail near a singular configuration
  const double clearance = monitor_.clearance(probe_);
  C = dynamics_.workspace().terms.C;
  largest_ = std::max(largest_, clearance);
  return {t, clearance, &C};
}

/// Bisects the part until (1) rules it out or it is short. `next`: free memory.
bool SingularitySearch::narrow(const Place& from, const Place& to, double rate, std::size_t next, const Motion& motion,
                               double& time) {
  if (!possible(from, to, std::max(turn(*from.C, *to.C), rate * (to.t - from.t)))) return false;
  if (next == between_.size()) return vanishes(motion, from.t, to.t, from.clearance + to.clearance, time);
  const Place middle = examine((from.t + to.t) / 2, motion, between_[next]);
  return narrow(from, middle, rate, next + 1, motion, time) || narrow(middle, to, rate, next + 1, motion, time);
}

/// On the constraints near the motion: does the clearance decrease to zero between these times, or is it only small?
/// `height`: the total decrease, if it does. `time`: of the zero, approximately.
bool SingularitySearch::vanishes(const Motion& motion, double from, double to, double height, double& time) {
  constexpr double golden = 0.6180339887498949, small = 0.05;
  constexpr int max_iterations = 8;
  const double limit = small * height;
  const auto measure = [&](double t) {
    motion(t, probe_);
    if (!rough_->positions(probe_, dynamics_.workspace())) return 0.0;  // it may fail near a singular configuration
    return monitor_.clearance(probe_);
  };
  double left = to - golden * (to - from), right = from + golden * (to - from);
  double at_left = measure(left), at_right = measure(right);
  double allowed = 0.75 * height;  // where it decreases to zero, it decreases with the interval
  for (int k = 0; k < max_iterations; ++k, allowed *= golden) {
    const double least = std::min(at_left, at_right);
    time = at_left < at_right ? left : right;
    if (least < limit) return true;
    if (least > allowed) return false;
    if (at_left < at_right) {
      to = right, right = left, at_right = at_left;
      at_left = measure(left = to - golden * (to - from));
    } else {
      from = left, left = right, at_left = at_right;
      at_right = measure(right = from + golden * (to - from));
    }
  }
  return std::min(at_left, at_right) < limit;
}

/// The state predicted by v and v̇.
void SingularitySearch::go_ahead(const State& state, double time) {
  probe_ = state;
  probe_.t += time;
  way_ = time * state.v + (time * time / 2) * vdot_;
  dynamics_.system().move(probe_.q.data(), way_.data());
}

/// Does the clearance decrease much up to this time? One step of Nyström's method, with the known v̇:
///
///     k₁ = v̇(t, q, v),   k₂ = v̇(t + s/2, q + s/2 v + s²/8 k₁, v + s/2 k₁),   k₃: the same with k₂
///     q + s v + s²/6 (k₁ + k₂ + k₃)
bool SingularitySearch::comes_near(const State& state, double time, double clearance) {
  constexpr double much = 0.25;
  const double s = time - state.t;
  Vector &k2 = stage_[0], &k3 = stage_[1], &way = stage_[2];
  const auto move = [&](double part) {
    probe_.q = state.q;
    probe_.t = state.t + part * s;
    dynamics_.system().move(probe_.q.data(), way.data());
  };
  const auto evaluate = [&](const Vector& before, Vector& k) {
    way = s / 2 * state.v + s * s / 8 * before;
    move(0.5);
    probe_.v = state.v + s / 2 * before;
    return dynamics_.accelerate(probe_, k.data());
  };
  if (!evaluate(vdot_, k2) || !evaluate(k2, k3)) return true;  // it may be in the singular configuration
  way = s * state.v + s * s / 6 * (vdot_ + k2 + k3);
  move(1.0);
  return !rough_->positions(probe_, dynamics_.workspace()) || monitor_.clearance(probe_) < much * clearance;
}

double SingularitySearch::ahead(const State& state, double h) {
  const double low = 0.2 * largest_;
  constexpr int samples = 12, max_samples = 36, per_distance = 4;  // it may decrease slower than the secant
  const auto [t, distance] = monitor_.last();
  const auto [before_t, before] = monitor_.before();
  const bool expected = confirmed_ > t && confirmed_ < none;  // the clearance may rise once more before it
  double ahead = distance < before ? distance * (t - before_t) / (before - distance) : none;
  if (expected && !(8 * ahead < confirmed_ - t)) ahead = confirmed_ - t;  // unless another one is much closer
  const bool near = distance < low || turned_ < full_turn;  // or the rows may have been short from the beginning
  if (!(ahead < (near ? 100 : 4) * h)) {
    if (!expected) false_alarm_ = confirmed_ = none;
    return none;
  }
  if ((!expected && ahead > false_alarm_ / 2) || !dynamics_.accelerate(state, vdot_.data())) return none;
  // so far away that v and v̇ predict another place: it is examined again from nearer
  constexpr double near_steps = 10;
  if (ahead > near_steps * h && ahead / 2 * largest(vdot_) > largest(state.v)) return none;
  const auto nearly_met = [&] {  // otherwise v and v̇ do not predict a state so far away
    constexpr double part = 0.02;
    const Vector& f = dynamics_.workspace().terms.f;
    dynamics_.system().position(probe_, dynamics_.workspace());
    const double allowed = part * largest(way_);
    return std::ranges::all_of(monitor_.rows().rows(), [&](int i) {
      return i >= shape_.s_p || std::abs(f[i]) <= allowed * std::sqrt(monitor_.longest(i));
    });
  };
  double least = expected ? distance : distance / 2, time = none;  // a zero between two samples is closer to one
  for (int k = 1; k <= samples || (k <= max_samples && time == probe_.t); ++k) {  // further, while it decreases
    go_ahead(state, ahead * k / per_distance);
    const double there = monitor_.clearance(probe_);
    if (there < least && nearly_met()) least = there, time = probe_.t;
  }
  if (time < none && distance >= low && time > state.t + 2 * h) {  // early enough from nearer
    false_alarm_ = none, confirmed_ = time;
    return none;
  }
  if (time < none && distance >= low && !comes_near(state, time, distance)) {  // the next step decides
    false_alarm_ = none, confirmed_ = time;
    return none;
  }
  rough_time_ = time;
  const auto motion = [&](double at, State&) { go_ahead(state, at - state.t); };
  const double width = ahead / per_distance;
  if (time < none && !vanishes(std::ref(motion), time - width, time + width, distance, time)) time = none;
  false_alarm_ = time < none ? none : ahead;
  confirmed_ = time;
  return time;
}

}  // namespace maggi::integration
