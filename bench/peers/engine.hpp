#pragma once
// What every engine is asked, and how. A work is a problem, of which one evaluation of the accelerations is timed, or
// PROBLEM-run: its motion at the cheapest setting (tolerance or step) that is exact enough.
//
//     program PROBLEM[-VARIANT][-run] [SIZE] [METHOD]   one line, see measure.hpp
//     program PROBLEM-run SIZE METHOD all               a line for each setting: work against precision
//     program PROBLEM-run SIZE METHOD SETTING           at that one, for two seconds: for a profiler
//     program PROBLEM SIZE METHOD SECONDS               evaluations for so long: for a profiler
#include "problems.hpp"

namespace bench {

struct Evaluation {
  double seconds, acceleration;  // shortest CPU time of one; of the first coordinate, see evaluation_error()
};

struct Course {
  double seconds;                // CPU time
  std::vector<double> observed;  // in the end, see goal()
  Facts facts;                   // "drift": the largest change of energy [J]
};

/// Throws NotOffered for what the engine has not, anything else if it fails.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual Evaluation evaluate(const Problem& problem) = 0;
  virtual Course run(const Problem&, const Goal&, const std::string& /*method*/, double /*setting*/) {
    throw NotOffered();
  }
  /// From the cheapest to the most exact. `method` is an integrator of the engine, "" its default.
  virtual std::vector<double> settings(const Problem&, const std::string& /*method*/) { throw NotOffered(); }
  virtual const char* setting() const { return "tolerance"; }  // in words
  virtual bool answers_for_energy() const { return false; }    // is Goal::drift demanded?
  virtual bool has_variant(const std::string& name) const { return name.empty(); }
};

/// Runs at the cheapest setting that is exact enough.
inline void run_cheapest(Engine& engine, const Problem& problem, const std::string& method) {
  const Goal aim = goal(problem);
  Course course;
  double error = 0;
  std::string why;
  const auto run = [&](double setting) {
    try {
      course = engine.run(problem, aim, method, setting);
    } catch (const NotOffered&) { throw; } catch (const std::exception& failure) {  // the next setting may do
      why = failure.what();
      return HUGE_VAL;
    }
    why.clear();
    error = aim.error(course.observed);
    return std::max(error / aim.demanded, engine.answers_for_energy() ? course.facts["drift"] / aim.drift : 0);
  };
  const double setting = cheapest(engine.settings(problem, method), 1.0, run);
  double best = HUGE_VAL;
  for (int again = 0; again < 6 && (again == 0 || best < 0.2); ++again)
    run(setting), best = std::min(best, course.seconds);
  if (!why.empty()) throw std::runtime_error(why);
  course.facts[engine.setting()] = setting;
  report(best, error, course.facts);
}

/// Runs at a setting until `enough` seconds have passed, and at least once.
inline void run_at(Engine& engine, const Problem& problem, const std::string& method, double setting, double enough) {
  const Goal aim = goal(problem);
  Course course = engine.run(problem, aim, method, setting);
  for (double sum = course.seconds; sum < enough;) {
    const double again = engine.run(problem, aim, method, setting).seconds;
    course.seconds = std::min(course.seconds, again), sum += again;
  }
  course.facts[engine.setting()] = setting;
  report(course.seconds, aim.error(course.observed), course.facts);
}

/// Runs at every setting; what fails is left out.
inline void run_all(Engine& engine, const Problem& problem, const std::string& method) {
  for (double setting : engine.settings(problem, method)) try {
      run_at(engine, problem, method, setting, 0.2);
    } catch (const NotOffered&) { throw; } catch (const std::exception& failure) {
      std::fprintf(stderr, "%s %g: %s\n", engine.setting(), setting, failure.what());
    }
}

inline int run(int argc, char** argv, Engine& engine) {
  if (argc < 2) return usage(argv[0], "PROBLEM[-VARIANT][-run] [SIZE] [METHOD] [all | SETTING]");
  const std::string method = argc > 3 ? argv[3] : "", ending = "-run";
  std::string name = argv[1], variant;
  const bool motion = name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending;
  if (motion) name.resize(name.size() - ending.size());
  if (const auto dash = name.find('-'); dash != std::string::npos) variant = name.substr(dash + 1), name.resize(dash);
  const Problem problem{name, variant, argc > 2 ? std::atoi(argv[2]) : 0};
  return guarded([&] {
    if (!engine.has_variant(variant)) throw NotOffered();
    if (!motion) {
      Evaluation one{HUGE_VAL, 0};
      const double until = cpu_seconds() + (argc > 4 ? std::atof(argv[4]) : 0);
      do {
        const Evaluation again = engine.evaluate(problem);
        one = {std::min(one.seconds, again.seconds), again.acceleration};
      } while (cpu_seconds() < until);
      report(one.seconds, evaluation_error(problem, one.acceleration));
    } else if (argc > 4) {
      const std::string setting = argv[4];
      setting == "all" ? run_all(engine, problem, method) : run_at(engine, problem, method, std::atof(argv[4]), 2.0);
    } else {
      run_cheapest(engine, problem, method);
    }
  });
}

}  // namespace bench
