#pragma once

namespace CLI {
class App;
}

namespace maggi::app {

/// Each adds one subcommand with its options; its action writes the exit code: 0 done, 2 the numbers failed.
void add_run(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_init(CLI::App& app, int& exit_code);
void add_ideality(CLI::App& app, int& exit_code);
void add_equations(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
class Executor;
void add_sweep(CLI::App& app, int& exit_code, Executor& executor);
void add_plot(CLI::App& app, int& exit_code);
void add_new(CLI::App& app, int& exit_code);
void add_schema(CLI::App& app, int& exit_code);
void add_view(CLI::App& app, int& exit_code);

}  // namespace maggi::app
