#include "integration/event/stop_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "maggi/error.hpp"

namespace maggi::integration {

namespace {
std::string with_unit(double value, const std::string& unit) {
  return fmt::format("{:.6g}{}{}", value, unit.empty() ? "" : " ", unit);
}
}  // namespace

void StopSource::begin(const State& start, Mode& mode) {
  refuse_controls();
  stops_.look(start);
  std::vector<int> touching;
  for (const int i : stops_.rows()) {
    const Row& row = dynamics_.shape().rows[i];
    if (stops_.gap(i) < -stops_.resolution(i))
      throw Error(Errc::model, row.where,
                  fmt::format("\"{}\" is violated by {} at the start", row.name, with_unit(-stops_.gap(i), row.unit)),
                  "what is one-sided must not be negative; begin on its other side");
    if (!stops_.touches(i)) continue;
    if (stops_.approaches(i))
      throw Error(Errc::model, row.where,
                  fmt::format("\"{}\" is hit at the start: no gap is left, and it closes with {}", row.name,
                              with_unit(-stops_.speed(i), row.unit.empty() ? "" : row.unit + "/s")),
                  "begin with a gap, or with the speeds after the impact");
    if (!stops_.leaves(i)) touching.push_back(i);
  }
  if (touching.empty()) return;
  for (const int i : touching) mode.rows[i] = true;
  mode = stops_.settle(start, mode, touching);
}

/// A control cannot make velocities jump, so what it keeps would be lost in an impact.
void StopSource::refuse_controls() const {
  const Shape& shape = dynamics_.shape();
  const auto servo = std::ranges::find(shape.rows, RowKind::servo, &Row::kind);
  if (servo == shape.rows.end()) return;
  const Row& stop = shape.rows[stops_.rows().front()];
  throw Error(Errc::model, stop.where,
              fmt::format("\"{}\" is one-sided, but a control keeps \"{}\"", stop.name, servo->name),
              "an impact would violate it, and no control can make velocities jump");
}

void StopSource::arm(const State& at) {
  stops_.look(at);
  for (std::size_t k = 0; k < begin_.size(); ++k) begin_[k] = std::min(0.0, stops_.gap(stops_.rows()[k]));
}

void StopSource::values(const Instant& at, const Acceleration& a, double* values) {
  Workspace& w = dynamics_.workspace();
  dynamics_.system().position(at, w);
  for (std::size_t k = 0; k < begin_.size(); ++k) {
    const int i = stops_.rows()[k];
    values[2 * k] = w.terms.f[i] - begin_[k];
    values[2 * k + 1] = a.lambda[i];
  }
}

void StopSource::fire(int i, const State& at, const Acceleration& /*a*/, Consequence& consequence) {
  if (i % 2 == 0) {
    consequence.struck.push_back(row(i));
    return;
  }
  if (!consequence.mode.rows[row(i)]) return;  // with another one
  const Mode before = consequence.mode;
  stops_.look(at);
  std::vector<int> touching;
  for (const int k : stops_.rows())
    if (before.rows[k] || (stops_.touches(k) && !stops_.approaches(k) && !stops_.leaves(k))) touching.push_back(k);
  consequence.mode.rows[row(i)] = false;
  consequence.mode = stops_.settle(at, consequence.mode, touching);
  report_stops(dynamics_.shape(), before, consequence.mode, {}, consequence.records);
}

}  // namespace maggi::integration
