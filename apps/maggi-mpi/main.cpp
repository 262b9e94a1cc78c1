// maggi-mpi: maggi sweep on many cores and machines. mpirun -np 8 maggi-mpi sweep model.toml --over "m=1:0.1:2"
#include <cstdio>

#include "command_line.hpp"
#include "commands.hpp"
#include "mpi_executor.hpp"
#include "output.hpp"

namespace {

constexpr const char* footer = R"text(
Examples:
  mpirun -np 8 maggi-mpi sweep models/pendulum.toml --over l=1:0.001:2
  mpirun --hostfile hosts maggi-mpi sweep model.toml --over "m=normal(2,0.1)" --runs 100000

One rank for each core. Every rank reads the model file; rank 0 writes the results, the same as those of maggi sweep.)text";

}  // namespace

int main(int argc, char** argv) {
  using namespace maggi::app;
  MpiExecutor executor(argc, argv);
  std::string fault;
  const auto complain_or_report = [&](std::string_view text) {
    if (executor.leads())
      complain(text);
    else
      fault += text;
  };
  if (!executor.leads() && std::freopen("/dev/null", "w", stdout) == nullptr)
    return 3;  // what is printed is printed once
  const auto add_commands = [&](CLI::App& app, int& exit_code) { add_sweep(app, exit_code, executor); };
  const int exit_code = command_line(
      {"maggi-mpi", "Many runs of a model, on many cores and machines.", footer + 1, add_commands, complain_or_report},
      argc, argv);
  if (!fault.empty()) executor.report(fault);
  return exit_code;
}
