// Andrews' squeezer: what deriving it from formulas costs against writing it by hand. Absolute times depend on the
// machine; the ratios of one run count.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "../peers/andrews_hand.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "integration/lanes/lane_integrator.hpp"
#include "io/toml/model_file.hpp"
#include "manifold/projection.hpp"
#include "start/initial_conditions.hpp"
#include "system/formulas/equation_system.hpp"

namespace andrews {
void hand_terms(const double* q, const double* v, Terms& t);
void hand_acceleration(const double* q, const double* v, double* a);
void hand_acceleration_dense(const double* q, const double* v, double* a);
}  // namespace andrews

namespace {

using namespace maggi;

const EquationSystem& squeezer() {
  static const EquationSystem system(read_model(MAGGI_SOURCE_DIR "/models/andrews_squeezer.toml"));
  return system;
}

const EquationSystem& compiled_squeezer() {
  static EquationSystem system(read_model(MAGGI_SOURCE_DIR "/models/andrews_squeezer.toml"));
  static const std::string how = system.compile(Compile::always);
  return system;
}

/// The start of the model, in motion.
State moving_state() {
  Dynamics dynamics(squeezer());
  State state = find_initial_conditions(dynamics, squeezer().start()).state;
  for (int i = 0; i < 7; ++i) state.v[i] = i + 1.0;
  return state;
}

void hand_terms(benchmark::State& bench) {
  State state = moving_state();
  andrews::Terms terms;
  for (auto _ : bench) {
    andrews::hand_terms(state.q.data(), state.v.data(), terms);
    state.v[0] += 1e-12 * terms.gam[0];  // the next call depends on this one
  }
}

template <void (*solve)(const double*, const double*, double*)>
void hand_solve(benchmark::State& bench) {
  State state = moving_state();
  double a[7];
  for (auto _ : bench) {
    solve(state.q.data(), state.v.data(), a);
    state.v[0] += 1e-12 * a[0];
  }
}

void terms(benchmark::State& bench, const EquationSystem& system) {
  State state = moving_state();
  const auto workspace = system.workspace();
  for (auto _ : bench) {
    system.acceleration(state, *workspace);
    state.v[0] += 1e-12 * workspace->terms.h[0];
  }
}
void maggi_terms(benchmark::State& bench) { terms(bench, squeezer()); }
void compiled_terms(benchmark::State& bench) { terms(bench, compiled_squeezer()); }

void maggi_right_side(benchmark::State& bench, const char* formulation) {
  State state = moving_state();
  Dynamics dynamics(squeezer(), formulation);
  dynamics.decide_rows(state);
  double a[7];
  for (auto _ : bench) {
    dynamics.accelerate(state, a);
    state.v[0] += 1e-12 * a[0];
  }
}

/// Eight states side by side; times are per state.
struct EightStates {
  EightStates() : q(7), v(7), vdot(7) {
    const State state = moving_state();
    for (int i = 0; i < 7; ++i)
      for (int l = 0; l < Eight::lanes; ++l) q[i][l] = state.q[i], v[i][l] = state.v[i] + 0.1 * l;
  }
  Eight t;
  std::vector<Eight> q, v, vdot;
};

void lane_terms(benchmark::State& bench) {
  EightStates states;
  LaneSystem system(squeezer());
  while (bench.KeepRunningBatch(Eight::lanes)) {
    system.acceleration(states.t, states.q.data(), states.v.data());
    states.v[0][0] += 1e-12 * system.h(0)[0];
  }
}

void lane_right_side(benchmark::State& bench) {
  EightStates states;
  Lanes lanes(squeezer());
  while (bench.KeepRunningBatch(Eight::lanes)) {
    lanes.accelerate(states.t, states.q.data(), states.v.data(), states.vdot.data());
    states.v[0][0] += 1e-12 * states.vdot[0][0];
  }
}

/// The whole motion to 10 ms, one after the other and side by side; times are per motion.
struct Ignore final : Sink, LaneSink {
  void accept(const Sample&) override {}
  void accept(std::size_t, const State&, const Acceleration&) override {}
};
const IntegrateOptions motion_options{.until = 0.01, .output = 0.01, .rtol = 1e-6, .atol = 1e-6};

void one_motion(benchmark::State& bench) {
  Dynamics dynamics(squeezer());
  const State start = find_initial_conditions(dynamics, squeezer().start()).state;
  Ignore sink;
  for (auto _ : bench) integrate(dynamics, start, sink, motion_options);
}

void lane_motions(benchmark::State& bench) {
  Dynamics dynamics(squeezer());
  const State start = find_initial_conditions(dynamics, squeezer().start()).state;
  const std::vector<LaneJob> jobs(64, LaneJob{squeezer().parameters(), start});
  LaneIntegrator integrator(squeezer(), motion_options);
  Ignore sink;
  while (bench.KeepRunningBatch(64)) integrator.run(jobs, sink);
}

void maggi_projection(benchmark::State& bench) {
  const State state = moving_state();
  const auto workspace = squeezer().workspace();
  Projection projection(squeezer());
  State moved = state;
  for (auto _ : bench) {
    moved = state;
    moved.q[0] += 1e-9;
    benchmark::DoNotOptimize(projection(moved, *workspace));
  }
}

BENCHMARK(hand_terms);
BENCHMARK(maggi_terms);
BENCHMARK(compiled_terms);
BENCHMARK(hand_solve<andrews::hand_acceleration>)->Name("hand_right_side");
BENCHMARK(hand_solve<andrews::hand_acceleration_dense>)->Name("hand_right_side_dense");
BENCHMARK_CAPTURE(maggi_right_side, augmented, "augmented");
BENCHMARK_CAPTURE(maggi_right_side, maggi, "maggi");
BENCHMARK(maggi_projection);
BENCHMARK(lane_terms);
BENCHMARK(lane_right_side);
BENCHMARK(one_motion);
BENCHMARK(lane_motions);

/// A fast wrong answer is worth nothing.
void check_same_accelerations() {
  const State state = moving_state();
  Dynamics dynamics(squeezer());
  dynamics.decide_rows(state);
  double ours[7], hand[7];
  dynamics.accelerate(state, ours);
  andrews::hand_acceleration(state.q.data(), state.v.data(), hand);
  for (int i = 0; i < 7; ++i)
    if (!(std::abs(ours[i] - hand[i]) <= 1e-9 * std::abs(hand[0]))) {
      std::fprintf(stderr, "maggi and the hand-written code disagree in acceleration %d: %g, %g\n", i, ours[i],
                   hand[i]);
      std::exit(1);
    }
}

/// Remembers the shortest CPU time of each benchmark.
class Collector final : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration) {
        auto [place, first] = shortest.emplace(run.run_name.function_name, run.GetAdjustedCPUTime());
        if (!first) place->second = std::min(place->second, run.GetAdjustedCPUTime());
      }
    ConsoleReporter::ReportRuns(runs);
  }
  std::map<std::string, double> shortest;
};

}  // namespace

int main(int argc, char** argv) {
  check_same_accelerations();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  auto& t = collector.shortest;
  const double on_tape = t["maggi_terms"], right = t["maggi_right_side/augmented"];
  std::printf("\nratios of this run (shortest CPU times)\n");
  std::printf("  terms, tape / hand-written                 %5.2f   (aim: at most 3)\n", on_tape / t["hand_terms"]);
  std::printf("  terms, compiled / hand-written             %5.2f   (aim: at most 1.2)\n",
              t["compiled_terms"] / t["hand_terms"]);
  std::printf("  right side, augmented / hand-written       %5.2f   (aim: at most 5)\n", right / t["hand_right_side"]);
  std::printf("  right side, augmented / hand-written dense %5.2f\n", right / t["hand_right_side_dense"]);
  std::printf("  right side, maggi on qr / hand-written     %5.2f\n",
              t["maggi_right_side/maggi"] / t["hand_right_side"]);
  std::printf("  terms, eight lanes / tape, per state       %5.2f   (aim: at most 0.6)\n", t["lane_terms"] / on_tape);
  std::printf("  right side, eight lanes / augmented        %5.2f\n", t["lane_right_side"] / right);
  std::printf("  motion, eight lanes / one at a time        %5.2f   (aim: at most 0.5)\n",
              t["lane_motions"] / t["one_motion"]);
  std::printf("  of the right side: terms %.0f %%, solution %.0f %%\n", 100 * on_tape / right,
              100 * (right - on_tape) / right);
}
