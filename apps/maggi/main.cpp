// maggi: the command line. Exit codes: 0 done, 1 the model or an option is wrong, 2 the numbers failed, 3 a file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <new>

#include "commands.hpp"
#include "maggi/base/error.hpp"
#include "output.hpp"
#include "spelling.hpp"

namespace {

using namespace maggi::app;

constexpr int wrong_options = 1, numbers_failed = 2;

constexpr const char* footer = R"(
Examples:
  maggi new four-bar                                 a model file to start from
  maggi run models/moving_pendulum.toml              simulate, write results/moving_pendulum/
  maggi run models/pendulum.toml --set l=2 --json    another length; the summary for programs
  maggi check models/andrews_squeezer.toml           degrees of freedom, rank, redundant constraints
  maggi compare models/four_bar_slider.toml          every formulation and basis: errors, time
  maggi COMMAND --help                               all options of a command

Exit codes: 0 done, 1 the model or an option is wrong, 2 the numbers failed, 3 a file cannot be read or written.)";

void describe(CLI::App& app, int& exit_code) {
  app.name("maggi");
  app.footer(footer + 1);
  app.require_subcommand(1);
  app.get_formatter()->column_width(26);
  app.get_formatter()->label("OPTIONS", "OPTIONS");
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("REQUIRED", "");
  app.set_help_flag("-h,--help", "this text");
  app.set_version_flag("--version", "maggi " MAGGI_VERSION, "the version");
  add_run(app, exit_code);
  add_check(app, exit_code);
  add_init(app, exit_code);
  add_equations(app, exit_code);
  add_compare(app, exit_code);
  add_plot(app, exit_code);
  add_new(app, exit_code);
  add_view(app, exit_code);
  for (CLI::App* command : app.get_subcommands({})) command->group("Commands");
}

/// What CLI11 has found wrong, as we would say it.
std::string in_words(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && !chosen.empty())
    return fmt::format("which model? (for example maggi {}models/pendulum.toml)", command);
  const std::string what = error.what();
  return what.ends_with(')') ? what : fmt::format("{} (see maggi {}--help)", what, command);
}

int run(CLI::App& app, std::vector<std::string> words, int& exit_code) {
  if (words.empty()) {
    complain(app.help());
    return wrong_options;
  }
  if (words[0] == "help") {  // maggi help run
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  check_words(app, words);
  words = repeat_set(std::move(words));
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
    complain(fmt::format("maggi: {}\n", in_words(app, error)));
    return wrong_options;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader who has seen enough is no failure
  int exit_code = 0;
  try {
    CLI::App app("Constrained mechanical systems from formulas: motion, reactions, and what is wrong with a model.");
    describe(app, exit_code);
    return run(app, {argv + 1, argv + argc}, exit_code);
  } catch (const maggi::Error& error) {
    complain(fmt::format("{}{}\n", error.where().text().empty() ? "maggi: " : "", error.what()));
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    complain("maggi: out of memory (the model or the number of stored states is too large)\n");
    return numbers_failed;
  } catch (const std::exception& error) {
    complain(fmt::format("maggi: internal error: {}; please report it with the model file\n", error.what()));
    return numbers_failed;
  }
}
