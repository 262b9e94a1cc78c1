#include "system/mechanism/rounding/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/names.hpp"

namespace maggi::mechanism {

namespace {

using Loop = MechanismSystem::RoundedLoop;

constexpr std::size_t listed_joints = 8;

std::string degrees(int count) { return fmt::format("{} degree{} of freedom", count, count == 1 ? "" : "s"); }

/// "2.1e-07 m", "3e-08 rad".
std::string size_of_change(const Loop& loop) {
  const bool angle = loop.largest.ends_with(".axis");
  return fmt::format("{:.2g} {}", angle ? loop.change : loop.change * loop.size, angle ? "rad" : "m");
}

/// With one digit.
double rounded_up(double x) {
  const double unit = std::pow(10.0, std::floor(std::log10(x)));
  return std::ceil(x / unit) * unit;
}

std::string relations(const Loop& loop) {
  constexpr std::size_t shown = 2;
  std::string text;
  for (std::size_t k = 0; k < std::min(loop.relations.size(), shown); ++k)
    text += (text.empty() ? "" : "; ") + loop.relations[k];
  return text;
}

std::string moving(const Loop& loop) {
  const std::string found = relations(loop);
  return fmt::format("{}{}{} taken as rounding (data_tolerance = {:.2g}), {} {} ({})", degrees(loop.freedom),
                     found.empty() ? ", with errors of the data" : ": ", found.empty() ? "" : found + ",",
                     loop.tolerance,
                     loop.repaired ? "largest change" : "the data are kept as typed (repair = false), not changed by",
                     size_of_change(loop), loop.largest);
}

std::string locked(const Loop& loop) {
  const std::string found = relations(loop);
  return fmt::format(
      "{}; {} if {} changed by {} and others by less, more than rounding (data_tolerance = {:.2g}){}{}; {}",
      degrees(loop.freedom), loop.freedom_missed, loop.largest, size_of_change(loop), loop.tolerance,
      found.empty() ? "" : ": ", found, remedy_of_lock(loop));
}

}  // namespace

std::string remedy_of_lock(const Loop& loop) {
  if (!(loop.tolerance_needed > 0.0)) return "correct the data if it should move";
  return fmt::format("set data_tolerance = {:g} if it should move, or correct the data",
                     rounded_up(loop.tolerance_needed));
}

std::string in_words(const Loop& loop) {
  std::vector<std::string> names(loop.joints.begin(), loop.joints.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                                loop.joints.size(), listed_joints)));
  if (loop.joints.size() > listed_joints) names.push_back(fmt::format("{} more", loop.joints.size() - listed_joints));
  const std::string of = fmt::format("the loops of {}: ", list_names(names, false));
  switch (loop.finding) {
    case Loop::Finding::moves: return of + moving(loop);
    case Loop::Finding::moves_from_singular:
      return of + moving(loop) + "; the reference configuration is a singular one, from which several motions lead";
    case Loop::Finding::locked: return of + locked(loop);
    case Loop::Finding::shaky:
      return of +
             "rigid, although the velocities leave a degree of freedom: an infinitely small motion is possible and no "
             "finite one, so that loads along it have no finite reaction";
  }
  return "";
}

}  // namespace maggi::mechanism
