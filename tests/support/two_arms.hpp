#pragma once
#include <string>

namespace maggi::test {

/// Two rods in a plane, upper and lower, that meet in (0.6, 0.1); no joints yet.
inline const std::string two_arms = R"toml(
  dimension = 2
  gravity = [0, -9.81]
  [body.upper]
  shape = "rod"
  mass = 1.2
  from = [0, 0]
  to = [0.6, 0.1]
  markers = { elbow = [0.6, 0.1] }
  [body.lower]
  shape = "rod"
  mass = 0.7
  from = [0.6, 0.1]
  to = [1.1, -0.2]
  markers = { tip = [1.1, -0.2] }
)toml";

}  // namespace maggi::test
