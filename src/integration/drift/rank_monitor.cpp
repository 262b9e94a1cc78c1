#include "integration/drift/rank_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/cholesky.hpp"
#include "base/names.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

RankMonitor::RankMonitor(Dynamics& dynamics, Projection* projection, Statistics& statistics)
    : dynamics_(dynamics),
      shape_(dynamics.shape()),
      projection_(projection),
      statistics_(statistics),
      longest_(Vector::Zero(shape_.m())),
      since_choice_(Vector::Zero(shape_.m())) {}

void RankMonitor::begin(const State& start) {
  dynamics_.decide_rows(start);
  total_rank_ = dynamics_.rank();
  redundant_ = dynamics_.dependent_rows();
  longest_.setZero();
  std::vector<int> rows = dynamics_.active_rows();
  std::erase_if(rows, [&](int i) { return i >= shape_.s_p + shape_.s_v; });
  watched_ = RowSelection(shape_, std::move(rows));
  length_.setZero(watched_.size());
  if (shape_.n() + shape_.m() <= Recursion::small_system) {
    if (!probe_) probe_.emplace(shape_.n(), shape_.m());
    M_.resize(shape_.n(), shape_.n());
    C_.resize(watched_.size(), shape_.n());
  }
  find_metric(start);
  rank_ = 0;
  distance(start);
  rank_ = projection_ ? projection_->independence().rank : there_.rank;
  if (!projection_) return;
  measure(start.t);
  before_ = last_;  // nothing decreases yet
  relied_on_.clear();
  choose_rows();
}

void RankMonitor::choose_rows() {
  clearest_ = 0.0;
  since_choice_.setZero();
  bool other = static_cast<int>(relied_on_.size()) != watched_.size();
  relied_on_.resize(watched_.size());
  for (int k = 0; k < watched_.size(); ++k) {
    const bool used = std::ranges::binary_search(dynamics_.rows().rows(), watched_.rows()[k]);
    other = other || relied_on_[k] != used;
    relied_on_[k] = used;
  }
  if (!other) return;
  ++choice_;
  if (projection_ && dynamics_.recursion()) projection_->rely_on(dynamics_.rows().rows());
}

bool RankMonitor::keeps_rank(const Instant& at) {
  if (!projection_) return true;
  measure(at.t);
  if (projection_->independence().rank != rank_) return false;
  return dynamics_.dependent_rows().empty() || (same_rows() && !ill_conditioned()) || decide_again(at);
}

void RankMonitor::measure(double t) {
  before_ = last_;
  note_lengths();
  last_ = {t, find_clearance(projection_->independence())};
  const Distance found = find_distance(projection_->independence());
  distance_ = found.value, closest_ = found.row;
  statistics_.distance_to_singularity = std::min(statistics_.distance_to_singularity, distance_);
}

RankMonitor::Distance RankMonitor::find_distance(const Independence& rows) {
  Distance found{rows.distance, rows.weakest};
  if (rows.rank < rank_) found.value = rows.rejected;
  const Distance shortest = shortest_row();
  if (shortest.value >= found.value) return found;
  if (irreplaceable(rows)) return shortest;
  if (!lengthy_) return found;
  const double left = std::max(shortest.value, left_without_short_rows());
  return left < found.value ? Distance{left, shortest.row} : found;
}

/// A vanishing row can be replaced by a redundant one. A row that has always been zero replaces nothing.
bool RankMonitor::irreplaceable(const Independence& rows) const {
  return std::ranges::all_of(rows.dependent, [&](int i) { return longest_[i] == 0.0; });
}

double RankMonitor::find_clearance(const Independence& rows) {
  constexpr double low = 0.2;
  const double sine = rows.rank < rank_ ? rows.rejected : rows.distance, left = sine * shortest_row().value;
  if (irreplaceable(rows)) return left;
  if (!lengthy_) return sine;
  // rows that are left out may replace those that vanish
  return left < low ? std::max(left, std::min(low, left_without_short_rows())) : left;
}

/// The metric in which rows of different units are compared, if some of them are redundant: that of the start.
void RankMonitor::find_metric(const State& start) {
  lengthy_.reset();
  if (!projection_ || redundant_.empty() || shape_.n() + shape_.m() > Recursion::small_system) return;
  dynamics_.system().velocity(start, dynamics_.workspace());
  L_.resize(shape_.n(), shape_.n());
  A_.resize(shape_.n(), watched_.size());
  shape_.M.scatter(dynamics_.workspace().terms.M, L_);
  if (!L_.allFinite() || !cholesky(L_)) L_.setIdentity();  // without a metric: that of the coordinates
  lengthy_.emplace(shape_.n(), watched_.size());
}

/// |R_rr| / |R_11| of all rows, each scaled by its largest length so far.
double RankMonitor::left_without_short_rows() {
  watched_.matrix(dynamics_.workspace().terms.C, C_);
  for (int k = 0; k < watched_.size(); ++k) {
    auto a = A_.col(k);
    a = C_.row(k).transpose();
    solve_lower(L_, a);
    const double longest = longest_[watched_.rows()[k]], length = a.norm();
    if (longest > 0.0 && length > 0.0) a *= std::sqrt(length_[k] / longest) / length;
  }
  lengthy_->compute(A_);
  const double first = lengthy_->steps() > 0 ? std::abs(lengthy_->R(0, 0)) : 0.0;
  if (rank_ == 0 || rank_ > lengthy_->steps() || !(first > 0.0)) return 1.0;
  return std::abs(lengthy_->R(rank_ - 1, rank_ - 1)) / first;
}

void RankMonitor::note_lengths() {
  watched_.squared_lengths(dynamics_.workspace().terms.C, length_);
  for (int k = 0; k < watched_.size(); ++k)
    longest_[watched_.rows()[k]] = std::max(longest_[watched_.rows()[k]], length_[k]);
}

/// The smallest relative length of a row.
RankMonitor::Distance RankMonitor::shortest_row() {
  watched_.squared_lengths(dynamics_.workspace().terms.C, length_);
  Distance shortest{1.0, -1};
  for (int k = 0; k < watched_.size(); ++k) {
    const int i = watched_.rows()[k];
    const double left = longest_[i] > 0.0 ? std::sqrt(length_[k] / longest_[i]) : 1.0;
    if (left < shortest.value) shortest = {left, i};
  }
  return shortest;
}

double RankMonitor::distance(const Instant& at) {
  if (watched_.size() == 0) return 1.0;
  const Independence* rows = examine(at);
  return rows ? find_distance(*rows).value : 0.0;
}

double RankMonitor::clearance(const Instant& at) {
  if (watched_.size() == 0) return 1.0;
  const Independence* rows = examine(at);
  return rows ? find_clearance(*rows) : 0.0;
}

/// The rows at this state; none if they are not finite there.
const Independence* RankMonitor::examine(const Instant& at) {
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
      return &there_;
    }
  }
  dynamics_.system().velocity(at, w);
  M_.resize(shape_.n(), shape_.n());
  C_.resize(watched_.size(), shape_.n());
  shape_.M.scatter(w.terms.M, M_);
  watched_.matrix(w.terms.C, C_);
  if (!probe_) probe_.emplace(shape_.n(), shape_.m());
  if (!M_.allFinite() || !C_.allFinite() || !probe_->compute(M_, C_)) return nullptr;
  judge(*probe_, watched_.rows(), there_);
  return &there_;
}

/// The independent rows once chosen may become nearly dependent or short, while rows that were left out would be a
/// better choice.
bool RankMonitor::ill_conditioned() {
  constexpr double much = 0.3;
  if (!dynamics_.recursion()) return false;
  clearest_ = std::max(clearest_, distance_);
  watched_.squared_lengths(dynamics_.workspace().terms.C, length_);
  bool shrunk = false;
  for (int k = 0; k < watched_.size(); ++k) {
    const int i = watched_.rows()[k];
    since_choice_[i] = std::max(since_choice_[i], length_[k]);
    shrunk = shrunk || (relied_on_[k] && length_[k] < much * much * since_choice_[i]);
  }
  return shrunk || distance_ < much * clearest_;
}

/// Are the rows that the projection found dependent the ones that the dynamics leaves out?
bool RankMonitor::same_rows() const {
  if (shape_.s_a > 0) return false;  // acceleration rows are not seen by the projection
  const std::vector<int>& left_out = dynamics_.dependent_rows();
  return std::ranges::all_of(projection_->independence().dependent,
                             [&](int i) { return std::ranges::find(left_out, i) != left_out.end(); });
}

bool RankMonitor::decide_again(const Instant& at) {
  try {
    dynamics_.decide_rows(at);
  } catch (const Error& error) {
    undecided_ = error.what();
    return false;
  }
  choose_rows();
  return dynamics_.rank() == total_rank_;
}

std::string RankMonitor::explain_rank_change(const Instant& at) {
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

/// Rows that are not linear in the velocities may vanish at rest.
std::string RankMonitor::help_with_speed() const {
  for (const int i : redundant_)
    if (shape_.rows[i].level == Level::velocity && shape_.rows[i].nonlinear)
      return fmt::format(" (\"{}\" is not linear in the velocities; start with other ones, not from rest)",
                         shape_.rows[i].name);
  return "";
}

bool RankMonitor::rank_lost(const Instant& at) {
  Workspace& w = dynamics_.workspace();
  dynamics_.system().acceleration(at, w);
  Matrix M(shape_.n(), shape_.n()), C(dynamics_.active_rows().size(), shape_.n());
  shape_.M.scatter(w.terms.M, M);
  RowSelection(shape_, dynamics_.active_rows()).matrix(w.terms.C, C);
  if (!all_rows_) all_rows_.emplace(shape_.n(), shape_.m());
  return M.allFinite() && C.allFinite() && all_rows_->compute(M, C) && all_rows_->rank() < total_rank_;
}

std::string RankMonitor::explain_rank_lost(const Instant& at) {
  rank_lost(at);
  Matrix C(dynamics_.active_rows().size(), shape_.n());
  RowSelection(shape_, dynamics_.active_rows()).matrix(dynamics_.workspace().terms.C, C);
  const std::vector<std::string> names = dependency(C);
  return fmt::format("at t = {:.9g} s the {} {} dependent: singular configuration", at.t,
                     names.size() == 1 ? "row" : "rows",
                     list_names(names) + (names.size() == 1 ? " becomes" : " become"));
}

/// The rows that became dependent and those they depend on.
std::vector<std::string> RankMonitor::dependency(const Matrix& C) const {
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

std::string RankMonitor::explain_near(double t) const {
  return fmt::format(
      "at t = {:.9g} s a singular configuration is near: \"{}\" has a distance of {:.2g} from the span of the other "
      "constraints",
      t, shape_.rows[closest_].name, distance_);
}

}  // namespace maggi::integration
