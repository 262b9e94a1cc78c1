// What `maggi ideality` prints.
#include "maggi/ideality.hpp"

#include <fmt/format.h>

#include <cmath>

#include "maggi/text.hpp"
#include "text/table.hpp"
#include "text/words.hpp"

namespace maggi {

namespace {

/// "x1' = 1, x3' = -0.4": without what does not move.
std::string motion_text(const Ideality& found, const Vector& motion) {
  constexpr double rounding = 1e-12;  // of a motion whose largest entry is 1
  std::vector<std::string> parts;
  for (Eigen::Index i = 0; i < motion.size(); ++i)
    if (!(std::abs(motion[i]) <= rounding))
      parts.push_back(fmt::format("{} = {}", found.velocities[static_cast<std::size_t>(i)], text::number(motion[i])));
  return text::listed(parts);
}

}  // namespace

std::string to_text(const Ideality& found) {
  const Ideality::Instant& worst = found.instants[found.worst];
  text::Table table("ll");
  table.row({"verdict", found.ideal() ? "ideal: the reactions do no work on motions that the constraints allow"
                                      : "not ideal: the reactions work on motions that the constraints allow"});
  table.row({"working part", fmt::format("{:.2g} of the largest reaction, at t = {:.9g} s; taken as error up to {:.2g}",
                                         worst.share, worst.t, found.tolerance)});
  if (!found.ideal()) {
    table.row({"along the motion", motion_text(found, worst.motion)});
    table.row({"force along it", text::number(worst.work)});
    table.row({"power of this part", text::number(worst.power) + " W"});
  }
  table.row({"instants", fmt::format("{}, from {:.9g} to {:.9g} s", found.instants.size(), found.instants.front().t,
                                     found.instants.back().t)});
  table.row({"states", found.states_given ? fmt::format("given; residual of the positions {:.1e}", found.residual)
                                          : std::string("of the run of the model")});
  return fmt::format("{}: the reactions given\n{}", found.title, table.text());
}

}  // namespace maggi
