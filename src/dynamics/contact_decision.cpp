#include "dynamics/contact_decision.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/largest.hpp"
#include "base/names.hpp"
#include "dynamics/servo_rows.hpp"
#include "maggi/error.hpp"

namespace maggi {

namespace {

using Does = ContactMode::Does;

// fractions of the size of the problem, see docs/theory/contact.md
constexpr double same_motion = 1e-7;  // modes that meet at a limit differ by the rounding of inequalities

bool contains(const std::vector<int>& list, int value) { return std::ranges::find(list, value) != list.end(); }

/// The state a little later, on the motion of constant acceleration.
State later(const System& system, const State& at, const Vector& vdot, double dt) {
  State state = at;
  const Vector change = dt * at.v + dt * dt / 2.0 * vdot;
  system.move(state.q.data(), change.data());
  state.v += dt * vdot;
  state.t += dt;
  return state;
}

}  // namespace

ContactDecision::ContactDecision(Dynamics& dynamics)
    : dynamics_(dynamics),
      shape_(dynamics.shape()),
      rows_(dynamics.system()),
      problem_(dynamics.system(), dynamics.workspace()),
      modes_(problem_) {}

Mode ContactDecision::decide(const State& at, const Mode& mode, const ContactsEnded& ended) {
  const ContactQuestion question = classify(at, mode, ended);
  std::vector<Trials> groups = find_groups(question, at, mode, ended);
  for (const Trials& group : groups)  // then other shares are other motions, too
    for (const ContactTrial& trial : group)
      if (trial.open_motion) refuse_share(trial, at);
  if (groups.size() != 1) refuse(groups, at, mode);
  vdot_ = problem_.vdot(groups[0][0].x);
  return mode_of(choose(std::move(groups[0]), question, at).mode, mode);
}

/// Where rows are nonlinear in v̇ they are linearised at the answer, again and again.
std::vector<ContactDecision::Trials> ContactDecision::find_groups(const ContactQuestion& question, const State& at,
                                                                  const Mode& mode, const ContactsEnded& ended) {
  constexpr int most = 50;
  constexpr double same = 1e-10;  // more exact than the comparisons of modes
  if (vdot_.size() == 0) vdot_ = Vector::Zero(shape_.n());
  for (int k = 1;; ++k) {
    problem_.pose(question, at, vdot_);
    std::vector<Trials> groups = group(candidates(mode, ended));
    prefer_sticking(groups);
    if (!problem_.nonlinear() || groups.empty() || k == most) return groups;
    const Vector last = std::exchange(vdot_, problem_.vdot(groups[0][0].x));
    if (within(largest(vdot_ - last), same * (1.0 + largest(vdot_)))) return groups;
  }
}

/// A contact that stuck, or that an event has stopped, is at rest but for the drift of a run; so are those that stop
/// together with it, as the corners of a crate.
ContactQuestion ContactDecision::classify(const State& at, const Mode& mode, const ContactsEnded& ended) {
  constexpr double drift = 1e-6, of_held = 1e-8;
  ContactQuestion question;
  Workspace& w = dynamics_.workspace();
  rows_.look(at, w);
  for (int i = 0; i < shape_.m(); ++i) {
    const Row& row = shape_.rows[i];
    if (row.one_sided) {
      if (!rows_.leaves(i) && (mode.rows[i] || rows_.touches(i))) question.touch.push_back(i);
    } else if (mode.rows[i] && row.of_model()) {
      (shape_.rows[i].has_multiplier() ? question.hold : question.servo).push_back(i);
    }
  }
  const Vector phi = w.terms.phi;
  for (int c = 0; c < static_cast<int>(shape_.contacts.size()); ++c) {
    const Contact& contact = shape_.contacts[c];
    const Vector v_t = phi(contact.rows);
    const bool stopped = mode.rows[contact.rows[0]] || contains(ended.sliding, c);
    const bool held = Vector(mode.sense(contact.laws)).isZero(0.0);
    const double left = stopped ? drift : held || !ended.sliding.empty() ? of_held : 0.0;
    const bool rests = integration::is_at_rest(v_t, at.v) || within(v_t.norm(), left * (1.0 + largest(at.v)));
    ContactQuestion::Rub rub{c, !rests, SlidingVector::Zero()};
    if (!rests) rub.sense.head(v_t.size()) = v_t.normalized();
    question.rubs.push_back(rub);
  }
  return question;
}

/// The modes that hold, without those that have just ended, if there are others.
ContactDecision::Trials ContactDecision::candidates(const Mode& mode, const ContactsEnded& ended) {
  const ContactMode last = seen_as(mode);
  Trials trials;
  if (modes_.count() <= ContactModes::most_tried) {
    trials = modes_.all();
  } else {
    std::vector<int> loose;
    for (int j = 0; j < static_cast<int>(problem_.rubs.size()); ++j)
      if (contains(ended.sticking, problem_.rubs[j].contact)) loose.push_back(j);
    if (std::optional<ContactTrial> found = modes_.pivot(last, std::move(loose))) trials.push_back(std::move(*found));
  }
  Trials others;
  std::ranges::copy_if(trials, std::back_inserter(others),
                       [&](const ContactTrial& trial) { return !has_ended(trial.mode, last, ended); });
  return others.empty() ? trials : others;
}

ContactMode ContactDecision::seen_as(const Mode& mode) const {
  ContactMode result;
  for (const int row : problem_.stop_rows) result.closed.push_back(mode.rows[row]);
  for (const ContactProblem::Rub& rub : problem_.rubs) {
    const Contact& contact = shape_.contacts[rub.contact];
    ContactMode::Rub does;
    does.sense.head(rub.size) = mode.sense(contact.laws);
    const bool slides = !does.sense.isZero(0.0);
    does.does = slides ? Does::slides : mode.rows[contact.rows[0]] || rub.held ? Does::sticks : Does::nothing;
    result.rubs.push_back(does);
  }
  return result;
}

bool ContactDecision::has_ended(const ContactMode& mode, const ContactMode& last, const ContactsEnded& ended) const {
  if (ended.sharing && mode.same_as(last)) return true;
  for (std::size_t j = 0; j < mode.rubs.size(); ++j)
    if (mode.rubs[j].does == Does::sticks && contains(ended.sticking, problem_.rubs[j].contact)) return true;
  return false;
}

/// Modes with the same motion.
std::vector<ContactDecision::Trials> ContactDecision::group(Trials trials) const {
  std::vector<Trials> groups;
  for (ContactTrial& trial : trials) {
    const auto same = std::ranges::find_if(groups, [&](const Trials& group) {
      const Vector change = trial.x - group[0].x;
      return within(problem_.in_metric(change).norm(), same_motion * problem_.size);
    });
    if (same == groups.end())
      groups.push_back({std::move(trial)});
    else
      same->push_back(std::move(trial));
  }
  return groups;
}

/// Where sticking bears more than sliding, a contact at rest could do either: it sticks, by convention.
void ContactDecision::prefer_sticking(std::vector<Trials>& groups) const {
  constexpr double rounding = 1e-12;
  if (groups.size() < 2 || !(modes_.most_stiction() > 1.0 + rounding)) return;
  const auto sticking = [](const Trials& group) {
    return std::ranges::max_element(group, {}, [](const ContactTrial& trial) { return trial.mode.sticking(); })
        ->mode.sticking();
  };
  const int most = sticking(*std::ranges::max_element(groups, {}, sticking));
  std::erase_if(groups, [&](const Trials& group) { return sticking(group) < most; });
}

/// Of modes with the same motion now, those that also hold a little later: the next derivative decides. What stays
/// undecided holds still; the mode with most rows in force is its name.
ContactTrial ContactDecision::choose(Trials trials, const ContactQuestion& question, const State& at) {
  for (const double dt : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {  // [s]
    if (trials.size() < 2) break;
    Trials left;
    try {
      problem_.pose(question, later(dynamics_.system(), at, vdot_, dt), vdot_);
      for (const ContactTrial& trial : trials)
        if (const auto then = modes_.solve(trial.mode); then && then->holds()) left.push_back(trial);
    } catch (const Error&) { break; }  // a formula may end there
    if (!left.empty()) trials = std::move(left);
  }
  const auto before = [](const ContactTrial& a, const ContactTrial& b) {
    const int in_a = a.mode.rows_in_force(), in_b = b.mode.rows_in_force();
    return in_a != in_b ? in_a > in_b : a.x.norm() < b.x.norm();
  };
  return *std::ranges::min_element(trials, before);
}

/// A contact that is held has no rows of its own: the others keep it at rest, and bear its load.
Mode ContactDecision::mode_of(const ContactMode& chosen, Mode mode) const {
  for (const int row : rows_.rows()) mode.rows[row] = false;
  for (std::size_t s = 0; s < chosen.closed.size(); ++s) mode.rows[problem_.stop_rows[s]] = chosen.closed[s];
  for (std::size_t j = 0; j < chosen.rubs.size(); ++j) {
    const ContactProblem::Rub& rub = problem_.rubs[j];
    const Contact& contact = shape_.contacts[rub.contact];
    for (int k = 0; k < rub.size; ++k) {
      mode.rows[contact.rows[k]] = chosen.rubs[j].does == Does::sticks && !rub.held;
      mode.sense[contact.laws[k]] = chosen.rubs[j].does == Does::slides ? chosen.rubs[j].sense[k] : 0.0;
    }
  }
  return mode;
}

std::string ContactDecision::describe(const ContactMode& mode) const {
  std::vector<std::string> parts;
  for (std::size_t s = 0; s < mode.closed.size(); ++s)
    parts.push_back(
        fmt::format("\"{}\" {}", shape_.rows[problem_.stop_rows[s]].name, mode.closed[s] ? "presses" : "opens"));
  for (std::size_t j = 0; j < mode.rubs.size(); ++j) {
    if (mode.rubs[j].does == Does::nothing) continue;
    const std::string& name = shape_.contacts[problem_.rubs[j].contact].name;
    if (mode.rubs[j].does == Does::sticks)
      parts.push_back(fmt::format("\"{}\" sticks", name));
    else
      parts.push_back(fmt::format("\"{}\" slides {}", name, mode.rubs[j].sense[0] < 0.0 ? "backwards" : "forwards"));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void ContactDecision::refuse(const std::vector<Trials>& groups, const State& at, const Mode& mode) {
  // friction beyond its critical coefficient is told best by the laws of what slides
  const Mode kept = dynamics_.mode();
  Mode sliding = mode;
  for (const ContactProblem::Rub& rub : problem_.rubs)
    for (int k = 0; k < rub.size; ++k) {
      sliding.rows[shape_.contacts[rub.contact].rows[k]] = false;
      sliding.sense[shape_.contacts[rub.contact].laws[k]] = rub.sense[k];
    }
  dynamics_.set_mode(sliding);
  dynamics_.decide_rows(at);
  integration::check_laws(dynamics_, at);
  dynamics_.set_mode(kept);

  const Where where = !shape_.contacts.empty()     ? shape_.contacts[0].where
                      : problem_.stop_rows.empty() ? Where{}
                                                   : shape_.rows[problem_.stop_rows[0]].where;
  if (groups.empty()) {
    std::vector<std::string> names;
    for (const int row : problem_.stop_rows) names.push_back(shape_.rows[row].name);
    for (const ContactProblem::Rub& rub : problem_.rubs) names.push_back(shape_.contacts[rub.contact].name);
    throw Error(Errc::numerics, where,
                fmt::format("at t = {:.9g} s no forces and accelerations satisfy the conditions of {}", at.t,
                            list_names(names)),
                shape_.contacts.empty() ? "the other constraints drive the motion against them"
                                        : "the friction is too large for this configuration");
  }
  std::vector<std::string> answers;
  for (const Trials& group : groups) answers.push_back(describe(group[0].mode));
  throw Error(
      Errc::numerics, where,
      fmt::format("at t = {:.9g} s {} motions are possible: {}", at.t, groups.size(), fmt::join(answers, "; or ")),
      "the friction is too large for this configuration; maggi does not choose for you");
}

void ContactDecision::refuse_share(const ContactTrial& trial, const State& at) const {
  std::vector<std::string> names;
  for (const ContactProblem::Rub& rub : problem_.rubs)
    if (!within(largest(trial.open.middleRows(rub.force, rub.size)), 1e-8))
      names.push_back(shape_.contacts[rub.contact].name);
  Where where = shape_.contacts.empty() ? Where{} : shape_.contacts[0].where;
  if (names.empty())  // a law uses reactions of which only the sum is unique
    for (int s = 0; s < problem_.stops(); ++s) {
      const Row& row = shape_.rows[problem_.stop_rows[s]];
      if (within(largest(trial.open.middleRows(problem_.first_stop() + s, 1)), 1e-8)) continue;
      if (where.line == 0) where = row.where;
      names.push_back(row.name);
    }
  throw Error(Errc::model, where,
              fmt::format("at t = {:.9g} s the motion depends on how {} share their load, which is not unique", at.t,
                          list_names(names)),
              "constraints depend on each other where friction uses their reactions: leave out those that the others "
              "imply, or give them the same coefficient");
}

}  // namespace maggi
