#include "start/start_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace maggi::integration {

StartBlocks::StartBlocks(const std::vector<std::vector<int>>& occurrences, const std::vector<int>& open, int unknowns)
    : all_(occurrences.empty()),
      block_(unknowns, -1),
      of_condition_(occurrences.size(), -1),
      parent_(occurrences.size()) {
  std::iota(parent_.begin(), parent_.end(), 0);
  std::vector<bool> may_change(unknowns, false);
  for (const int i : open) may_change[i] = true;
  for (std::size_t condition = 0; condition < occurrences.size(); ++condition)
    for (const int i : occurrences[condition]) {
      if (!may_change[i]) continue;
      const auto own = static_cast<int>(condition);
      if (block_[i] < 0)
        block_[i] = own;
      else
        parent_[find(own)] = find(block_[i]);
    }
  for (int& block : block_)
    if (block >= 0) block = find(block);
  for (std::size_t condition = 0; condition < occurrences.size(); ++condition)
    of_condition_[condition] = find(static_cast<int>(condition));
}

int StartBlocks::find(int block) {
  while (parent_[block] != block) block = parent_[block] = parent_[parent_[block]];
  return block;
}

std::vector<int> StartBlocks::disturbed(const std::vector<int>& unknowns, const Vector& residuals,
                                        double tolerance) const {
  if (all_) return unknowns;
  std::vector<bool> misfit(of_condition_.size(), false);
  for (std::size_t i = 0; i < of_condition_.size(); ++i)
    if (!(std::abs(residuals[static_cast<Eigen::Index>(i)]) <= tolerance)) misfit[of_condition_[i]] = true;
  std::vector<int> result;
  std::ranges::copy_if(unknowns, std::back_inserter(result),
                       [&](int i) { return block_[i] >= 0 && misfit[block_[i]]; });
  return result;
}

}  // namespace maggi::integration
