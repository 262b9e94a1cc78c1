#include "sweep/decimate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace maggi::sweep {

namespace {

/// Every stride-th of the values and the last.
struct Values {
  std::uint64_t size, stride = 1;
  std::uint64_t kept() const { return 1 + (size - 1 + stride - 1) / stride; }
  std::uint64_t operator[](std::uint64_t i) const { return std::min(i * stride, size - 1); }
};

}  // namespace

Decimation decimate(const Design& design, std::uint64_t most) {
  most = std::max<std::uint64_t>(most, 1);
  std::vector<Values> grid;
  for (const Axis& axis : design.axes()) grid.push_back({axis.size()});
  const auto points = [&] {
    std::uint64_t product = 1;
    for (const Values& values : grid) product *= values.kept();
    return product;
  };
  const std::uint64_t draws = std::min(design.draws(), std::max<std::uint64_t>(most / points(), 1));
  while (points() > most) {
    Values& longest = *std::ranges::max_element(grid, {}, &Values::kept);
    if (longest.kept() <= 2) break;  // both ends of every axis: fewer would not show what varies
    const std::uint64_t kept = longest.kept();
    while (longest.kept() == kept) ++longest.stride;
  }

  std::vector<std::uint64_t> kept{0};
  for (const Values& values : grid) {
    std::vector<std::uint64_t> finer;
    for (const std::uint64_t point : kept)
      for (std::uint64_t i = 0; i < values.kept(); ++i) finer.push_back(point * values.size + values[i]);
    kept = std::move(finer);
  }
  Decimation result;
  for (const std::uint64_t point : kept)
    for (std::uint64_t draw = 0; draw < draws; ++draw) result.runs.push_back(point * design.draws() + draw);

  const auto add = [&](const std::string& text) { result.text += (result.text.empty() ? "" : ", ") + text; };
  for (std::size_t i = 0; i < grid.size(); ++i)
    if (grid[i].stride > 1) add(fmt::format("of {} one value in {}", design.axes()[i].name(), grid[i].stride));
  if (draws < design.draws()) add(fmt::format("of {} draws the first {}", design.draws(), draws));
  return result;
}

}  // namespace maggi::sweep
