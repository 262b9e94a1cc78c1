// From one mode of many contacts to another, where there are too many to try all.
#include <algorithm>

#include "base/largest.hpp"
#include "dynamics/complementarity.hpp"
#include "dynamics/contact_modes.hpp"

namespace maggi {

namespace {
using Does = ContactMode::Does;
}

double ContactModes::most_stiction() const { return largest(ratio_); }

std::optional<ContactTrial> ContactModes::most_in_force() {
  if (count() > most_tried) {
    ContactMode begin;
    begin.closed.assign(problem_.stops(), true);
    begin.rubs.resize(problem_.rubs.size());
    return pivot(std::move(begin));
  }
  std::vector<ContactTrial> trials = all();
  if (trials.empty()) return std::nullopt;
  return *std::ranges::min_element(trials, [](const ContactTrial& a, const ContactTrial& b) {
    const int in_a = a.mode.rows_in_force(), in_b = b.mode.rows_in_force();
    return in_a != in_b ? in_a > in_b : a.x.norm() < b.x.norm();
  });
}

/// One-sided rows without friction and controls: what Lemke's method finds.
std::optional<ContactTrial> ContactModes::by_complementarity() {
  const int first = problem_.first_stop(), rate = problem_.first_stop_rate(), stops = problem_.stops();
  if (!problem_.rubs.empty() || problem_.forces() > stops) return std::nullopt;
  const Matrix A = problem_.W.block(rate, first, stops, stops);
  Vector pushes;
  if (!solve_complementarity((A + A.transpose()) / 2.0, problem_.b.segment(rate, stops), pushes)) return std::nullopt;
  ContactMode mode;
  for (const double push : pushes) mode.closed.push_back(push > 0.0);
  std::optional<ContactTrial> trial = solve(mode);
  return trial && trial->holds() ? trial : std::nullopt;
}

std::optional<ContactTrial> ContactModes::pivot(ContactMode mode, std::vector<int> loose) {
  if (std::optional<ContactTrial> found = by_complementarity()) return found;
  const int contacts = problem_.stops() + static_cast<int>(mode.rubs.size());
  const int by_size = 10 + 4 * contacts, most = 100 + 40 * contacts;
  std::vector<int> changes(contacts, 0);
  for (std::size_t j = 0; j < mode.rubs.size(); ++j)
    if (!problem_.rubs[j].slides) mode.rubs[j] = {};  // what has come to rest sticks first
  for (int round = 0; round < most; ++round) {
    for (std::size_t j = 0; j < mode.rubs.size(); ++j) {
      const ContactProblem::Rub& rub = problem_.rubs[j];
      if (!in_force(mode, j))
        mode.rubs[j] = {};
      else if (rub.slides)
        mode.rubs[j] = {Does::slides, rub.sense, mode.rubs[j].sign};
      else if (mode.rubs[j].does == Does::nothing)
        mode.rubs[j] = {Does::sticks, SlidingVector::Zero(), 1.0};
    }
    std::optional<ContactTrial> trial = solve(mode);
    if (!trial) {  // what sticks cannot: the first that has not been changed often slides
      const auto stuck = std::ranges::find(mode.rubs, Does::sticks, &ContactMode::Rub::does);
      if (stuck == mode.rubs.end()) return std::nullopt;
      const ContactProblem::Rub& rub = problem_.rubs[stuck - mode.rubs.begin()];
      *stuck = {Does::slides, part(problem_.b, rub.rate, rub.size).normalized(), 1.0};
      continue;
    }
    const auto held = std::ranges::find_if(loose, [&](int j) { return trial->mode.rubs[j].does == Does::sticks; });
    if (held != loose.end()) {  // against the force that it lacks
      mode = trial->mode;
      slide_against(*trial, *held, mode);
      loose.erase(held);
      continue;
    }
    if (trial->holds()) return trial;
    if (!change_worst(*trial, changes, round > by_size)) return std::nullopt;
    mode = trial->mode;
  }
  return std::nullopt;
}

/// A contact that cannot stick slides against the force that it would take; in a plane its direction is found.
void ContactModes::slide_against(const ContactTrial& trial, int j, ContactMode& mode) const {
  const ContactProblem::Rub& rub = problem_.rubs[j];
  mode.rubs[j].does = Does::slides;
  mode.rubs[j].sense =
      rub.size == 1 ? SlidingVector(-part(trial.x, rub.force, 1).normalized()) : SlidingVector(SlidingVector::Zero());
}

bool ContactModes::change_worst(ContactTrial& trial, std::vector<int>& changes, bool first) const {
  int which = trial.worst;
  if (first) {
    const Inequalities all = inequalities(trial);
    const auto wrong = std::ranges::find_if(all.value, [&](double value) { return value < -trial.allowed; });
    if (wrong == all.value.end()) return false;
    which = all.owner[wrong - all.value.begin()];
  }
  if (which < 0) return false;
  ++changes[which];
  if (which < problem_.stops()) {
    trial.mode.closed[which] = !trial.mode.closed[which];
    return true;
  }
  const int j = which - problem_.stops();
  ContactMode::Rub& mode = trial.mode.rubs[j];
  if (mode.does == Does::sticks)
    slide_against(trial, j, trial.mode);
  else
    mode = {Does::sticks, SlidingVector::Zero(), mode.sign};
  return true;
}

}  // namespace maggi
