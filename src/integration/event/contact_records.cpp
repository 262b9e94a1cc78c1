#include "integration/event/contact_records.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace maggi::integration {

namespace {

EventRecord of_row(const std::string& name, bool hit, bool was, bool is) {
  EventRecord record;
  record.name = name;
  if (hit) record.what = "impact";
  if (was != is) {
    record.what += fmt::format("{}{}", hit ? ", " : "", is ? "rests" : "released");
    (is ? record.on : record.off).push_back(name);
  }
  return record;
}

/// What a contact does now that it did not do before; empty if there is nothing to tell.
std::string change_of(const Contact& contact, const Mode& before, const Mode& after, bool stopped) {
  const Vector was = before.sense(contact.laws), is = after.sense(contact.laws);
  const bool slid = !was.isZero(0.0), slides = !is.isZero(0.0);
  const bool stuck = before.rows[contact.rows[0]], sticks = after.rows[contact.rows[0]];
  if (slides) {
    if (stuck) return "breaks loose";
    if (!slid) return "slides";
    if (was.dot(is) < 0.0) return "slides back";
    return stopped ? "slides on" : "";
  }
  if (sticks) return stuck ? "" : "sticks";
  return stopped ? "is held" : "";
}

}  // namespace

void report_contacts(const Shape& shape, const Mode& before, Consequence& consequence, const std::vector<int>& hit) {
  const Mode& after = consequence.mode;
  for (int i = 0; i < shape.s_p; ++i) {
    if (!shape.rows[i].one_sided) continue;
    const bool impact = std::ranges::find(hit, i) != hit.end();
    if (impact || before.rows[i] != after.rows[i])
      consequence.records.push_back(of_row(shape.rows[i].name, impact, before.rows[i], after.rows[i]));
  }
  const std::vector<int>& stopped = consequence.ended.sliding;
  for (int c = 0; c < static_cast<int>(shape.contacts.size()); ++c) {
    const Contact& contact = shape.contacts[c];
    EventRecord record;
    record.name = contact.name;
    record.what = change_of(contact, before, after, std::ranges::find(stopped, c) != stopped.end());
    if (record.what.empty()) continue;
    for (const int row : contact.rows)
      if (before.rows[row] != after.rows[row])
        (after.rows[row] ? record.on : record.off).push_back(shape.rows[row].name);
    consequence.records.push_back(std::move(record));
  }
}

}  // namespace maggi::integration
