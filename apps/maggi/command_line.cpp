#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <new>

#include "completions.hpp"
#include "described.hpp"
#include "io/file/file.hpp"
#include "maggi/error.hpp"
#include "manual_page.hpp"
#include "output.hpp"
#include "spelling.hpp"

namespace maggi::app {

namespace {

constexpr int wrong_options = 1, numbers_failed = 2;

void describe(CLI::App& app, const Program& program, int& exit_code) {
  app.name(program.name);
  app.footer(program.footer);
  app.require_subcommand(1);
  app.get_formatter()->column_width(26);
  app.get_formatter()->label("OPTIONS", "OPTIONS");
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("REQUIRED", "");
  app.set_help_flag("-h,--help", "this text");
  app.set_version_flag("--version", program.name + " " MAGGI_VERSION, "the version");
  program.add_commands(app, exit_code);
  for (CLI::App* command : app.get_subcommands({})) command->group("Commands");
}

/// What CLI11 has found wrong, as we would say it.
std::string in_words(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && !chosen.empty())
    return fmt::format("which model? (for example {} {}models/pendulum.toml)", app.get_name(), command);
  const std::string what = error.what();
  return what.ends_with(')') ? what : fmt::format("{} (see {} {}--help)", what, app.get_name(), command);
}

/// Manual pages and completions, all of them from the options as they are defined.
void write_manual(const CLI::App& app, const std::filesystem::path& folder) {
  const DescribedCommand program = described(app);
  write_file(folder / (program.name + ".1"), manual_page(program));
  for (const DescribedCommand& command : program.commands)
    write_file(folder / fmt::format("{}-{}.1", program.name, command.name), manual_page(program, command));
  write_file(folder / (program.name + ".bash"), bash_completion(program));
  write_file(folder / ("_" + program.name), zsh_completion(program));
  write_file(folder / (program.name + ".fish"), fish_completion(program));
}

int run(CLI::App& app, std::vector<std::string> words, const Program& program, int& exit_code) {
  if (words.empty()) {
    program.complain(app.help());
    return wrong_options;
  }
  if (words[0] == "write-manual" && words.size() == 2) {  // for the build, so no command that help would show
    write_manual(app, words[1]);
    return 0;
  }
  if (words[0] == "help") {  // maggi help run
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  check_words(app, words);
  words = repeat_pairs(std::move(words));
  std::reverse(words.begin(), words.end());  // as CLI11 wants it
  try {
    app.parse(words);
  } catch (const CLI::CallForVersion& asked) {
    print(std::string(asked.what()) + "\n");
    return 0;
  } catch (const CLI::Success&) {  // --help
    print(app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    program.complain(fmt::format("{}: {}\n", app.get_name(), in_words(app, error)));
    return wrong_options;
  }
  return exit_code;
}

}  // namespace

int command_line(const Program& program, int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader who has seen enough is no failure
  int exit_code = 0;
  try {
    CLI::App app(program.description);
    describe(app, program, exit_code);
    return run(app, {argv + 1, argv + argc}, program, exit_code);
  } catch (const Error& error) {
    program.complain(fmt::format("{}{}\n", error.where().text().empty() ? program.name + ": " : "", error.what()));
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    program.complain(program.name + ": out of memory (the model or the number of stored states is too large)\n");
    return numbers_failed;
  } catch (const std::exception& error) {
    program.complain(
        fmt::format("{}: internal error: {}; please report it with the model file\n", program.name, error.what()));
    return numbers_failed;
  }
}

}  // namespace maggi::app
