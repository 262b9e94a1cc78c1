#include "integration/rank_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "maggi/base/cholesky.hpp"
#include "maggi/base/error.hpp"
#include "maggi/base/names.hpp"

namespace maggi::integration {

RankWatch::RankWatch(Dynamics& dynamics, Projection* projection, Statistics& statistics)
    : dynamics_(dynamics),
      shape_(dynamics.shape()),
      projection_(projection),
      statistics_(statistics),
      length_(Vector::Zero(shape_.m())),
      longest_(Vector::Zero(shape_.m())),
      since_choice_(Vector::Zero(shape_.m())),
      ahead_{0.0, Vector::Zero(shape_.nq()), Vector::Zero(shape_.n())},
      way_(Vector::Zero(shape_.n())),
      vdot_(Vector::Zero(shape_.n())) {}

void RankWatch::begin(const State& start) {
  dynamics_.decide_rows(start);
  total_rank_ = dynamics_.rank();
  redundant_ = dynamics_.dependent_rows();
  longest_.setZero();
  // off the constraints, redundant rows look independent: without projection they are left out
  std::vector<int> rows = projection_ ? dynamics_.active_rows() : dynamics_.rows().rows();
  std::erase_if(rows, [&](int i) { return i >= shape_.s_p + shape_.s_v; });
  watched_ = RowSelection(shape_, std::move(rows));
  if (shape_.n() + shape_.m() <= Recursion::small_system) {
    if (!probe_) probe_.emplace(shape_.n(), shape_.m());
    M_.resize(shape_.n(), shape_.n());
    C_.resize(watched_.size(), shape_.n());
  }
  find_metric(start);
  rank_ = 0;
  distance(start);
  rank_ = projection_ ? projection_->independence().rank : there_.rank;
  looked_ = seen_ = std::numeric_limits<double>::infinity();
  if (!projection_) return;
  distance_ = 0.0;  // nothing is falling yet
  measure(start.t);
  rough_.reset();
  rely_on_rows();
}

void RankWatch::rely_on_rows() {
  clearest_ = 0.0;
  since_choice_.setZero();
  if (!projection_ || (rough_ && relied_on_ == dynamics_.rows().rows())) return;
  relied_on_ = dynamics_.rows().rows();
  constexpr double roughly = 1e-6;
  rough_.emplace(dynamics_.system(), roughly);
  rough_->use_rows(dynamics_.active_rows());
  if (!dynamics_.recursion()) return;
  for (Projection* projection : {projection_, &*rough_}) projection->rely_on(dynamics_.rows().rows());
}

bool RankWatch::steady(const Instant& at) {
  if (!projection_) return true;
  measure(at.t);
  if (projection_->independence().rank != rank_) return false;
  return dynamics_.dependent_rows().empty() || (same_rows() && !strained()) || decide_again(at);
}

void RankWatch::measure(double t) {
  before_t_ = t_, before_ = distance_;
  const Distance found = find_distance(projection_->independence());
  t_ = t, distance_ = found.value, closest_ = found.row;
  statistics_.distance_to_singularity = std::min(statistics_.distance_to_singularity, distance_);
}

RankWatch::Distance RankWatch::find_distance(const Independence& rows) {
  Distance found{rows.distance, rows.weakest};
  if (rows.rank < rank_) found.value = rows.rejected;
  const Distance shortest = shortest_row();
  if (shortest.value >= found.value) return found;
  // of two rows that say the same, one may vanish; a row that never was anything says nothing
  const bool alone = std::ranges::all_of(rows.dependent, [&](int i) { return longest_[i] == 0.0; });
  if (alone) return shortest;
  if (!lengthy_) return found;
  const double left = std::max(shortest.value, left_without_short_rows());
  return left < found.value ? Distance{left, shortest.row} : found;
}

/// In which rows of different units are compared, if some of them are redundant; that of the start will do.
void RankWatch::find_metric(const State& start) {
  lengthy_.reset();
  if (!projection_ || redundant_.empty() || shape_.n() + shape_.m() > Recursion::small_system) return;
  dynamics_.system().velocity(start, dynamics_.workspace());
  L_.resize(shape_.n(), shape_.n());
  A_.resize(shape_.n(), watched_.size());
  shape_.M.scatter(dynamics_.workspace().terms.M, L_);
  if (!L_.allFinite() || !cholesky(L_)) L_.setIdentity();  // without a metric: as the coordinates are
  lengthy_.emplace(shape_.n(), watched_.size());
}

/// How independent as many rows as ever are still, each of them as long as it is of its longest.
double RankWatch::left_without_short_rows() {
  watched_.matrix(dynamics_.workspace().terms.C, C_);
  for (int k = 0; k < watched_.size(); ++k) {
    auto a = A_.col(k);
    a = C_.row(k).transpose();
    solve_lower(L_, a);
    const double longest = longest_[watched_.rows()[k]], length = a.norm();
    if (longest > 0.0 && length > 0.0) a *= std::sqrt(length_[watched_.rows()[k]] / longest) / length;
  }
  lengthy_->compute(A_);
  const double first = lengthy_->steps() > 0 ? std::abs(lengthy_->R(0, 0)) : 0.0;
  if (rank_ == 0 || rank_ > lengthy_->steps() || !(first > 0.0)) return 1.0;
  return std::abs(lengthy_->R(rank_ - 1, rank_ - 1)) / first;
}

/// ‖row‖² of all rows.
void RankWatch::find_lengths() {
  const Vector& C = dynamics_.workspace().terms.C;
  length_.setZero();
  for (int e = 0; e < shape_.C.size(); ++e) length_[shape_.C.row[e]] += C[e] * C[e];
}

/// The smallest part of its largest length that a row has left.
RankWatch::Distance RankWatch::shortest_row() {
  find_lengths();
  Distance shortest{1.0, -1};
  for (const int i : watched_.rows()) {
    longest_[i] = std::max(longest_[i], length_[i]);
    const double left = longest_[i] > 0.0 ? std::sqrt(length_[i] / longest_[i]) : 1.0;
    if (left < shortest.value) shortest = {left, i};
  }
  return shortest;
}

double RankWatch::distance(const Instant& at) {
  if (watched_.size() == 0) return 1.0;
  Workspace& w = dynamics_.workspace();
  if (Recursion* recursion = dynamics_.recursion(); recursion && projection_) {
    w.matrices = false;
    dynamics_.system().velocity(at, w);
    w.matrices = true;
    if (recursion->factorise(w)) {
      const Recursion::Weakest weakest = recursion->weakest();
      there_.rank = dynamics_.rows().size();
      there_.distance = weakest.sine, there_.weakest = weakest.row, there_.rejected = 0.0;
      there_.dependent = dynamics_.dependent_rows();  // in memory that is there
      return find_distance(there_).value;
    }
  }
  dynamics_.system().velocity(at, w);
  M_.resize(shape_.n(), shape_.n());
  C_.resize(watched_.size(), shape_.n());
  shape_.M.scatter(w.terms.M, M_);
  watched_.matrix(w.terms.C, C_);
  if (!probe_) probe_.emplace(shape_.n(), shape_.m());
  if (!M_.allFinite() || !C_.allFinite() || !probe_->compute(M_, C_)) return 0.0;
  judge(*probe_, watched_.rows(), there_);
  return find_distance(there_).value;
}

/// Where v and v̇ lead.
void RankWatch::go_ahead(const State& state, double time) {
  ahead_ = state;
  ahead_.t += time;
  way_ = time * state.v + (time * time / 2) * vdot_;
  dynamics_.system().move(ahead_.q.data(), way_.data());
}

double RankWatch::pose_ahead(const State& state, double h) {
  constexpr double none = std::numeric_limits<double>::infinity(), low = 0.2;
  constexpr int samples = 12, whole = 4;  // the distance may fall slower than on a straight line through the last two
  const bool expected = seen_ > t_ && seen_ < none;  // the distance may rise once more on the way to it
  double ahead = distance_ < before_ ? distance_ * (t_ - before_t_) / (before_ - distance_) : none;
  if (expected) ahead = std::min(ahead, seen_ - t_);
  if (!(ahead < (distance_ < low || expected ? 100 : 4) * h)) {
    looked_ = seen_ = none;
    return none;
  }
  if ((!expected && ahead > looked_ / 2) || !dynamics_.accelerate(state, vdot_.data())) return none;
  // so far away that v and v̇ lead elsewhere: it will be looked at again from nearer
  constexpr double near_steps = 10;
  if (ahead > near_steps * h && ahead / 2 * vdot_.lpNorm<Eigen::Infinity>() > state.v.lpNorm<Eigen::Infinity>())
    return none;
  const auto nearly_met = [&] {  // otherwise v and v̇ tell nothing of a time so far away
    constexpr double part = 0.02;
    const Vector& f = dynamics_.workspace().terms.f;
    dynamics_.system().position(ahead_, dynamics_.workspace());
    const double most = part * way_.lpNorm<Eigen::Infinity>();
    return std::ranges::all_of(
        watched_.rows(), [&](int i) { return i >= shape_.s_p || std::abs(f[i]) <= most * std::sqrt(longest_[i]); });
  };
  double least = expected ? distance_ : distance_ / 2, pose = none;  // a zero between two samples is closer to one
  for (int k = 1; k <= samples; ++k) {
    go_ahead(state, ahead * k / whole);
    const double there = distance(ahead_);
    if (there < least && nearly_met()) least = there, pose = ahead_.t;
  }
  if (pose < none && distance_ >= low && pose > state.t + 2 * h) {  // early enough from nearer, if it is there then
    looked_ = seen_ = none;
    return none;
  }
  rough_pose_ = pose;
  if (pose < none && !vanishes_near(state, ahead / whole, pose)) pose = none;
  looked_ = pose < none ? none : ahead;
  seen_ = pose;
  return pose;
}

/// On the constraints, near where v and v̇ lead by then: does the distance vanish there, or is it only small? `pose`:
/// about when, then better.
bool RankWatch::vanishes_near(const State& state, double width, double& pose) {
  constexpr double golden = 0.6180339887498949, small = 0.05;
  constexpr int most = 8;
  const double limit = small * distance_;
  const auto measure = [&](double t) {
    go_ahead(state, t - state.t);
    if (!rough_->positions(ahead_, dynamics_.workspace())) return 0.0;  // near a singular pose it need not work
    return distance(ahead_);
  };
  double from = pose - width, to = pose + width;
  double left = to - golden * (to - from), right = from + golden * (to - from);
  double at_left = measure(left), at_right = measure(right);
  double allowed = 0.75 * distance_;  // where it goes down to zero, it becomes shorter with the interval
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

/// Rows chosen once may become a bad choice, dependent or short, while others, left out then, would be a good one: what
/// they leave of the others grows.
bool RankWatch::strained() {
  constexpr double much = 0.3;
  if (!dynamics_.recursion()) return false;
  clearest_ = std::max(clearest_, distance_);
  find_lengths();
  bool shrunk = false;
  for (const int i : dynamics_.rows().rows()) {
    since_choice_[i] = std::max(since_choice_[i], length_[i]);
    shrunk = shrunk || length_[i] < much * much * since_choice_[i];
  }
  return shrunk || distance_ < much * clearest_;
}

/// Are the rows that the projection found dependent the ones that the dynamics leaves out?
bool RankWatch::same_rows() const {
  if (shape_.s_a > 0) return false;  // acceleration rows are not seen by the projection
  const std::vector<int>& left_out = dynamics_.dependent_rows();
  return std::ranges::all_of(projection_->independence().dependent,
                             [&](int i) { return std::ranges::find(left_out, i) != left_out.end(); });
}

bool RankWatch::decide_again(const Instant& at) {
  try {
    dynamics_.decide_rows(at);
  } catch (const Error& error) {
    undecided_ = error.what();
    return false;
  }
  rely_on_rows();
  return dynamics_.rank() == total_rank_;
}

std::string RankWatch::explain_unsteady(const Instant& at) {
  if (!undecided_.empty()) return fmt::format("at t = {:.9g} s: {}", at.t, undecided_);
  const int rank = projection_->independence().rank;
  if (rank > rank_)
    return fmt::format(
        "the rank of the constraints rises from {} to {} by t = {:.9g} s: the start is a singular configuration, from "
        "which more than one motion leads{}",
        rank_, rank, at.t, help_with_speed());
  if (rank < rank_) return explain_rank_lost(at);
  return fmt::format("at t = {:.9g} s the rank of the constraints changes from {} to {}: singular configuration", at.t,
                     total_rank_, dynamics_.rank());
}

/// Rows that are not linear in the velocities may say nothing at rest.
std::string RankWatch::help_with_speed() const {
  for (const int i : redundant_)
    if (shape_.rows[i].level == Level::velocity && shape_.rows[i].nonlinear)
      return fmt::format(" (\"{}\" is not linear in the velocities; start with other ones, not from rest)",
                         shape_.rows[i].name);
  return "";
}

bool RankWatch::rank_lost(const Instant& at) {
  Workspace& w = dynamics_.workspace();
  dynamics_.system().acceleration(at, w);
  Matrix M(shape_.n(), shape_.n()), C(dynamics_.active_rows().size(), shape_.n());
  shape_.M.scatter(w.terms.M, M);
  RowSelection(shape_, dynamics_.active_rows()).matrix(w.terms.C, C);
  if (!all_rows_) all_rows_.emplace(shape_.n(), shape_.m());
  return M.allFinite() && C.allFinite() && all_rows_->compute(M, C) && all_rows_->rank() < total_rank_;
}

std::string RankWatch::explain_rank_lost(const Instant& at) {
  rank_lost(at);
  Matrix C(dynamics_.active_rows().size(), shape_.n());
  RowSelection(shape_, dynamics_.active_rows()).matrix(dynamics_.workspace().terms.C, C);
  const std::vector<std::string> names = dependency(C);
  return fmt::format("at t = {:.9g} s the {} {} dependent: singular configuration", at.t,
                     names.size() == 1 ? "row" : "rows",
                     list_names(names) + (names.size() == 1 ? " becomes" : " become"));
}

/// The rows that became dependent and those they depend on.
std::vector<std::string> RankWatch::dependency(const Matrix& C) const {
  const Matrix A = all_rows_->combinations();
  const auto dependent = all_rows_->dependent(), independent = all_rows_->independent();
  std::vector<bool> named(C.rows(), false);
  for (std::size_t d = 0; d < dependent.size(); ++d) {
    const int i = dependent[d];
    if (std::find(redundant_.begin(), redundant_.end(), dynamics_.active_rows()[i]) != redundant_.end()) continue;
    named[i] = true;
    for (std::size_t k = 0; k < independent.size(); ++k) {
      constexpr double part = 1e-6;  // of the row that it takes part in
      if (std::abs(A(d, k)) * C.row(independent[k]).norm() > part * C.row(i).norm()) named[independent[k]] = true;
    }
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < named.size(); ++i)
    if (named[i]) names.push_back(row_name(static_cast<int>(i)));
  return names;
}

std::string RankWatch::explain_near(double t) const {
  return fmt::format("at t = {:.9g} s a singular configuration is near: \"{}\" is left with {:.2g} of its independence",
                     t, shape_.rows[closest_].name, distance_);
}

}  // namespace maggi::integration
