#pragma once
#include <string>
#include <vector>

namespace maggi::io {

/// A model file to start from.
struct Template {
  std::string name;
  std::string about;
  std::string (*text)(int size);
  std::string size{};  ///< the option that says how many of something there are: "loops"; empty: none
  int usual_size = 0;
};

const std::vector<Template>& templates();
/// Error (model) with the nearest name if none has this one.
const Template& find_template(const std::string& name);

}  // namespace maggi::io
