#pragma once
// What every program of the comparison shares: the clock, and how a measurement is said.
//
//     program WORK [SIZE]  →  seconds=1.2e-06 error=3e-13 …     exit 0: measured, 1: failed, 2: not offered
//
// `seconds` is the shortest CPU time of one call, `error` how far its result is off: a fast wrong answer is worth
// nothing.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../src/base/cpu_time.hpp"

namespace bench {

using maggi::cpu_seconds;

/// Shortest CPU time of one call [s], over several batches of some milliseconds; what takes long is called once.
template <class F>
double shortest(F&& f) {
  constexpr double batch = 0.01, long_call = 0.2;
  constexpr int batches = 8;
  const auto time = [&](long calls) {
    const double begin = cpu_seconds();
    for (long i = 0; i < calls; ++i) f();
    return (cpu_seconds() - begin) / static_cast<double>(calls);
  };
  double best = time(1);
  if (best > long_call) return best;
  for (int i = 0; i < batches; ++i) best = std::min(best, time(1 + static_cast<long>(batch / std::max(best, 1e-9))));
  return best;
}

/// Settings from `from` down to `to`, two a decade.
inline std::vector<double> ladder(double from, double to) {
  std::vector<double> settings;
  for (double decade = from; decade >= 0.99 * to; decade /= 10) {
    settings.push_back(decade);
    if (decade > 1.01 * to) settings.push_back(0.3 * decade);
  }
  return settings;
}

/// The cheapest of the settings, tried from the cheapest on, whose error is small enough; if none is, the most exact.
/// `run(setting)` → error.
template <class Run>
double cheapest(const std::vector<double>& settings, double error, const Run& run) {
  double best = settings[0], least = HUGE_VAL;
  for (double setting : settings) {
    const double found = run(setting);
    if (found <= error) return setting;
    if (found < least) least = found, best = setting;
  }
  return best;
}

using Facts = std::map<std::string, double>;

inline void report(double seconds, double error, const Facts& facts = {}) {
  std::printf("seconds=%.6g error=%.3g", seconds, error);
  for (const auto& [name, value] : facts) std::printf(" %s=%.6g", name.c_str(), value);
  std::printf("\n");
}

/// An engine need not have every problem, nor can it do all that is asked.
struct NotOffered : std::runtime_error {
  NotOffered() : std::runtime_error("not offered") {}
};

inline int usage(const char* program, const std::string& takes) {
  std::fprintf(stderr, "usage: %s %s\n", program, takes.c_str());
  return 2;
}

/// The exit code of what `work` does.
template <class Work>
int guarded(const Work& work) {
  try {
    work();
    return 0;
  } catch (const NotOffered&) { return 2; } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}

using Works = std::map<std::string, std::function<void(int size)>>;

/// For programs with a function for each of their works.
inline int run(int argc, char** argv, const Works& works) {
  const auto work = works.find(argc > 1 ? argv[1] : "");
  if (work == works.end()) {
    std::string names = "WORK [SIZE]; works:";
    for (const auto& each : works) names += " " + each.first;
    return usage(argv[0], names);
  }
  return guarded([&] { work->second(argc > 2 ? std::atoi(argv[2]) : 1); });
}

}  // namespace bench
