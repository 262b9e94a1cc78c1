// maggi, through its public headers: from bodies and joints, Andrews' squeezer from formulas as well. A model is read
// and analysed before the clock starts; what is timed is what runs again and again.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "dynamics/dynamics.hpp"
#include "engine.hpp"
#include "integration/integrate.hpp"
#include "io/toml/model_file.hpp"
#include "start/initial_conditions.hpp"
#include "system/make_system.hpp"
#include "system/seam/mechanism_system.hpp"

namespace {

using namespace maggi;
using parallel_cranks::Motion;

/// A problem as maggi has it.
struct Setup {
  std::unique_ptr<System> system;
  State start{};                                                // where evaluations are timed and motions begin
  std::string first{};                                          // the coordinate whose acceleration is looked at
  double sense = 1;                                             // of that acceleration
  std::function<std::vector<double>(const State&)> observed{};  // see bench::goal()
};

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

Model example(const std::string& name) {
  return read_model(std::filesystem::path(MAGGI_SOURCE_DIR "/models") / (name + ".toml"));
}

/// A shipped model with the start that its file describes.
Setup shipped(const Model& model) {
  Setup made{make_system(model)};
  Dynamics dynamics(*made.system);
  made.start = find_initial_conditions(dynamics, made.system->start()).state;
  return made;
}

/// The parallel cranks, drawn where they start.
std::string cranks_text(int loops, Motion at) {
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
Setup cranks(int loops, Motion at) {
  auto system = MechanismSystem::make(parse_model(cranks_text(loops, at), "cranks.toml"));
  Setup made{nullptr, as_drawn(*system), "pin_0.angle", -1};
  const auto turns = [&](const std::string& body) { return body.starts_with("crank") ? -at.speed : 0.0; };
  std::map<std::string, int> place;
  for (int i = 0; i < system->shape().nq(); ++i) place[system->shape().coordinates[i].name] = i;
  for (const auto& branch : system->tree()) {
    const bool second = !branch.parent.starts_with("coupler");  // is the body the second one of its joint?
    made.start.v[place.at(branch.coordinates[0])] = (second ? 1 : -1) * (turns(branch.body) - turns(branch.parent));
  }
  const int first = place.at(made.first);
  made.observed = [=](const State& last) { return std::vector<double>{at.angle - last.q[first]}; };
  made.system = std::move(system);
  return made;
}

Setup chain(int n) {
  std::string bodies = "title = \"Open chain\"\ngravity = [0, -9.81, 0]\n", joints = "[joint]\n";
  for (int i = 0, quarter = 0; i < n; ++i) {
    quarter += open_chain::turned(i);  // turned so often by 90° about y
    const int x = quarter % 2 * (quarter % 4 == 1 ? 1 : -1), z = (1 - quarter % 2) * (quarter % 4 == 0 ? 1 : -1);
    bodies += fmt::format("[body.rod_{0}]\nmass = 1\ninertia = [{1}, {2}, {1}]\nposition = [0, {3}, 0]\n", i, 1.0 / 12,
                          spatial::thin, i + 0.5);
    joints += fmt::format("pin_{0} = {{ revolute = [\"{1}\", \"rod_{0}\"], at = [0, {0}, 0], axis = [{2}, 0, {3}] }}\n",
                          i, i > 0 ? fmt::format("rod_{}", i - 1) : "ground", x, z);
  }
  Setup made{make_system(parse_model(bodies + joints, "chain.toml"))};
  made.start = as_drawn(*made.system), made.first = "pin_0.angle";
  for (int i = 0; i < n; ++i) made.start.q[index(*made.system, fmt::format("pin_{}.angle", i))] = open_chain::angle(i);
  made.start.v.setConstant(open_chain::speed);
  return made;
}

Setup squeezer(bool bodies) {
  Setup made = shipped(example(bodies ? "squeezer" : "andrews_squeezer"));
  using Names = std::array<const char*, 7>;
  const Names names = bodies ? Names{"O.angle", "F.angle", "B.angle", "G.angle", "A_5.angle", "H.angle", "A_7.angle"}
                             : Names{"beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"};
  made.first = names[0];
  std::array<int, 7> place;
  for (int i = 0; i < 7; ++i) place[i] = index(*made.system, names[i]);
  made.observed = [=](const State& last) {
    std::vector<double> q(7);
    for (int i = 0; i < 7; ++i) q[i] = (bodies ? andrews::q0[i] : 0.0) + last.q[place[i]];  // bodies: since the drawing
    return q;
  };
  return made;
}

/// With a cylindrical joint instead of the second revolute no row is redundant, and it moves all the same: the force
/// that only the redundancy can carry acts along the axis of that hinge in every pose, so that nothing is free to
/// slide.
Setup bricard(bool redundant) {
  Model model = example("bricard");
  if (!redundant) model.mechanism.joints[1].type = JointType::cylindrical;
  Setup made = shipped(model);
  made.first = "hinge_1.angle";
  Dynamics dynamics(*made.system);
  dynamics.decide_rows(made.start);
  if (dynamics.freedom() != 1 || dynamics.dependent_rows().empty() == redundant)
    throw std::runtime_error(
        fmt::format("freedom {}, {} dependent rows", dynamics.freedom(), dynamics.dependent_rows().size()));
  const auto& mechanism = dynamic_cast<const MechanismSystem&>(*made.system);
  made.observed = [&mechanism](const State& last) {
    for (const auto& body : mechanism.placements(last))
      if (body.body == "rod_2") {
        const Eigen::Vector3d tip = body.position + body.rotation * Eigen::Vector3d(0, -0.5, 0);
        return std::vector<double>{tip[0], tip[1], tip[2]};
      }
    throw std::runtime_error("no rod_2");
  };
  return made;
}

Setup pendulum(bool bodies) {
  Setup made = shipped(example(bodies ? "rod_pendulum" : "pendulum"));
  made.observed = [bodies](const State& last) {
    return bodies ? std::vector<double>{-std::cos(last.q[0]), -std::sin(last.q[0])}
                  : std::vector<double>{last.q[0], last.q[1]};
  };
  return made;
}

Setup governor() {
  Setup made = shipped(example("flyball_governor"));
  const int slider = index(*made.system, "guide.distance"), arm = index(*made.system, "pin_1.angle");
  made.observed = [=](const State& last) {
    return std::vector<double>{0.5 + last.q[slider], parallel_cranks::pi / 6 + last.q[arm]};
  };
  return made;
}

Setup make(const bench::Problem& problem) {
  const bool plain = problem.variant.empty();
  if (problem.name == "cranks" && plain) return cranks(problem.size, parallel_cranks::in_motion);
  if (problem.name == "swing" && plain) return cranks(problem.size, parallel_cranks::swing);
  if (problem.name == "tumbling" && plain) return cranks(problem.size, parallel_cranks::tumbling);
  if (problem.name == "chain" && plain) return chain(problem.size);
  if (problem.name == "governor" && plain) return governor();
  const bool formulas = problem.variant == "formulas";
  if (problem.name == "andrews" && (plain || formulas)) return squeezer(plain);
  if (problem.name == "pendulum" && (plain || formulas)) return pendulum(plain);
  if (problem.name == "bricard" && (plain || problem.variant == "cylindrical")) return bricard(plain);
  throw bench::NotOffered();
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

class Maggi final : public bench::Engine {
 public:
  /// The positions are never those of the call before, so that nothing can be reused.
  bench::Evaluation evaluate(const bench::Problem& problem) override {
    Setup setup = make(problem);
    Dynamics dynamics(*setup.system);
    State& at = setup.start;
    dynamics.decide_rows(at);
    Vector vdot(setup.system->shape().n());
    bool solved = true;
    double other = at.q[0] + 1e-14;
    const double seconds = bench::shortest([&] {
      std::swap(other, at.q[0]);
      solved = dynamics.accelerate(at, vdot.data()) && solved;
    });
    if (!solved) throw std::runtime_error(dynamics.explain(at));
    return {seconds, setup.sense * vdot[index(*setup.system, setup.first)]};
  }

  /// `method` is INTEGRATOR, or INTEGRATOR/FORMULATION.
  bench::Course run(const bench::Problem& problem, const bench::Goal& goal, const std::string& method,
                    double tolerance) override {
    if (!setup_) setup_ = make(problem);
    const auto slash = std::min(method.find('/'), method.size());
    Dynamics dynamics(*setup_->system, slash < method.size() ? method.substr(slash + 1) : "auto");
    dynamics.decide_rows(setup_->start);
    IntegrateOptions options;
    options.until = goal.until, options.output = goal.output > 0 ? goal.output : goal.until;
    options.rtol = options.atol = tolerance;
    if (slash > 0) options.integrator = method.substr(0, slash);
    Watch watch(*setup_->system);
    const double begin = bench::cpu_seconds();
    const IntegrationResult result = integrate(dynamics, setup_->start, watch, options);
    const double seconds = bench::cpu_seconds() - begin;
    if (result.outcome != Outcome::reached_end)
      throw std::runtime_error(
          fmt::format("{} at {} s: {}", outcome_name(result.outcome), result.t, result.explanation));
    bench::Facts facts{{"steps", static_cast<double>(result.statistics.steps)},
                       {"evaluations", static_cast<double>(result.statistics.evaluations)},
                       {"distance", result.statistics.distance_to_singularity}};
    if (setup_->system->shape().energy_changes.empty()) facts["drift"] = watch.drift;
    return {seconds, setup_->observed(watch.last), facts};
  }

  std::vector<double> settings(const bench::Problem& problem, const std::string&) override {
    return problem.name == "tumbling" && problem.size > 2 ? bench::ladder(1e-5, 1e-8) : bench::ladder(1e-4, 1e-11);
  }
  bool answers_for_energy() const override { return true; }
  bool has_variant(const std::string&) const override { return true; }

 private:
  std::optional<Setup> setup_;
};

}  // namespace

int main(int argc, char** argv) {
  Maggi engine;
  return bench::run(argc, argv, engine);
}
