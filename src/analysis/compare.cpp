#include "analysis/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/compared_method.hpp"
#include "analysis/followed_motion.hpp"
#include "analysis/nearby.hpp"
#include "analysis/work_precision.hpp"
#include "base/cpu_time.hpp"
#include "base/largest.hpp"
#include "dynamics/contact_decision.hpp"
#include "dynamics/contacts.hpp"
#include "integration/method/integrators.hpp"
#include "maggi/error.hpp"

namespace maggi {

namespace {

using namespace analysis;

constexpr double above_median = 100, above_rtol = 1000;  // ends of motions
constexpr int states_on_the_way = 10;
constexpr int repetitions = 2;  // of runs that are shorter than the time for timing

/// One way to integrate all of them.
struct MotionKind {
  IntegrateOptions options;
  std::string misfit;  // why it cannot be done with this integrator
};

/// What is to be run for a row.
struct Task {
  Dynamics* dynamics = nullptr;  // none if there is nothing to run
  const MotionKind* kind = nullptr;
};

void check_positive(const char* name, double value) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw Error(Errc::model, {}, fmt::format("{} = {} is not a positive finite number", name, value));
}

const IntegratorFacts& integrator_of(const IntegrateOptions& options) {
  return integration::entry_of(options.integrator);
}

/// The same run at another rtol: atol keeps its ratio, a given step follows the order of the method.
IntegrateOptions at_tolerance(IntegrateOptions options, double rtol) {
  const double ratio = rtol / options.rtol;
  options.rtol = rtol;
  options.atol *= ratio;
  const IntegratorFacts& integrator = integrator_of(options);
  if (integrator.has_given_step()) options.step *= std::pow(ratio, 1.0 / integrator.order);
  return options;
}

void judge_ends(std::vector<ComparisonRow*>& rows, double rtol) {
  std::vector<double> errors;
  for (const ComparisonRow* row : rows)
    if (row->motion && row->motion->end_error) errors.push_back(*row->motion->end_error);
  if (errors.empty()) return;
  std::nth_element(errors.begin(), errors.begin() + (errors.size() - 1) / 2, errors.end());
  const double median = errors[(errors.size() - 1) / 2];
  for (ComparisonRow* row : rows) {
    if (!row->motion || !row->motion->end_error) continue;
    if (!within(*row->motion->end_error, std::max(above_median * median, above_rtol * rtol)))
      row->disagree(fmt::format("the motion ends {:.0e} away from the reference, half of the methods end within {:.0e}",
                                *row->motion->end_error, median));
  }
}

/// Works through the phases; an interrupt ends any of them, and what exists stays.
class Comparer {
 public:
  Comparer(const System& system, const CompareOptions& options, const IntegrateOptions& integrate)
      : system_(system),
        options_(options),
        integrate_(integrate),
        methods_(list_methods(options, system)),
        automatic_(system) {
    check_positive("accuracy", options.accuracy);
    for (const double rtol : options.rtols) check_positive("rtol", rtol);
  }

  Comparison compare(const InitialConditions& start) {
    start_ = {start.state, start.mode, start.acceleration.vdot};
    enter(automatic_, start_);
    result_.t = start.state.t;
    result_.accuracy = options_.accuracy;
    result_.with_motion = options_.run;
    result_.rtol = integrate_.rtol;
    if (integrator_of(integrate_).has_given_step()) result_.step = integrate_.step;
    if (options_.run) list_motion_kinds();
    solve_start(ReferenceSolution(automatic_, start.state, start.acceleration));
    if (options_.run) find_reference_motion();
    solve_states();
    if (options_.timing > 0.0) measure();
    list_rows();
    if (options_.run) run_all();
    result_.interrupted = stopped();
    return std::move(result_);
  }

 private:
  bool stopped() const { return integrate_.interrupt != nullptr && integrate_.interrupt->load(); }

  void tell(std::string_view phase, double part) const {
    if (options_.progress) options_.progress(phase, part);
  }

  /// Options that do not fit are found before anything is done: a mistake if there is one kind of motion only.
  void list_motion_kinds() {
    const auto or_own = [](const auto& chosen, auto own) { return chosen.empty() ? std::vector{own} : chosen; };
    for (const Choice<Unknowns> unknowns : or_own(options_.unknowns, integrate_.unknowns))
      for (const Choice<Drift> drift : or_own(options_.drifts, integrate_.drift)) {
        MotionKind& kind = kinds_.emplace_back();
        kind.options = integrate_;
        kind.options.unknowns = unknowns;
        kind.options.drift = drift;
      }
    for (MotionKind& kind : kinds_) {
      IntegrateOptions at_once = kind.options;
      at_once.until = std::min(at_once.until, start_.state.t);
      try {
        FollowedMotion(system_).follow(automatic_, start_, at_once);
      } catch (const Error& error) {
        if (kinds_.size() == 1) throw;
        kind.misfit = error.cause();
      }
    }
  }

  void solve_start(const ReferenceSolution& reference) {
    result_.condition = reference.condition();
    result_.states = 1;
    for (std::size_t i = 0; i < methods_.size() && !stopped(); ++i) {
      Method& method = methods_[i];
      method.looked_at = true;
      try {
        method.dynamics = std::make_unique<Dynamics>(system_, method.row.formulation, method.row.basis);
        method.row.failure = method.solve_at(reference, "at the start");
      } catch (const Error& error) { method.row.failure = error.cause(); }
      if (!method.row.failure.empty()) method.dynamics.reset();
      tell("start", static_cast<double>(i + 1) / static_cast<double>(methods_.size()));
    }
  }

  /// Ends of motions are compared with it, and v̇ and λ at states on its way.
  void find_reference_motion() {
    if (stopped()) return;
    const IntegrateOptions& given = integrate_;
    IntegrateOptions tight = IntegrateOptions{.until = given.until, .output = given.output};
    tight.interrupt = given.interrupt;
    tight.max_step = given.max_step;
    double rtol = given.rtol;
    for (const double other : options_.rtols) rtol = std::min(rtol, other);
    tight.rtol = std::max(1e-13, std::min(1e-12, rtol / 100));
    tight.atol = given.atol * tight.rtol / given.rtol;
    const double length = given.until - start_.state.t;
    tight.progress = [&](double t) { tell("reference", (t - start_.state.t) / length); };
    exact_ = std::make_unique<FollowedMotion>(system_, length / states_on_the_way);
    exact_->follow(automatic_, start_, tight);
    moments_.assign(exact_->kept().begin() + (exact_->kept().empty() ? 0 : 1), exact_->kept().end());
    if (!stopped()) result_.reference_failure = exact_->failure();
    if (stopped() || !exact_->failure().empty()) exact_.reset();
  }

  /// Near the start, on the constraints and with other speeds: what is in force there follows from these.
  void find_moments_nearby() {
    integration::Contacts contacts(automatic_);
    contacts.let_all_go();
    ContactDecision decision(automatic_);
    for (const State& state : nearby_states(automatic_, start_.state, Speeds::any)) {
      try {
        moments_.push_back({state, decision.decide(state, automatic_.mode())});
      } catch (const Error&) {}  // a state that no motion has shown to be in reach
    }
  }

  void solve_states() {
    if (stopped()) return;
    const bool near = !options_.run;
    if (near) find_moments_nearby();
    for (std::size_t i = 0; i < moments_.size() && !stopped(); ++i) {
      const State& state = moments_[i].state;
      Acceleration acceleration;
      try {
        enter(automatic_, moments_[i]);
        if (!automatic_.solve(state, acceleration)) continue;
      } catch (const Error&) { continue; }
      const ReferenceSolution reference(automatic_, state, acceleration);
      result_.condition = larger(result_.condition, reference.condition());
      ++result_.states;
      const std::string place = near ? "near the start" : fmt::format("at t = {:.6g} s", state.t);
      for (Method& method : methods_) {
        if (!method.dynamics || stopped()) continue;
        const std::string failure = method.solve_at(reference, place);
        if (!failure.empty() && method.row.failure.empty())
          method.row.failure = fmt::format("refuses {}: {}", place, failure);
      }
      tell("states", static_cast<double>(i + 1) / static_cast<double>(moments_.size()));
    }
  }

  /// At the start and on the way: what a decomposition costs depends on the state.
  std::vector<const Moment*> moments_to_time() const {
    std::vector<const Moment*> some{&start_};
    for (std::size_t part = 1; part <= 3 && moments_.size() >= 3; ++part)
      some.push_back(&moments_[part * moments_.size() / 3 - 1]);
    return some;
  }

  /// The least CPU time of an evaluation over several short batches, which are interleaved between the methods: what
  /// else the machine does then hits all of them, and the least is free of it. The mean of a few states.
  void measure() {
    constexpr int rounds = 4;
    const std::vector<const Moment*> at = moments_to_time();
    const double total = static_cast<double>(at.size() * rounds);
    std::vector<long> count(methods_.size(), 1);
    std::vector<std::vector<double>> least(methods_.size(), std::vector<double>(at.size()));
    for (int batch = 0; batch < static_cast<int>(total); ++batch)
      for (std::size_t i = 0; i < methods_.size() && !stopped(); ++i) {
        if (!methods_[i].dynamics) continue;
        tell("timing", (batch + static_cast<double>(i) / static_cast<double>(methods_.size())) / total);
        const std::size_t place = batch % at.size();
        const std::optional<double> each =
            time_at(*methods_[i].dynamics, *at[place], options_.timing / total, count[i]);
        if (each && (least[i][place] == 0.0 || *each < least[i][place])) least[i][place] = *each;
      }
    for (std::size_t i = 0; i < methods_.size(); ++i) {
      const auto measured = std::count_if(least[i].begin(), least[i].end(), [](double each) { return each > 0.0; });
      if (measured > 0)
        methods_[i].row.seconds =
            std::accumulate(least[i].begin(), least[i].end(), 0.0) / static_cast<double>(measured);
    }
  }

  /// A batch that takes about so many seconds; nothing if there is no solution here. The count is kept for the next.
  std::optional<double> time_at(Dynamics& dynamics, const Moment& moment, double seconds, long& count) const {
    const State& at = moment.state;
    Vector vdot(at.v.size());
    try {
      enter(dynamics, moment);
    } catch (const Error&) {
      return std::nullopt;  // the row has said so
    }
    if (!dynamics.accelerate(at, vdot.data())) return std::nullopt;  // also: choices that are kept are made before
    while (true) {
      const double begin = cpu_seconds();
      for (long i = 0; i < count; ++i) dynamics.accelerate(at, vdot.data());
      const double taken = cpu_seconds() - begin;
      if (taken >= 0.5 * seconds || stopped()) return taken / static_cast<double>(count);
      count *= 2;
    }
  }

  /// One for each kind of motion; one without motion for those that refuse at the start.
  void list_rows() {
    for (Method& method : methods_) {
      if (!method.looked_at) continue;
      if (!method.dynamics || kinds_.empty()) {
        result_.rows.push_back(method.row);
        tasks_.emplace_back();
        continue;
      }
      for (const MotionKind& kind : kinds_) {
        ComparisonRow& row = result_.rows.emplace_back(method.row);
        row.drift_control = kind.options.drift.name();
        row.unknowns = kind.options.unknowns.name();
        if (!kind.misfit.empty()) row.failure = kind.misfit;
        tasks_.push_back({kind.misfit.empty() ? method.dynamics.get() : nullptr, &kind});
      }
    }
  }

  void run_all() {
    for (std::size_t i = 0; i < result_.rows.size() && !stopped(); ++i)
      if (tasks_[i].dynamics != nullptr) run(i);
    repeat_short_runs();
    for (ComparisonRow& row : result_.rows) row.work = work_to(options_.accuracy, row.points);
    for (const MotionKind& kind : kinds_) {
      std::vector<ComparisonRow*> alike;
      for (std::size_t i = 0; i < result_.rows.size(); ++i)
        if (tasks_[i].kind == &kind) alike.push_back(&result_.rows[i]);
      judge_ends(alike, kind.options.rtol);
    }
  }

  /// Only the last state is stored.
  IntegrateOptions lean(IntegrateOptions options) const {
    options.output = options.until - start_.state.t;
    return options;
  }

  /// The motion at the tolerance given, then the runs that show work against precision.
  void run(std::size_t index) {
    ComparisonRow& row = result_.rows[index];
    Dynamics& dynamics = *tasks_[index].dynamics;
    IntegrateOptions options = tasks_[index].kind->options;
    const std::size_t runs = exact_ ? 1 + options_.rtols.size() : 1;
    std::size_t done = 0;
    options.progress = [&](double t) {
      const double part = (t - start_.state.t) / (options.until - start_.state.t);
      const double row_part = (static_cast<double>(done) + part) / static_cast<double>(runs);
      tell("motions", (static_cast<double>(index) + row_part) / static_cast<double>(result_.rows.size()));
    };
    FollowedMotion motion(system_);
    motion.follow(dynamics, start_, options);
    if (stopped()) return;
    if (!motion.failure().empty()) {
      row.failure = motion.failure();
    } else {
      row.motion = motion.motion();
      if (exact_) row.motion->end_error = exact_->end_error(motion);
    }
    if (!exact_) return;
    for (const double rtol : options_.rtols) {
      ++done;
      const WorkPoint point = run_at(rtol, dynamics, lean(options));
      if (stopped()) return;
      row.points.push_back(point);
    }
  }

  WorkPoint run_at(double rtol, Dynamics& dynamics, const IntegrateOptions& options) {
    FollowedMotion motion(system_);
    motion.follow(dynamics, start_, at_tolerance(options, rtol));
    const ComparisonRow::Motion& run = motion.motion();
    WorkPoint point{.rtol = rtol, .steps = run.steps, .evaluations = run.evaluations, .seconds = run.seconds};
    point.failure = motion.failure();
    if (point.failure.empty()) point.end_error = exact_->end_error(motion);
    return point;
  }

  /// Short runs once more, all methods in turn as in measure(): the least time counts.
  void repeat_short_runs() {
    for (int again = 0; again < repetitions; ++again)
      for (std::size_t i = 0; i < result_.rows.size(); ++i) {
        for (WorkPoint& point : result_.rows[i].points) {
          if (point.seconds > options_.timing) continue;
          const WorkPoint same = run_at(point.rtol, *tasks_[i].dynamics, lean(tasks_[i].kind->options));
          if (stopped()) return;
          point.seconds = std::min(point.seconds, same.seconds);
        }
        tell("repetitions", (again + static_cast<double>(i) / static_cast<double>(result_.rows.size())) / repetitions);
      }
  }

  const System& system_;
  const CompareOptions& options_;
  const IntegrateOptions& integrate_;
  std::vector<Method> methods_;
  std::vector<MotionKind> kinds_;
  Dynamics automatic_;
  Moment start_;
  std::vector<Moment> moments_;            // beside the start
  std::unique_ptr<FollowedMotion> exact_;  // the reference motion, if it reached its end
  Comparison result_;
  std::vector<Task> tasks_;  // of the rows
};

}  // namespace

Comparison compare(const System& system, const InitialConditions& start, const CompareOptions& options,
                   const IntegrateOptions& integrate) {
  return Comparer(system, options, integrate).compare(start);
}

}  // namespace maggi
