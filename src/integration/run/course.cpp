#include "integration/run/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/largest.hpp"
#include "base/names.hpp"
#include "integration/event/impact.hpp"
#include "integration/form/make_form.hpp"
#include "maggi/error.hpp"
#include "manifold/singular_pose.hpp"

namespace maggi::integration {

namespace {
constexpr double singular_value = 1e-4;  // that counts as zero in a pose, which is found better than that

/// q by the cubic that has both positions and velocities.
void interpolate(const State& from, const State& to, double t, State& state) {
  const double h = to.t - from.t, x = (t - from.t) / h, z = 1 - x;
  state.t = t;
  state.q = z * from.q + x * to.q + x * z * ((x - z) * (to.q - from.q) + h * (z * from.v - x * to.v));
  state.v = z * from.v + x * to.v;
}

std::string no_way_over(SingularPose& pose) {
  if (pose.lost() > 0 && pose.locks())
    return "; the motion locks there, because these ask for a speed that no motion has: " + list_names(pose.owners());
  const std::string branches = pose.lost() > 0 ? pose.explain_tangents() : "";
  return branches.empty() ? "; no smooth motion leads over it" : "; branches that meet there: " + branches;
}
}  // namespace

Course::Course(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options)
    : dynamics_(dynamics),
      options_(options),
      start_(start),
      events_(dynamics, start, options),
      form_(make_form(dynamics, start, options)),
      keeper_(dynamics, *form_, options.drift == "projection", statistics_),
      watch_(dynamics, keeper_.projects() ? &keeper_.projection() : nullptr, statistics_),
      search_(dynamics, watch_),
      recorder_(dynamics, *form_, keeper_, watch_, sink, start.t, options),
      t_(start.t),
      state_(start),
      end_(start),
      last_(form_->size()),
      most_(form_->size()),
      horizon_(options.until),
      tried_(std::numeric_limits<double>::infinity()),
      evaluations_before_(dynamics.evaluations()) {
  sink.watch(happened_);
}

bool Course::begin(double* y) {
  form_->values(start_, last_.data());
  if (!enter(start_)) return false;
  State near;
  if (start_.v.isZero(0.0) ? !leave_at_rest(near)
                           : begins_in_pose(near) && !leave_pose(near, Vector::Zero(shape().n())))
    return false;
  restarted_ = false;
  if (t_ == start_.t && !recorder_.arrive(t_, last_.data())) return not_stored();
  std::copy(last_.begin(), last_.end(), y);
  return events_.arm(start_) || stop_unsolvable(start_);
}

/// Is the rank of the constraints higher nearby, along the velocities of the start? Not asked where the begin is more
/// than (q, v): what starts in a pose then stops with the reason.
bool Course::begins_in_pose(State& near) {
  if (!keeper_.projects() || watch_.rank() == watch_.rows().size() || events_.any()) return false;
  constexpr double way = 1e-3;
  const double speed = largest(start_.v);
  if (options_.unknowns != "velocities" || !(speed > 0.0)) return false;
  near = start_;
  near.t += way / speed;
  dynamics_.system().move(near.q.data(), Vector(way / speed * start_.v).data());
  Projection all_rows(dynamics_.system());  // not only those that are independent at the start
  all_rows.use_rows(dynamics_.active_rows());
  const bool small = shape().n() + shape().m() <= Recursion::small_system;
  const bool kept = small ? all_rows(near, dynamics_.workspace()) ||
                                within(all_rows.residual_after(), ConstraintKeeper::rounding(near))
                          : keeper_.keep(near);
  std::vector<int> rows = dynamics_.active_rows();
  std::erase_if(rows, [&](int i) { return i >= shape().s_p + shape().s_v; });
  const RowSelection watched(shape(), rows);
  Matrix M(shape().n(), shape().n()), C(watched.size(), shape().n());
  dynamics_.system().velocity(near, dynamics_.workspace());
  shape().M.scatter(dynamics_.workspace().terms.M, M);
  watched.matrix(dynamics_.workspace().terms.C, C);
  MetricFactor factor(shape().n(), watched.size());
  if (kept && factor.compute(M, C) && factor.rank() > watch_.rank()) return true;
  keeper_.keep(start_);  // what follows uses the factor of this state
  return false;
}

/// At rest nothing tells the branch: there is a motion from rest along each of them, whose tangent τ is its first
/// acceleration's, τ τᵀh / τᵀMτ. If there is only one, it is the motion. true: otherwise, or it is no such pose.
bool Course::leave_at_rest(State& near) {
  if (!keeper_.projects() || watch_.rank() == watch_.rows().size() || events_.any() ||
      options_.unknowns != "velocities" || shape().n() + shape().m() > Recursion::small_system)
    return true;
  SingularPose pose(dynamics_, start_, singular_value);
  const std::vector<SingularPose::Branch> branches = pose.branches();
  keeper_.keep(start_);  // what follows uses the factor of this state
  if (branches.empty()) return true;
  if (branches.size() > 1 || !pose.all_are_found())
    return stop(Outcome::singular,
                fmt::format("at t = {:.9g} s the start is a singular pose, from which more than one motion leads: {}; "
                            "branches: {}",
                            t_, pose.explain(), pose.explain_tangents()));
  near = branches[0].near;
  return branches[0].vdot.isZero(0.0) || leave_pose(near, branches[0].vdot);
}

/// Along the velocities of the start, if they are those of a branch; v̇ is a first guess.
bool Course::leave_pose(State& near, const Vector& vdot) {
  constexpr int most = 12;
  dynamics_.decide_rows(near);  // of those that are independent in the pose there are fewer
  keeper_.follow_rows();
  if (!keeper_.keep(near)) return stop_lost();
  watch_.begin(near);
  if (keeper_.projects()) search_.begin(near);
  use(make_form(dynamics_, near, options_), work());
  form_->values(start_, last_.data());
  const double speed = largest(start_.v), growth = std::sqrt(largest(vdot));
  double half = std::min(options_.until - t_, 1.0 / std::max(speed, growth));
  for (int attempt = 0; attempt < most && half > 0.0; ++attempt, half /= 2) {
    Passage passage(dynamics_, *form_, keeper_, watch_, options_);
    if (!passage.leave(t_, last_.data(), half, vdot)) continue;
    recorder_.follow(&passage);
    const bool stored = recorder_.arrive(t_, last_.data());
    recorder_.follow(nullptr);
    return stored ? go_over(passage, near) : not_stored();
  }
  SingularPose pose(dynamics_, start_, near, watch_.rank(), singular_value);
  const std::string branches = pose.explain_tangents();
  return stop(
      Outcome::singular,
      fmt::format("at t = {:.9g} s the start is a singular pose: {}; the velocities given are along no branch of "
                  "the motion{}",
                  t_, pose.explain(), branches.empty() ? "" : "; branches: " + branches));
}

/// With the rows that are in force now: keeps the state, writes its y, decides which rows are independent.
bool Course::enter(State& state) {
  if (!keeper_.keep(state)) return stop_lost();
  form_->values(state, last_.data());
  watch_.begin(state);
  if (keeper_.projects()) search_.begin(state);
  return true;
}

bool Course::cut_at_event(double& t, const double*& y, const Interpolation& at, bool& event) {
  bool kept = true;
  cut_.resize(last_.size());
  const auto follow = [&](double time, State& state) {
    at(time, cut_.data());
    kept = form_->state(time, cut_.data(), state) && keeper_.keep(state);
    return kept;
  };
  const auto motion = std::ref(follow);  // small enough for a std::function without memory of its own
  double from = t_, to = t;
  form_->state(t, y, state_);
  if (!events_.look(state_, motion, from, to)) return stop_unsolvable(state_);
  event = events_.crossed();
  if (!event) {
    keeper_.keep(state_);  // what follows uses the factor of this state
    return true;
  }
  if (!events_.locate(from, to, 64 * smallest_step(), motion, state_))
    return kept ? stop_unsolvable(state_) : stop_lost();
  form_->values(state_, cut_.data());
  t = state_.t;
  y = cut_.data();
  return true;
}

/// The state at the event is stored before and after what happens there; what the jump itself brings about, follows at
/// the same time.
bool Course::fire() {
  restarted_ = true;
  if (!recorder_.insert(t_, last_.data(), false)) return not_stored();
  const State before = state_;
  const Mode mode = dynamics_.mode();
  std::size_t rounds = 0;
  do {
    Consequence consequence;
    try {
      consequence = events_.fire(state_);
    } catch (const Error& error) { return stop(Outcome::undetermined, error.what()); }
    if (!obey(consequence)) return false;
    const bool changed = !(dynamics_.mode() == mode) || state_.v != before.v;
    if (changed && !recorder_.insert(t_, last_.data(), true)) return not_stored();
    if (consequence.stop)
      return stop(Outcome::stopped, fmt::format("event \"{}\" at t = {:.9g} s", happened_.back().name, t_));
    if (!events_.arm(state_)) return stop_unsolvable(state_);
    if (piling_up() || ++rounds > many) return stop_piling_up();
  } while (events_.crossed());
  return go_on();
}

/// Another mode from now on, velocities that have jumped: other rows, another form of the equations.
bool Course::obey(Consequence& consequence) {
  const auto name = [&] {
    return consequence.records.empty() ? shape().rows[consequence.struck.front()].name : consequence.records[0].name;
  };
  const bool other_mode = !(consequence.mode == dynamics_.mode());
  try {
    if ((other_mode || !consequence.struck.empty()) && !change_mode(consequence)) return false;
  } catch (const Error& error) {
    return stop(Outcome::singular, fmt::format("at t = {:.9g} s, after event \"{}\": {}", t_, name(), error.what()));
  }
  for (EventRecord& record : consequence.records) record.t = t_;
  happened_.insert(happened_.end(), consequence.records.begin(), consequence.records.end());
  return true;
}

bool Course::change_mode(Consequence& consequence) {
  const std::vector<int> redundant = dynamics_.dependent_rows();
  if (const std::string gap = explain_gap(dynamics_, consequence.mode, state_, largest_gap()); !gap.empty())
    return stop(Outcome::constraints_lost,
                fmt::format("at t = {:.9g} s event \"{}\" {}", t_, consequence.records.front().name, gap));
  const bool met = apply_impact(dynamics_, consequence, state_);
  dynamics_.set_mode(std::move(consequence.mode));
  keeper_.follow_rows();
  if (!met) {
    keeper_.note_lost(state_);
    return stop_lost();
  }
  double left = work();
  for (const EventRecord& record : consequence.records) left -= record.energy_lost;  // by the impulses
  use(make_form(dynamics_, state_, options_), left);
  if (!enter(state_)) return false;
  if (!dynamics_.dependent_rows().empty() && redundant.empty() && !consequence.records.empty())
    consequence.records.front().what += "; constraints are redundant from here, and multipliers of least norm";
  return true;
}

/// From now on; last_ is to be filled, but for the work.
void Course::use(std::unique_ptr<Form> form, double work) {
  form_ = std::move(form);
  keeper_.use(*form_);
  recorder_.use(*form_);
  last_.assign(size(), 0.0);
  most_.resize(size());
  if (form_->work_entry() >= 0) last_[form_->work_entry()] = work;
}

/// Has the step that ends in y gone over a singular pose? Infinity: it has not. Where velocities are the rates of the
/// coordinates, a cubic through both ends will do: it costs nothing, and the states are put on the constraints anyway.
double Course::pose_inside(double t, const double* y, const Interpolation& at) {
  if (passing_ || !keeper_.projects()) return PoseSearch::none;
  const bool cubic = shape().identity_rates;
  if (cubic && !form_->state(t, y, end_)) return PoseSearch::none;
  cut_.resize(last_.size());
  const auto follow = [&](double time, State& state) {
    if (cubic) return interpolate(state_, end_, time, state);
    at(time, cut_.data());
    form_->state(time, cut_.data(), state);
  };
  bool looked = false;
  const double pose = search_.inside(t_, t, std::ref(follow), looked);
  if (looked && pose > t && form_->state(t, y, end_)) keeper_.keep(end_);  // what follows uses the factor of this state
  return pose;
}

/// Back to the last accepted state.
bool Course::pass_instead(double pose) {
  ++statistics_.rejected;
  form_->state(t_, last_.data(), state_);
  restarted_ = true;
  return approach(pose, pose);
}

/// After a step of size h: is there a singular pose ahead? Then it is passed as soon as it is so close that the way
/// over it is smooth; until then the steps towards it are halved.
bool Course::look_ahead(double h) {
  horizon_ = options_.until;
  if (passing_ || !keeper_.projects() || done()) return true;
  const double pose = search_.ahead(state_, h);
  if (std::isfinite(pose)) return approach(pose, search_.rough());
  tried_ = pose, failed_ = 0;
  return true;
}

/// `otherwise`: when it may be as well.
bool Course::approach(double pose, double otherwise) {
  const double ahead = pose - t_;
  horizon_ = std::min(options_.until, t_ + ahead / 2);
  if (ahead > 0.6 * tried_) return true;
  tried_ = ahead;
  return pass(pose, otherwise);
}

/// One step over the pose, over q and v whatever the unknowns are, after which every integrator starts afresh.
bool Course::pass(double expected, double otherwise) {
  IntegrateOptions plain = options_;
  plain.unknowns = "velocities", plain.continuity = "";
  std::unique_ptr<Form> form = make_form(dynamics_, state_, plain);
  std::vector<double> y(form->size());
  if (form->work_entry() >= 0) y[form->work_entry()] = work();
  form->values(state_, y.data());
  keeper_.use(*form);
  Passage passage(dynamics_, *form, keeper_, watch_, options_);
  if (!passage.cross(t_, y.data(), expected, failed_) &&
      (otherwise == expected || !passage.cross(t_, y.data(), otherwise, failed_))) {
    keeper_.use(*form_);
    ++failed_;
    return true;
  }
  const State before = state_;
  tried_ = PoseSearch::none, failed_ = 0;
  use(std::move(form), work());
  return go_over(passage, before);
}

bool Course::only_one_branch(const State& pose, const State& before) {
  SingularPose singular(dynamics_, pose, before, watch_.rank(), singular_value);
  return singular.all_are_found() && singular.tangents().size() == 1;
}

bool Course::go_over(Passage& passage, const State& before) {
  const auto rest = std::ranges::find_if(passage.poses(), [&](const State& pose) { return passage.rests_in(pose); });
  const bool rests = rest != passage.poses().end() && rest->t < options_.until && !only_one_branch(*rest, before);
  const double end = std::min(rests ? rest->t : passage.end(), options_.until);
  std::vector<double> y(size());
  passage.interpolate(end, y.data());
  form_->state(end, y.data(), state_);
  if (!(end < passage.end() ? passage.keep(state_) : keeper_.keep(state_))) return stop_lost();
  form_->values(state_, y.data());
  passing_ = true;
  recorder_.follow(&passage);
  const bool on = accept(end, y.data(), [&](double t, double* at) { passage.interpolate(t, at); });
  recorder_.follow(nullptr);
  passing_ = false;
  if (rests && on && t_ == end) return stop_resting(*rest, before);
  for (const State& pose : passage.poses())
    if (pose.t <= t_) note_passed(pose, before, passage);
  use(make_form(dynamics_, state_, options_), work());
  form_->values(state_, last_.data());
  restarted_ = true;
  return on;
}

void Course::note_passed(const State& pose, const State& before, Passage& passage) {
  watch_.note_passed();
  const SingularPose singular(dynamics_, pose, before, watch_.rank(), singular_value);
  const auto later = std::ranges::find_if(happened_, [&](const EventRecord& event) { return event.t > pose.t; });
  happened_.insert(later, {pose.t,
                           "singular pose",
                           (pose.t > start_.t ? "is passed: " : "is left: ") + singular.explain() +
                               (passage.unbounded_in(pose, singular.lost()) ? "; reactions are unbounded there" : ""),
                           {},
                           {}});
}

/// What counts as met: rounding, and without projection the drift that there may be.
double Course::largest_gap() const {
  constexpr double tolerances = 1e3;
  const double rounding = ConstraintKeeper::rounding(state_);
  if (keeper_.projects()) return rounding;
  return rounding + tolerances * (options_.atol + options_.rtol * largest(state_.q));
}

void Course::count(double h, bool last) {
  Statistics& s = statistics_;
  if (++s.steps == 1)
    s.largest_step = s.smallest_step = h;
  else if (!last)
    s.largest_step = std::max(s.largest_step, h), s.smallest_step = std::min(s.smallest_step, h);
  const double hopeless = 1e-12 * (until() - start_.t);  // of such steps a run would need 10¹²
  crawled_ = h < std::max(smallest_step(), hopeless) && !last ? crawled_ + 1 : 0;
  crawled_time_ = crawled_ == 0 ? 0.0 : crawled_time_ + h;
  if (crawled_ == 0) form_->forget_failure();
}

void Course::renew() {
  restarted_ = form_->renew(state_);
  if (!restarted_) return;
  ++statistics_.restarts;
  form_->values(state_, last_.data());
}

const double* Course::largest_changes(const double* y) {
  constexpr double tolerances = 1e3, rounding = 1e-11;  // seen: up to 30 tolerances at rtol = 1e-3, 1 at 1e-8
  for (int i = 0; i < size(); ++i)
    most_[i] = tolerances * (options_.atol + options_.rtol * std::abs(y[i])) + rounding * (1.0 + std::abs(y[i]));
  return most_.data();
}

double Course::smallest_step() const {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), 1e-6 * (until() - start_.t));
}

bool Course::go_on() {
  if (options_.progress) options_.progress(t_);
  constexpr int patience = 1000;  // the first steps may be tiny, but not so many
  if (crawled_ > patience) return stop_crawling();
  if (!options_.interrupt || !options_.interrupt->load(std::memory_order_relaxed) || done()) return true;
  return stop(Outcome::interrupted, fmt::format("interrupted at t = {:.9g} s", t_));
}

/// So many events in so short a time, that there is no end to them.
bool Course::piling_up() const {
  return happened_.size() >= many && t_ - happened_[happened_.size() - many].t <= 1e-9 * (until() - start_.t);
}

bool Course::stop_piling_up() {
  return stop(Outcome::step_too_small,
              fmt::format("at t = {:.9g} s events pile up: {} of them within {:.2g} s, the last is \"{}\"", t_, many,
                          t_ - happened_[happened_.size() - many].t, happened_.back().name));
}

bool Course::not_stored() {
  if (recorder_.trouble() == Recorder::Trouble::constraints) return stop_lost();
  return stop_unsolvable(recorder_.state());
}

bool Course::stop(Outcome outcome, std::string explanation) {
  outcome_ = outcome;
  explanation_ = std::move(explanation);
  return false;
}

/// The rank is another one than it was: the last state was a singular pose, or this one is.
std::string Course::explain_unsteady() {
  const std::string text = watch_.explain_unsteady(state_);
  const int rank = keeper_.projection().independence().rank;
  if (rank == watch_.rank()) return text;
  if (rank > watch_.rank()) {
    State pose = state_;
    if (!form_->state(t_, last_.data(), pose)) return text;
    const std::string branches = SingularPose(dynamics_, pose, state_, rank, singular_value).explain_tangents();
    return branches.empty() ? text : text + "; branches: " + branches;
  }
  SingularPose pose(dynamics_, state_, start_, watch_.rank(), singular_value);
  return fmt::format("at t = {:.9g} s {}: singular configuration{}", state_.t, pose.explain(), no_way_over(pose));
}

/// No way over the pose: the rows ask for more than any motion can do, or nothing tells its branch.
bool Course::stop_singular() {
  form_->state(t_, last_.data(), state_);
  SingularPose pose(dynamics_, state_, start_, watch_.rank(), 3 * watch_.distance());
  return stop(Outcome::singular, watch_.explain_near(t_) + no_way_over(pose));
}

bool Course::stop_resting(const State& pose, const State& before) {
  SingularPose singular(dynamics_, pose, before, watch_.rank(), singular_value);
  const std::string branches = singular.explain_tangents();
  return stop(
      Outcome::singular,
      fmt::format("at t = {:.9g} s the motion comes to rest in a singular pose, from where more than one motion "
                  "leads: {}{}",
                  pose.t, singular.explain(), branches.empty() ? "" : "; branches: " + branches));
}

/// From rest, where no row has a direction, the forces lead off the constraints at once.
bool Course::stop_at_rest() {
  const int rank = std::min(shape().n(), static_cast<int>(dynamics_.active_rows().size()));
  SingularPose pose(dynamics_, start_, keeper_.failed(), rank, singular_value);
  const std::string branches = pose.explain_tangents();
  return stop(Outcome::singular,
              fmt::format("at t = {:.9g} s the start is a singular pose, from which more than one motion leads: {}{}",
                          start_.t, pose.explain(), branches.empty() ? "" : "; branches: " + branches));
}

bool Course::stop_lost() {
  if (watch_.near_singular()) return stop_singular();
  if (watch_.rank() == 0 && !dynamics_.dependent_rows().empty() && start_.v.isZero(0.0)) return stop_at_rest();
  return stop(Outcome::constraints_lost, keeper_.explain_lost());
}

bool Course::stop_unsolvable(const Instant& at, const std::string& help) {
  if (!form_->why().empty() && form_->failed())
    return stop_too_small(fmt::format("at t = {:.9g} s {}", at.t, form_->why()));
  if (watch_.rank_lost(at)) return stop(Outcome::singular, watch_.explain_rank_lost(at));
  std::string text = fmt::format("at t = {:.9g} s there are no accelerations: {}", at.t, dynamics_.explain(at));
  if (!help.empty()) text += " (" + help + ")";
  return stop_too_small(std::move(text));
}

/// Do the laws determine the forces here?
bool Course::lawful() {
  if (shape().laws.empty()) return true;
  const LawSolutions& solutions = dynamics_.law_solutions(state_);
  if (solutions.unique()) return true;
  return stop(Outcome::undetermined,
              fmt::format("at t = {:.9g} s the forces are not determined: {}", state_.t, solutions.explain(shape())));
}

bool Course::stop_too_small(std::string explanation) {
  if (watch_.near_singular()) return stop_singular();
  return stop(Outcome::step_too_small, std::move(explanation));
}

/// Steps are accepted, but so small that t hardly moves: the motion is too steep, or cannot be evaluated beyond.
bool Course::stop_crawling() {
  if (form_->failed()) return stop_unsolvable(form_->failure());
  std::vector<double> slope(size());
  if (!(*form_)(t_, last_.data(), slope.data())) return stop_unsolvable(form_->failure());
  int steepest = 0;
  for (int i = 0; i < size(); ++i) {
    slope[i] = std::abs(slope[i]) / (options_.atol + options_.rtol * std::abs(last_[i]));
    if (slope[i] > slope[steepest]) steepest = i;
  }
  const double h = crawled_time_ / crawled_;
  if (h < smallest_step())
    return stop_too_small(fmt::format(
        "at t = {:.9g} s the step fell below {:.2g} s; the steepest is \"{}\" = {:.3g} (does the solution end here?)",
        t_, smallest_step(), form_->name(steepest), last_[steepest]));
  return stop_too_small(
      fmt::format("at t = {:.9g} s steps of {:.2g} s leave {:.1e} of them to the end; the steepest is \"{}\" = {:.3g} "
                  "(is a length, a "
                  "mass or the time span by mistake so small or large?)",
                  t_, h, (until() - t_) / h, form_->name(steepest), last_[steepest]));
}

IntegrationResult Course::end() {
  if (outcome_ != Outcome::reached_end) recorder_.stop(t_, last_.data());
  statistics_.evaluations += dynamics_.evaluations() - evaluations_before_;
  return {outcome_, explanation_, t_, statistics_, std::move(happened_)};
}

}  // namespace maggi::integration
