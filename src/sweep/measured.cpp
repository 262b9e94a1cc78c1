#include "sweep/measured.hpp"

#include <fmt/format.h>

#include "base/names.hpp"

namespace maggi::sweep {

namespace {

/// One measure of a run. Nothing if it ended before the time of the measure.
std::optional<double> take(const Measure& measure, double time, double rounding, const Trajectory& trajectory) {
  const int channel = find_channel(trajectory, measure);
  Meter meter(measure.kind, time, rounding);
  for (std::size_t k = 0; k < trajectory.size(); ++k) meter.accept(trajectory(k, 0), trajectory(k, channel));
  return meter.any() ? std::optional(meter.value()) : std::nullopt;
}

}  // namespace

int find_channel(const Trajectory& trajectory, const Measure& measure) {
  if (const auto found = trajectory.find(measure.channel)) return *found;
  const Where where{"--keep " + measure.text};
  for (const std::string& reason : trajectory.left_out())
    if (reason.starts_with(measure.channel + " "))
      throw Error(Errc::model, where, reason.substr(0, reason.find(" (")),
                  "reaction.… and outputs that are unique are kept");
  std::vector<std::string> names;
  for (const Channel& channel : trajectory.channels()) names.push_back(channel.name);
  throw Error(Errc::model, where, fmt::format("no channel is named \"{}\"", measure.channel),
              suggest_name(measure.channel, names));
}

std::vector<Measure> usual_measures(const Trajectory& trajectory) {
  std::vector<Measure> result;
  const Trajectory::Group* group = &trajectory.group("outputs");
  if (group->count == 0) group = &trajectory.group("coordinates");
  for (int i = group->first; i < group->first + group->count; ++i) result.emplace_back(trajectory.channels()[i].name);
  return result;
}

RunResult measured(std::uint64_t index, const std::vector<Measure>& measures, const std::vector<double>& times,
                   double until, const Trajectory& trajectory, const IntegrationResult& run) {
  RunResult result{index, {}};
  if (run.outcome != Outcome::reached_end && run.outcome != Outcome::stopped)
    result.failure = fmt::format("{} at t = {:.6g} s{}{}", outcome_name(run.outcome), run.t,
                                 run.explanation.empty() ? "" : ": ", run.explanation);
  const double rounding = trajectory.size() == 0 ? 0.0 : same_time * (until - trajectory(0, 0));
  for (std::size_t i = 0; i < measures.size() && result.failure.empty(); ++i)
    if (const auto value = take(measures[i], times[i], rounding, trajectory))
      result.values.push_back(*value);
    else
      result.failure = fmt::format("{} at t = {:.6g} s, before {}", outcome_name(run.outcome), run.t, measures[i].text);
  if (!result.failure.empty()) result.values.clear();
  return result;
}

}  // namespace maggi::sweep
