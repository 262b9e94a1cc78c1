#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace maggi::app {

/// A program with subcommands.
struct Program {
  std::string name, description, footer;
  std::function<void(CLI::App& app, int& exit_code)> add_commands;
  std::function<void(std::string_view)> complain;
};

/// Runs what is asked for; errors are told in words. The exit code: 0 done, 1 the model or an option is wrong, 2 the
/// numbers failed, 3 a file.
int command_line(const Program& program, int argc, char** argv);

}  // namespace maggi::app
