// maggi, through its public headers: from bodies and joints, Andrews' squeezer from formulas as well. A model is read
// and analysed before the clock starts; what is timed is what runs again and again.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "andrews_hand.hpp"
#include "andrews_run.hpp"
#include "chain_hand.hpp"
#include "maggi/formulation/dynamics.hpp"
#include "maggi/integration/integrate.hpp"
#include "maggi/io/model_file.hpp"
#include "maggi/system/equation_system.hpp"
#include "maggi/system/mechanism_system.hpp"
#include "measure.hpp"
#include "parallel_cranks.hpp"

namespace {

using namespace maggi;
using parallel_cranks::duration;
using parallel_cranks::Motion;

int index(const System& system, const std::string& coordinate) {
  const auto& all = system.shape().coordinates;
  for (int i = 0; i < system.shape().nq(); ++i)
    if (all[i].name == coordinate) return i;
  throw std::runtime_error("no coordinate is named " + coordinate);
}

/// As drawn, at rest.
State as_drawn(const System& system) {
  return {0.0, Vector::Zero(system.shape().nq()), Vector::Zero(system.shape().n())};
}

/// v̇ and the shortest time to get it. The positions are never those of the call before, so that nothing can be reused.
double time_evaluation(const System& system, State at, Vector& vdot) {
  Dynamics dynamics(system);
  dynamics.decide_rows(at);
  vdot.resize(system.shape().n());
  bool solved = true;
  double other = at.q[0] + 1e-14;
  const double seconds = bench::shortest([&] {
    std::swap(other, at.q[0]);
    solved = dynamics.accelerate(at, vdot.data()) && solved;
  });
  if (!solved) throw std::runtime_error(dynamics.explain(at));
  return seconds;
}

/// Remembers the last state and the largest change of energy.
class Watch final : public Sink {
 public:
  explicit Watch(const System& system) : system_(system), workspace_(system.workspace()) {}
  void accept(const Sample& sample) override {
    const double energy = system_.energy(sample.state, *workspace_).total;
    if (!first_) first_ = energy;
    drift = std::max(drift, std::abs(energy - *first_));
    last = sample.state;
  }
  State last;
  double drift = 0;

 private:
  const System& system_;
  std::unique_ptr<Workspace> workspace_;
  std::optional<double> first_;
};

/// What a run has to reach.
struct Demand {
  double error, drift = HUGE_VAL;  // of the last state; of the energy [J]
};

/// Runs at the cheapest tolerance that is exact enough. `error_of(last state)`.
template <class ErrorOf>
void time_motion(const System& system, const State& start, double until, double output, Demand demand,
                 const std::vector<double>& tolerances, const ErrorOf& error_of) {
  Dynamics dynamics(system);
  dynamics.decide_rows(start);
  double seconds = 0, error = 0, drift = 0;
  Statistics statistics;
  const auto run = [&](double tolerance) {
    IntegrateOptions options;
    options.until = until, options.output = output;
    options.rtol = options.atol = tolerance;
    Watch watch(system);
    const double begin = bench::cpu_seconds();
    const Run result = integrate(dynamics, start, watch, options);
    seconds = bench::cpu_seconds() - begin;
    if (result.outcome != Outcome::reached_end)
      throw std::runtime_error(
          fmt::format("{} at {} s: {}", outcome_name(result.outcome), result.t, result.explanation));
    statistics = result.statistics, error = error_of(watch.last), drift = watch.drift;
    return std::max(error / demand.error, drift / demand.drift);
  };
  const double tolerance = bench::cheapest(tolerances, 1.0, run);
  double best = HUGE_VAL;
  for (int again = 0; again < 6 && (again == 0 || best < 0.2); ++again) run(tolerance), best = std::min(best, seconds);
  bench::Facts facts{{"tolerance", tolerance},
                     {"steps", static_cast<double>(statistics.steps)},
                     {"evaluations", static_cast<double>(statistics.evaluations)}};
  if (system.shape().energy_changes.empty()) facts["drift"] = drift;
  bench::report(best, error, facts);
}

/// The parallel cranks, drawn where they start.
struct Cranks {
  Cranks(int loops, Motion at) : system(MechanismSystem::make(parse_model(text(loops, at), "cranks.toml"))) {
    start = as_drawn(*system);
    const auto turns = [&](const std::string& body) { return body.starts_with("crank") ? -at.speed : 0.0; };
    for (const auto& branch : system->tree()) {
      const bool second = !branch.parent.starts_with("coupler");  // is the body the second one of its joint?
      start.v[index(*system, branch.coordinates[0])] = (second ? 1 : -1) * (turns(branch.body) - turns(branch.parent));
    }
    first = index(*system, "pin_0.angle");
  }
  static std::string text(int loops, Motion at) {
    const double x = std::sin(at.angle), y = std::cos(at.angle);
    std::string bodies = "title = \"Parallel cranks\"\ndimension = 2\ngravity = [0, -9.81]\n", joints = "[joint]\n";
    for (int k = 0; k <= loops; ++k) {
      bodies +=
          fmt::format("[body.crank_{0}]\nshape = \"rod\"\nmass = 1\nfrom = [{0}, 0]\nto = [{1}, {2}]\n", k, k + x, y);
      joints += fmt::format("pin_{0} = {{ revolute = [\"ground\", \"crank_{0}\"], at = [{0}, 0] }}\n", k);
    }
    for (int k = 0; k < loops; ++k) {
      bodies += fmt::format("[body.coupler_{0}]\nshape = \"rod\"\nmass = 1\nfrom = [{1}, {3}]\nto = [{2}, {3}]\n", k,
                            k + x, k + 1 + x, y);
      joints += fmt::format(
          "left_{0} = {{ revolute = [\"crank_{0}\", \"coupler_{0}\"], at = [{2}, {4}] }}\n"
          "right_{0} = {{ revolute = [\"crank_{1}\", \"coupler_{0}\"], at = [{3}, {4}] }}\n",
          k, k + 1, k + x, k + 1 + x, y);
    }
    return bodies + joints;
  }
  std::unique_ptr<MechanismSystem> system;
  State start;
  int first = 0;  // the coordinate of the first crank, counter-clockwise from the drawing
};

void cranks(int loops) {
  const Cranks model(loops, parallel_cranks::in_motion);
  Vector vdot;
  const double seconds = time_evaluation(*model.system, model.start, vdot);
  bench::report(seconds,
                std::abs(-vdot[model.first] - parallel_cranks::acceleration(loops, parallel_cranks::in_motion.angle)));
}

void motion(int loops, Motion start, double output, Demand demand, const std::vector<double>& tolerances) {
  const Cranks model(loops, start);
  const double exact = parallel_cranks::after(loops, start, duration).angle;
  time_motion(*model.system, model.start, duration, output, demand, tolerances,
              [&](const State& last) { return std::abs(start.angle - last.q[model.first] - exact); });
}
void swing(int loops) {
  motion(loops, parallel_cranks::swing, duration, {parallel_cranks::swing_error}, bench::ladder(1e-5, 1e-10));
}
void tumbling(int loops) {
  motion(loops, parallel_cranks::tumbling, 0.1, {parallel_cranks::tumbling_error, parallel_cranks::tumbling_drift},
         bench::ladder(1e-5, 1e-8));
}

void chain(int n) {
  std::string bodies = "title = \"Open chain\"\ngravity = [0, -9.81, 0]\n", joints = "[joint]\n";
  for (int i = 0, quarter = 0; i < n; ++i) {
    quarter += open_chain::turned(i);  // turned so often by 90° about y
    const int x = quarter % 2 * (quarter % 4 == 1 ? 1 : -1), z = (1 - quarter % 2) * (quarter % 4 == 0 ? 1 : -1);
    bodies += fmt::format("[body.rod_{0}]\nmass = 1\ninertia = [{1}, {2}, {1}]\nposition = [0, {3}, 0]\n", i, 1.0 / 12,
                          spatial::thin, i + 0.5);
    joints += fmt::format("pin_{0} = {{ revolute = [\"{1}\", \"rod_{0}\"], at = [0, {0}, 0], axis = [{2}, 0, {3}] }}\n",
                          i, i > 0 ? fmt::format("rod_{}", i - 1) : "ground", x, z);
  }
  const auto system = MechanismSystem::make(parse_model(bodies + joints, "chain.toml"));
  State at = as_drawn(*system);
  for (int i = 0; i < n; ++i) at.q[index(*system, fmt::format("pin_{}.angle", i))] = open_chain::angle(i);
  at.v.setConstant(open_chain::speed);
  Vector vdot;
  const double seconds = time_evaluation(*system, at, vdot);
  bench::report(seconds, open_chain::error(n, vdot[index(*system, "pin_0.angle")]));
}

/// Andrews' squeezer: the system, its start, and where the seven angles are among its coordinates.
struct Squeezer {
  explicit Squeezer(bool bodies) {
    const std::filesystem::path models = MAGGI_SOURCE_DIR "/models";
    if (bodies) {
      system = MechanismSystem::make(read_model(models / "squeezer.toml"));
      start = as_drawn(*system);
      names = {"O.angle", "F.angle", "B.angle", "G.angle", "A_5.angle", "H.angle", "A_7.angle"};
      std::copy(andrews::q0, andrews::q0 + 7, drawn);
    } else {
      system = std::make_unique<EquationSystem>(read_model(models / "andrews_squeezer.toml"));
      start = as_drawn(*system);
      names = {"beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"};
      for (int i = 0; i < 7; ++i) start.q[index(*system, names[i])] = andrews::q0[i];
    }
  }
  double error(const State& at) const {
    double q[7];
    for (int i = 0; i < 7; ++i) q[i] = drawn[i] + at.q[index(*system, names[i])];
    return andrews::error(q);
  }
  std::unique_ptr<System> system;
  State start;
  std::array<std::string, 7> names;
  double drawn[7] = {};
};

template <bool bodies>
void andrews_evaluation(int) {
  const Squeezer squeezer(bodies);
  Vector vdot;
  const double seconds = time_evaluation(*squeezer.system, squeezer.start, vdot);
  bench::report(seconds, std::abs(vdot[index(*squeezer.system, squeezer.names[0])] / andrews::start_beta_ddot - 1));
}

template <bool bodies>
void andrews_motion(int) {
  const Squeezer squeezer(bodies);
  time_motion(*squeezer.system, squeezer.start, andrews::end, andrews::end, {andrews::demanded},
              bench::ladder(1e-4, 1e-10), [&](const State& last) { return squeezer.error(last); });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run(argc, argv,
                    {{"cranks", cranks},
                     {"chain", chain},
                     {"swing", swing},
                     {"tumbling", tumbling},
                     {"andrews", andrews_evaluation<true>},
                     {"andrews-run", andrews_motion<true>},
                     {"andrews-formulas", andrews_evaluation<false>},
                     {"andrews-formulas-run", andrews_motion<false>}});
}
