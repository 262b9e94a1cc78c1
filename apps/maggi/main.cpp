// maggi: the command line. Exit codes: 0 done, 1 the model or an option is wrong, 2 the numbers failed, 3 a file.
#include "command_line.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "sweep_executor.hpp"

namespace {

using namespace maggi::app;

constexpr const char* footer = R"(
Examples:
  maggi new four-bar                                 a model file to start from
  maggi run models/moving_pendulum.toml              simulate, write results/moving_pendulum/
  maggi run models/pendulum.toml --set l=2 --json    another length; the summary for programs
  maggi check models/andrews_squeezer.toml           degrees of freedom, rank, redundant constraints
  maggi compare models/four_bar_slider.toml          every formulation and basis: errors, time
  maggi sweep models/pendulum.toml --over l=1:0.1:2  many runs: a table, statistics
  maggi COMMAND --help                               all options of a command

Exit codes: 0 done, 1 the model or an option is wrong, 2 the numbers failed, 3 a file cannot be read or written.)";

}  // namespace

int main(int argc, char** argv) {
  Threads threads;
  const auto add_commands = [&](CLI::App& app, int& exit_code) {
    add_run(app, exit_code);
    add_check(app, exit_code);
    add_init(app, exit_code);
    add_equations(app, exit_code);
    add_ideality(app, exit_code);
    add_compare(app, exit_code);
    add_sweep(app, exit_code, threads);
    add_plot(app, exit_code);
    add_new(app, exit_code);
    add_schema(app, exit_code);
    add_view(app, exit_code);
  };
  return command_line(
      {"maggi",
       "Mechanisms and other constrained mechanical systems, from bodies and joints or from formulas: motion, joint "
       "forces, and what is wrong with a model.",
       footer + 1, add_commands, complain},
      argc, argv);
}
