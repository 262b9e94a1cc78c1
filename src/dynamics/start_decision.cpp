#include "dynamics/start_decision.hpp"

#include <fmt/format.h>

#include "dynamics/contact_decision.hpp"
#include "maggi/error.hpp"

namespace maggi {

namespace {

std::string with_unit(double value, const std::string& unit) {
  return fmt::format("{:.6g}{}{}", value, unit.empty() ? "" : " ", unit);
}

void refuse_violated(const OneSidedRows& rows, const Shape& shape) {
  for (const int i : rows.rows()) {
    const Row& row = shape.rows[i];
    if (rows.gap(i) < -rows.resolution(i))
      throw Error(Errc::model, row.where,
                  fmt::format("\"{}\" is violated by {} at the start", row.name, with_unit(-rows.gap(i), row.unit)),
                  "what is one-sided must not be negative; begin on its other side");
    if (rows.touches(i) && rows.approaches(i))
      throw Error(Errc::model, row.where,
                  fmt::format("\"{}\" is hit at the start: no gap is left, and it closes with {}", row.name,
                              with_unit(-rows.speed(i), row.unit.empty() ? "" : row.unit + "/s")),
                  "begin with a gap, or with the speeds after the impact");
  }
}

}  // namespace

Mode mode_at_start(Dynamics& dynamics, const State& start) {
  ContactDecision decision(dynamics);
  if (!decision.needed()) return dynamics.mode();
  OneSidedRows rows(dynamics.system());
  rows.look(start, dynamics.workspace());
  refuse_violated(rows, dynamics.shape());
  return decision.decide(start, dynamics.mode());
}

}  // namespace maggi
