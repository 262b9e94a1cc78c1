#include "integration/event/switch_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/names.hpp"
#include "integration/event/contact_source.hpp"

namespace maggi::integration {

namespace {
/// Those of the rows that change when they are switched on or off.
std::vector<std::string> changed_rows(const Shape& shape, const std::vector<int>& rows, const Mode& mode, bool on) {
  std::vector<std::string> names;
  for (const int row : rows)
    if (mode.rows[row] != on) names.push_back(shape.rows[row].name);
  return names;
}

std::string in_words(const EventRecord& record, bool stop) {
  std::vector<std::string> parts;
  if (!record.on.empty()) parts.push_back("switches on " + list_names(record.on));
  if (!record.off.empty()) parts.push_back("switches off " + list_names(record.off));
  if (stop) parts.emplace_back("stops the run");
  return fmt::format("{}", fmt::join(parts, ", "));
}
}  // namespace

bool SwitchSource::watched(int i) const {
  const Switch& event = events_[i];
  const Mode& mode = dynamics_.mode();
  return event.stop || !changed_rows(dynamics_.shape(), event.on, mode, true).empty() ||
         !changed_rows(dynamics_.shape(), event.off, mode, false).empty();
}

void SwitchSource::values(const Instant& at, const Acceleration& a, double* values) {
  dynamics_.system().events(at, a, dynamics_.workspace(), {values, events_.size()});
  for (int i = 0; i < count(); ++i)
    if (!std::isfinite(values[i]) && watched(i))
      throw Error(
          Errc::numerics, events_[i].where,
          fmt::format("the formula of event \"{}\" is not a finite number at t = {:.9g} s", events_[i].name, at.t),
          "look for a division by zero or a root of a negative number in it");
}

void SwitchSource::fire(int i, const State&, const Acceleration&, Consequence& consequence) {
  const Switch& event = events_[i];
  const Shape& shape = dynamics_.shape();
  EventRecord record;
  record.name = event.name;
  record.on = changed_rows(shape, event.on, consequence.mode, true);
  record.off = changed_rows(shape, event.off, consequence.mode, false);
  record.what = in_words(record, event.stop);
  for (const int row : event.on) consequence.mode.rows[row] = true;
  for (const int row : event.off) consequence.mode.rows[row] = false;
  consequence.stop = consequence.stop || event.stop;
  consequence.records.push_back(std::move(record));
}

std::vector<std::unique_ptr<EventSource>> make_event_sources(Dynamics& dynamics, const IntegrateOptions& options) {
  std::vector<std::unique_ptr<EventSource>> sources;
  const Shape& shape = dynamics.shape();
  if (!shape.events.empty()) sources.push_back(std::make_unique<SwitchSource>(dynamics));
  if (!shape.contacts.empty() || std::ranges::any_of(shape.rows, &Row::one_sided))
    sources.push_back(std::make_unique<ContactSource>(dynamics, options));
  return sources;
}

}  // namespace maggi::integration
