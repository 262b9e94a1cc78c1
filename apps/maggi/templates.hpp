#pragma once
#include <string>
#include <vector>

namespace maggi::app {

/// A model to start from.
struct Template {
  std::string name;
  std::string about;
  std::string (*text)(int size);
  std::string size{};  ///< the option that says how many of something there are: "loops"; empty: none
  int usual_size = 0;
};

const std::vector<Template>& templates();

}  // namespace maggi::app
