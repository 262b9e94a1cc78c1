#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace maggi::app {

/// What follows an option, or stands alone.
enum class Value { none, any, choice, file, model, folder };

struct DescribedOption {
  std::vector<std::string> names;  ///< "-q", "--quiet"; empty if it is positional
  std::string placeholder;         ///< "DIR"; empty if nothing follows
  std::string description;
  Value value = Value::none;
  std::vector<std::string> choices;  ///< of Value::choice
  bool required = false, repeats = false;

  bool positional() const { return names.empty(); }
};

/// A program or one of its commands as its options describe it: the source of manual pages and completions.
struct DescribedCommand {
  std::string name, description, footer;
  std::vector<DescribedOption> options;
  std::vector<DescribedCommand> commands;
};

DescribedCommand described(const CLI::App& app);

}  // namespace maggi::app
