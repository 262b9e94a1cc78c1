// What does one evaluation of formulas cost? The accelerations of a chain of n masses between nonlinear springs, one
// state at a time and eight at once. Compare `per_state`; the sizes are those of small and middling models.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "expression/tape.hpp"
#include "maggi/expert/expression.hpp"
#include "maggi/expert/parse.hpp"

namespace {

using namespace maggi::expression;

Tape chain(int n) {
  Graph graph;
  Scope scope;
  std::vector<Id> inputs, outputs;
  for (int i = 0; i <= n + 1; ++i) {
    const std::string name = "x" + std::to_string(i);
    inputs.push_back(graph.variable(name));
    scope.declare(name, inputs.back());
  }
  const auto spring = [](int i, int j) {
    const std::string stretch = "(x" + std::to_string(j) + " - x" + std::to_string(i) + ")";
    return "(" + stretch + " + 0.3*" + stretch + "^3 + 0.1*sin(" + stretch + "))";
  };
  for (int i = 1; i <= n; ++i) outputs.push_back(parse(spring(i, i + 1) + " - " + spring(i - 1, i), graph, scope, {}));
  return Tape(graph, inputs, {}, outputs);
}

void per_state(benchmark::State& state, std::int64_t states) {
  state.counters["per_state"] = benchmark::Counter(
      static_cast<double>(states), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void one_state(benchmark::State& state) {
  const Tape tape = chain(static_cast<int>(state.range(0)));
  std::vector<double> scratch(tape.slots(), 0.1);
  tape.prepare({}, scratch);
  for (auto _ : state) {
    tape.run(scratch);
    benchmark::DoNotOptimize(scratch.data());
    benchmark::ClobberMemory();
  }
  per_state(state, 1);
}
BENCHMARK(one_state)->RangeMultiplier(4)->Range(1, 256);

void eight_states(benchmark::State& state) {
  const Tape tape = chain(static_cast<int>(state.range(0)));
  std::vector<double> scratch(Tape::lanes * tape.slots(), 0.1);
  tape.prepare_lanes({}, scratch);
  for (auto _ : state) {
    tape.run_lanes(scratch);
    benchmark::DoNotOptimize(scratch.data());
    benchmark::ClobberMemory();
  }
  per_state(state, Tape::lanes);
}
BENCHMARK(eight_states)->RangeMultiplier(4)->Range(1, 256);

}  // namespace
