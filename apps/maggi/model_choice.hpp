#pragma once
#include <optional>
#include <string>
#include <vector>

#include "maggi/model.hpp"

namespace CLI {
class App;
}

namespace maggi::app {

/// What every command takes: a model file, with some of its numbers changed.
struct ModelChoice {
  std::string file;
  std::vector<std::string> changes;  ///< "name=value"
  std::optional<std::string> data_tolerance;

  void add_to(CLI::App& command);
  Model read() const;  ///< Error with the nearest name if a number to change does not exist
};

}  // namespace maggi::app
