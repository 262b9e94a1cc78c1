#include "start/start_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <unordered_map>

namespace maggi::integration {

std::vector<std::vector<int>> coordinates_of_rows(const Shape& shape, const std::vector<int>& at, int rows) {
  std::unordered_map<std::string, std::vector<int>> of_joint;
  std::vector<const std::vector<int>*> together(shape.n(), nullptr);
  const auto joint = [&](int i) {
    const std::string& name = shape.velocities[i].name;
    return name.substr(0, name.rfind('.') == std::string::npos ? 0 : name.rfind('.'));
  };
  for (int i = 0; i < shape.n(); ++i)
    if (!joint(i).empty()) of_joint[joint(i)].push_back(i);
  for (int i = 0; i < shape.n(); ++i)
    if (!joint(i).empty()) together[i] = &of_joint.at(joint(i));
  std::vector<std::vector<int>> result(rows);
  for (int k = 0; k < shape.C.size(); ++k) {
    const int row = at[shape.C.row[k]], i = shape.C.col[k];
    if (row < 0) continue;
    if (together[i])
      result[row].insert(result[row].end(), together[i]->begin(), together[i]->end());
    else
      result[row].push_back(i);
  }
  return result;
}

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
