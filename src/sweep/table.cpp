#include "maggi/sweep/table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "sweep/large_array.hpp"

namespace maggi {

SweepTable::SweepTable(Sweep sweep, const std::filesystem::path& folder)
    : sweep_(std::move(sweep)),
      width_(sweep_.columns().size()),
      done_(sweep_.design().size(), false),
      values_(std::make_unique<sweep::LargeArray>(sweep_.design().size() * width_, folder)) {}

SweepTable::~SweepTable() = default;
SweepTable::SweepTable(SweepTable&&) noexcept = default;

void SweepTable::put(RunResult result) {
  if (done_[result.run]) return;
  done_[result.run] = true;
  ++count_;
  double* const row = values_->data() + result.run * width_;
  if (result.failure.empty()) {
    std::ranges::copy(result.values, row);
  } else {
    std::fill_n(row, width_, std::numeric_limits<double>::quiet_NaN());
    failures_.emplace(result.run, std::move(result.failure));
  }
}

std::span<const double> SweepTable::values(std::uint64_t run) const { return {values_->data() + run * width_, width_}; }

std::vector<double> SweepTable::column(std::size_t column) const {
  std::vector<double> values;
  values.reserve(count_ - failures_.size());
  for (std::uint64_t run = 0; run < done_.size(); ++run)
    if (done_[run] && !failures_.contains(run)) values.push_back(values_->data()[run * width_ + column]);
  return values;
}

Spread SweepTable::spread(std::size_t index, std::span<const double> parts) const {
  return maggi::spread(column(index), parts);
}

}  // namespace maggi
