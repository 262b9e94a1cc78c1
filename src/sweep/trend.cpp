#include "sweep/trend.hpp"

#include <algorithm>
#include <array>

namespace maggi::sweep {

namespace {

constexpr std::uint64_t most_bins = 40, fewest_bins = 3, fewest_runs = 10;

/// In which bin a run is.
class Bins {
 public:
  Bins(const Design& design, std::size_t axis, std::uint64_t runs) : design_(design), axis_(axis) {
    const Axis& quantity = design.axes()[axis];
    count_ = std::min(most_bins, quantity.drawn() ? runs / fewest_runs : quantity.size());
    if (quantity.drawn())
      for (std::uint64_t i = 1; i < count_; ++i)
        ends_.push_back(quantity.quantile(static_cast<double>(i) / static_cast<double>(count_)));
  }
  std::uint64_t count() const { return count_; }
  std::uint64_t of(std::uint64_t run, double value) const {
    if (!design_.axes()[axis_].drawn()) return design_.place(run, axis_) * count_ / design_.axes()[axis_].size();
    return static_cast<std::uint64_t>(std::ranges::upper_bound(ends_, value) - ends_.begin());
  }

 private:
  const Design& design_;
  std::size_t axis_;
  std::uint64_t count_;
  std::vector<double> ends_;  // between the bins, of a quantity that is drawn
};

}  // namespace

std::optional<Trend> trend(const SweepTable& table, std::size_t axis, std::pair<double, double> parts) {
  const Design& design = table.sweep().design();
  const std::uint64_t runs = design.size() - table.failures().size();
  const Bins bins(design, axis, runs);
  if (bins.count() < fewest_bins || runs / bins.count() < fewest_runs) return std::nullopt;

  std::vector<std::vector<std::uint64_t>> members(bins.count());
  std::vector<double> sums(bins.count());
  for (std::uint64_t run = 0; run < design.size(); ++run) {
    if (table.failures().contains(run)) continue;
    const double x = design.value(run, axis);
    const std::uint64_t bin = bins.of(run, x);
    members[bin].push_back(run);
    sums[bin] += x;
  }

  const std::size_t outputs = table.sweep().columns().size();
  const std::array<double, 2> both{parts.first, parts.second};
  Trend result{
      {}, {}, decltype(Trend::mean)(outputs), decltype(Trend::lower)(outputs), decltype(Trend::upper)(outputs)};
  std::vector<double> values;
  for (std::uint64_t bin = 0; bin < bins.count(); ++bin) {
    if (members[bin].empty()) continue;
    result.x.push_back(sums[bin] / static_cast<double>(members[bin].size()));
    result.counts.push_back(members[bin].size());
    for (std::size_t i = 0; i < outputs; ++i) {
      values.clear();
      for (const std::uint64_t run : members[bin]) values.push_back(table.values(run)[i]);
      const Spread d = spread(values, both);
      result.mean[i].push_back(d.mean);
      result.lower[i].push_back(d.quantiles[0].second);
      result.upper[i].push_back(d.quantiles[1].second);
    }
  }
  return result;
}

}  // namespace maggi::sweep
