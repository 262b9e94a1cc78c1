#include "io/json/ideality_json.hpp"

#include <nlohmann/json.hpp>

namespace maggi {

std::string ideality_json(const Ideality& found) {
  using Json = nlohmann::ordered_json;
  const Ideality::Instant& worst = found.instants[found.worst];
  Json motion = Json::object(), t = Json::array(), share = Json::array(), power = Json::array();
  for (std::size_t i = 0; i < found.velocities.size(); ++i)
    motion[found.velocities[i]] = worst.motion[static_cast<Eigen::Index>(i)];
  for (const Ideality::Instant& each : found.instants) {
    t.push_back(each.t);
    share.push_back(each.share);
    power.push_back(each.power);
  }
  const Json json{
      {"format_version", 1},
      {"ideal", found.ideal()},
      {"tolerance", found.tolerance},
      {"states_given", found.states_given},
      {"residual", found.residual},
      {"worst",
       {{"t", worst.t}, {"share", worst.share}, {"power", worst.power}, {"work", worst.work}, {"motion", motion}}},
      {"instants", {{"t", t}, {"share", share}, {"power", power}}}};
  return json.dump(2) + "\n";
}

}  // namespace maggi
