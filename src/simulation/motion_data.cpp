#include "maggi/motion.hpp"

#include <fmt/format.h>

#include "base/names.hpp"
#include "maggi/error.hpp"
#include "simulation/motion_data.hpp"

namespace maggi {

std::size_t Motion::size() const { return data_->trajectory.size(); }

std::vector<std::string> Motion::names() const {
  std::vector<std::string> all;
  for (const Channel& channel : data_->trajectory.channels()) all.push_back(channel.name);
  return all;
}

int Motion::find(std::string_view channel) const {
  if (const std::optional<int> found = data_->trajectory.find(channel)) return *found;
  for (const std::string& sentence : data_->trajectory.left_out())
    if (sentence.find(channel) != std::string::npos)
      throw Error(Errc::model, {}, fmt::format("the motion has no channel \"{}\": {}", channel, sentence),
                  "Reactions::min_norm gives the values of least norm");
  throw Error(Errc::model, {}, fmt::format("the motion has no channel named \"{}\"", channel),
              suggest_name(std::string(channel), names()));
}

std::span<const double> Motion::operator[](std::string_view channel) const {
  const int column = find(channel);
  const std::lock_guard lock(data_->mutex);
  const auto [place, missing] = data_->columns.try_emplace(column);
  if (missing) place->second = data_->trajectory.values(column);
  return place->second;
}

std::string Motion::unit(std::string_view channel) const { return data_->trajectory.channels()[find(channel)].unit; }

const Summary& Motion::summary() const { return data_->summary; }

}  // namespace maggi
