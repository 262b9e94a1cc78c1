#include "integration/singular/pose_search.hpp"

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"

namespace maggi::integration {

PoseSearch::PoseSearch(Dynamics& dynamics, RankWatch& watch)
    : dynamics_(dynamics),
      shape_(dynamics.shape()),
      watch_(watch),
      probe_{0.0, Vector::Zero(shape_.nq()), Vector::Zero(shape_.n())},
      way_(Vector::Zero(shape_.n())),
      vdot_(Vector::Zero(shape_.n())) {
  stage_.fill(vdot_);
}

void PoseSearch::begin(const State& start) {
  looked_ = seen_ = rough_pose_ = none;
  rate_ = none;
  turned_ = 0.0;
  largest_ = watch_.last().clearance;
  squares_.setZero(watch_.rows().size());
  begin_ = dynamics_.workspace().terms.C;
  end_ = change_ = begin_;
  between_.fill(begin_);
  choice_ = -1;
  rely_on_rows(start);
}

void PoseSearch::follow(const State& state) {
  begin_ = dynamics_.workspace().terms.C;
  rely_on_rows(state);
}

void PoseSearch::rely_on_rows(const State& state) {
  if (choice_ == watch_.choice()) return;
  choice_ = watch_.choice();
  constexpr double roughly = 1e-6;
  rough_.emplace(dynamics_.system(), roughly);
  rough_->use_rows(dynamics_.active_rows());
  if (dynamics_.recursion()) rough_->rely_on(dynamics_.rows().rows());
  probe_ = state;
  (*rough_)(probe_, dynamics_.workspace());  // it takes its memory now
}

double PoseSearch::turn(const Vector& from, const Vector& to) {
  change_ = to - from;
  const RowSelection& rows = watch_.rows();
  rows.squared_lengths(change_, squares_);
  Largest part;
  for (int k = 0; k < rows.size(); ++k)
    if (const double longest = watch_.longest(rows.rows()[k]); longest > 0.0) part.note(squares_[k] / longest);
  return std::sqrt(part.value());
}

bool PoseSearch::possible(const Place& from, const Place& to, double turn) const {
  constexpr double safety = 4.0;
  return from.clearance + to.clearance <= safety * (turned_ < enough ? 1.0 : largest_) * turn;
}

double PoseSearch::inside(double from, double to, const Motion& motion, bool& looked) {
  constexpr double far = 0.5, fine = 0.25;  // so far a chord is as long as the way; a part that shows every turn
  constexpr double fewest = 2.0, most = 100.0;
  end_ = dynamics_.workspace().terms.C;
  const Place first{from, watch_.last().clearance, &begin_}, last{to, watch_.clearance(), &end_};
  const double chord = turn(begin_, end_), h = to - from;
  const double way = std::max(chord, rate_ < none ? rate_ * h : 2 * far);
  looked = false;
  if (way < far) {
    rate_ = chord / h;
    turned_ += chord;
    largest_ = std::max(largest_, last.clearance);
    if (!possible(first, last, way)) return none;
  }
  looked = true;
  return walk(first, last, static_cast<int>(std::clamp(std::ceil(way / fine), fewest, most)), way / h, motion);
}

double PoseSearch::walk(const Place& first, const Place& last, int parts, double rate, const Motion& motion) {
  double way = 0.0;
  Place before{first.t, first.clearance, &between_[0]};
  between_[0] = begin_;
  for (int k = 1; k <= parts; ++k) {
    const double t = first.t + (last.t - first.t) * k / parts;
    const Place here = k < parts ? look(t, motion, between_[1]) : last;
    way += turn(*before.C, *here.C);
    if (double pose = none; narrow(before, here, rate, 2, motion, pose)) return pose;
    between_[0] = *here.C;
    before = {here.t, here.clearance, &between_[0]};
  }
  turned_ += way;
  rate_ = way / (last.t - first.t);
  return none;
}

PoseSearch::Place PoseSearch::look(double t, const Motion& motion, Vector& C) {
  motion(t, probe_);
  rough_->positions(probe_, dynamics_.workspace());  // near a singular pose it need not work
  const double clearance = watch_.clearance(probe_);
  C = dynamics_.workspace().terms.C;
  largest_ = std::max(largest_, clearance);
  return {t, clearance, &C};
}

/// Halves the part until (1) rules it out or it is short. `next`: memory that is free.
bool PoseSearch::narrow(const Place& from, const Place& to, double rate, std::size_t next, const Motion& motion,
                        double& pose) {
  if (!possible(from, to, std::max(turn(*from.C, *to.C), rate * (to.t - from.t)))) return false;
  if (next == between_.size()) return vanishes(motion, from.t, to.t, from.clearance + to.clearance, pose);
  const Place middle = look((from.t + to.t) / 2, motion, between_[next]);
  return narrow(from, middle, rate, next + 1, motion, pose) || narrow(middle, to, rate, next + 1, motion, pose);
}

/// On the constraints near the motion: does the distance go down to zero between these times, or is it only small?
/// `height`: it goes down by so much altogether, if it does. `pose`: about when.
bool PoseSearch::vanishes(const Motion& motion, double from, double to, double height, double& pose) {
  constexpr double golden = 0.6180339887498949, small = 0.05;
  constexpr int most = 8;
  const double limit = small * height;
  const auto measure = [&](double t) {
    motion(t, probe_);
    if (!rough_->positions(probe_, dynamics_.workspace())) return 0.0;  // near a singular pose it need not work
    return watch_.clearance(probe_);
  };
  double left = to - golden * (to - from), right = from + golden * (to - from);
  double at_left = measure(left), at_right = measure(right);
  double allowed = 0.75 * height;  // where it goes down to zero, it becomes shorter with the interval
  for (int k = 0; k < most; ++k, allowed *= golden) {
    const double least = std::min(at_left, at_right);
    pose = at_left < at_right ? left : right;
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

/// Where v and v̇ lead.
void PoseSearch::go_ahead(const State& state, double time) {
  probe_ = state;
  probe_.t += time;
  way_ = time * state.v + (time * time / 2) * vdot_;
  dynamics_.system().move(probe_.q.data(), way_.data());
}

/// Does the clearance fall much on the way to this time? One step by Nyström's method, from v̇ that is known:
///
///     k₁ = v̇(t, q, v),   k₂ = v̇(t + s/2, q + s/2 v + s²/8 k₁, v + s/2 k₁),   k₃: the same with k₂
///     q + s v + s²/6 (k₁ + k₂ + k₃)
bool PoseSearch::comes_near(const State& state, double time, double clearance) {
  constexpr double much = 0.25;
  const double s = time - state.t;
  auto& [k2, k3, way] = stage_;
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
  if (!evaluate(vdot_, k2) || !evaluate(k2, k3)) return true;  // it may be in the pose
  way = s * state.v + s * s / 6 * (vdot_ + k2 + k3);
  move(1.0);
  return !rough_->positions(probe_, dynamics_.workspace()) || watch_.clearance(probe_) < much * clearance;
}

double PoseSearch::ahead(const State& state, double h) {
  const double low = 0.2 * largest_;
  constexpr int samples = 12, most = 36, whole = 4;  // it may fall slower than on a straight line through the last two
  const auto [t, distance] = watch_.last();
  const auto [before_t, before] = watch_.before();
  const bool expected = seen_ > t && seen_ < none;  // the distance may rise once more on the way to it
  double ahead = distance < before ? distance * (t - before_t) / (before - distance) : none;
  if (expected && !(8 * ahead < seen_ - t)) ahead = seen_ - t;  // unless another one is much closer
  const bool near = distance < low || turned_ < enough;         // or the rows may have been short from the begin
  if (!(ahead < (near ? 100 : 4) * h)) {
    if (!expected) looked_ = seen_ = none;
    return none;
  }
  if ((!expected && ahead > looked_ / 2) || !dynamics_.accelerate(state, vdot_.data())) return none;
  // so far away that v and v̇ lead elsewhere: it will be looked at again from nearer
  constexpr double near_steps = 10;
  if (ahead > near_steps * h && ahead / 2 * largest(vdot_) > largest(state.v)) return none;
  const auto nearly_met = [&] {  // otherwise v and v̇ tell nothing of a time so far away
    constexpr double part = 0.02;
    const Vector& f = dynamics_.workspace().terms.f;
    dynamics_.system().position(probe_, dynamics_.workspace());
    const double allowed = part * largest(way_);
    return std::ranges::all_of(watch_.rows().rows(), [&](int i) {
      return i >= shape_.s_p || std::abs(f[i]) <= allowed * std::sqrt(watch_.longest(i));
    });
  };
  double least = expected ? distance : distance / 2, pose = none;  // a zero between two samples is closer to one
  for (int k = 1; k <= samples || (k <= most && pose == probe_.t); ++k) {  // further, while it falls
    go_ahead(state, ahead * k / whole);
    const double there = watch_.clearance(probe_);
    if (there < least && nearly_met()) least = there, pose = probe_.t;
  }
  if (pose < none && distance >= low && pose > state.t + 2 * h) {  // early enough from nearer, if it is there then
    looked_ = none, seen_ = pose;
    return none;
  }
  if (pose < none && distance >= low && !comes_near(state, pose, distance)) {  // the next step may tell better
    looked_ = none, seen_ = pose;
    return none;
  }
  rough_pose_ = pose;
  const auto motion = [&](double time, State&) { go_ahead(state, time - state.t); };
  const double width = ahead / whole;
  if (pose < none && !vanishes(std::ref(motion), pose - width, pose + width, distance, pose)) pose = none;
  looked_ = pose < none ? none : ahead;
  seen_ = pose;
  return pose;
}

}  // namespace maggi::integration
