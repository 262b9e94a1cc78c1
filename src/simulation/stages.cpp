#include "maggi/simulation.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <unordered_map>

#include "base/names.hpp"
#include "integration/integrate.hpp"
#include "model/adjustable.hpp"
#include "model/lint.hpp"
#include "model/validate.hpp"
#include "results/summary.hpp"
#include "simulation/check_data.hpp"
#include "simulation/compile_when_it_pays.hpp"
#include "simulation/stages.hpp"

namespace maggi {

namespace {

/// The rows of each loop by themselves.
std::vector<PartialMobility> loops_of(const MechanismSystem& mechanism, Dynamics& dynamics,
                                      const InitialConditions& start) {
  const Shape& shape = mechanism.shape();
  std::unordered_map<std::string, std::vector<int>> rows_of;  // joints
  for (int i = 0; i < shape.m(); ++i) rows_of[shape.rows[i].owner].push_back(i);
  std::vector<std::vector<int>> groups;
  for (const MechanismSystem::Loop& loop : mechanism.loops()) {
    groups.emplace_back();
    for (const int i : rows_of[loop.joint]) {
      const Row& row = shape.rows[i];
      if (!row.one_sided && row.component.starts_with("cut_") == !loop.through.empty()) groups.back().push_back(i);
    }
  }
  return find_mobility_of(groups, dynamics, start.state, start.acceleration);
}

/// The normal of the plane in which all bodies move, whichever joint of the tree does; nothing if there is none.
std::optional<Eigen::Vector3d> plane_of(const MechanismSystem& mechanism, const State& start) {
  constexpr double rounding = 1e-9;  // of rates of size 1
  if (mechanism.planar()) return std::nullopt;
  std::optional<Eigen::Vector3d> normal;
  std::vector<Eigen::Vector3d> velocities, turns;
  State moving = start;
  for (Eigen::Index j = 0; j < start.v.size(); ++j) {
    moving.v = Vector::Unit(start.v.size(), j);
    for (const MechanismSystem::Placement& body : mechanism.placements(moving)) {
      velocities.push_back(body.velocity);
      turns.push_back(body.angular_velocity);
      if (!normal && turns.back().norm() > rounding) normal = turns.back().normalized();
    }
  }
  if (!normal) return std::nullopt;
  for (const Eigen::Vector3d& v : velocities)
    if (std::abs(v.dot(*normal)) > rounding * (1.0 + v.norm())) return std::nullopt;
  for (const Eigen::Vector3d& w : turns)
    if (w.cross(*normal).norm() > rounding * (1.0 + w.norm())) return std::nullopt;
  for (double& component : *normal)
    if (std::abs(component) < rounding) component = 0.0;
  return normal;
}

struct NoSink final : Sink {
  void accept(const Sample& /*sample*/) override {}
};

/// Integrates. A value that is not finite ends the run; the states before it are kept.
Summary integrate_and_summarise(Dynamics& dynamics, const State& start, Trajectory& trajectory,
                                const IntegrateOptions& options) {
  const double begin = cpu_seconds();
  IntegrationResult run;
  try {
    run = integrate(dynamics, start, trajectory, options);
  } catch (const Error& error) {
    if (error.code() != Errc::numerics) throw;
    if (trajectory.size() > 0) run.t = trajectory(trajectory.size() - 1, 0);
    run.outcome = Outcome::failed;
    run.explanation = error.what();
  }
  return summarise(dynamics, run, trajectory, cpu_seconds() - begin);
}

}  // namespace

Simulation::Stages::Stages(Model given) : model(std::move(given)) {
  validate(model);
  check_names(model);
}

const Numbers& Simulation::Stages::numbers() {
  if (!known_numbers) known_numbers.emplace(model);
  return *known_numbers;
}

void Simulation::Stages::begin() {
  if (dynamics) return;
  const std::string formulation = model.simulation.formulation.value_or("auto");
  const std::string basis = model.simulation.basis.value_or("");
  if (system) {  // of the simulation that this one is a copy of
    dynamics = std::make_unique<Dynamics>(*system, formulation, basis);
    dynamics->set_mode(start.mode);
    dynamics->begin_near(start.acceleration.vdot);
    dynamics->decide_rows(start.state);
    return;
  }
  CompleteSystem complete = complete_system(model, numbers(), formulation, basis, before ? &*before : nullptr);
  const bool shares =
      model.mechanism.given() ? model.controls.empty() : may_share(model, numbers(), *complete.system, complete.hidden);
  if (!before && shares) before = {complete.system, complete.dynamics->rank()};  // the first: no history
  system = std::move(complete.system);
  dynamics = std::move(complete.dynamics);
  start = std::move(complete.start);
  hidden = std::move(complete.hidden);
  stopwatch.note("model and start");
}

const std::shared_ptr<const Certificate>& Simulation::Stages::certify() {
  if (certificate) return certificate;
  begin();
  certificate = std::make_shared<const Certificate>(maggi::certify(model, *dynamics, start.state));
  stopwatch.note("certificate");
  return certificate;
}

std::vector<std::string> Simulation::Stages::drivers() const {
  std::vector<std::string> names;
  for (const Driver& driver : model.mechanism.drivers) names.push_back(driver.name);
  return names;
}

Settings Simulation::Stages::settings(const RunOptions& options) {
  const SettingsKey key(options.until, options.output, options.rtol, options.atol, options.step, options.integrator,
                        options.drift, options.unknowns, options.continuity, options.also);
  if (!settings_kept || settings_kept->first != key) settings_kept.emplace(key, read_settings(options));
  Settings result = settings_kept->second;
  result.integrate.interrupt = options.interrupt;
  result.integrate.progress = options.progress;
  return result;
}

Settings Simulation::Stages::read_settings(const RunOptions& options) {
  Model asked = model;  // with the options in its [simulation]
  SimulationSettings& s = asked.simulation;
  const auto replace = [](std::optional<Formula>& target, const std::optional<double>& value) {
    if (value) target = Formula(*value);
  };
  replace(s.until, options.until);
  replace(s.output, options.output);
  replace(s.rtol, options.rtol);
  replace(s.atol, options.atol);
  replace(s.step, options.step);
  const auto replace_name = [](std::optional<std::string>& target, const auto& choice) {
    if (choice) target = choice->name();
  };
  replace_name(s.integrator, options.integrator);
  replace_name(s.drift, options.drift);
  replace_name(s.unknowns, options.unknowns);
  replace_name(s.continuity, options.continuity);
  if (options.also) {
    s.also.clear();
    for (const Choice<Further>& channels : *options.also) s.also.push_back({std::string(channels.name()), {}});
  }
  return maggi::settings(asked, numbers());
}

std::shared_ptr<Motion::Data> Simulation::Stages::motion(const Settings& settings, const UniqueForces& unique,
                                                         Reactions reactions) {
  auto data = std::make_shared<Motion::Data>(
      system, unique, reactions, results::further_channels(settings, dynamics->basis(), start.state, start.mode));
  data->title = system->shape().title.empty() ? model.file : system->shape().title;
  data->drivers = drivers();
  data->basis = dynamics->basis();
  data->settings = settings;
  data->mode = start.mode;
  return data;
}

std::optional<EarlyEnd> Simulation::Stages::early_end() const {
  const int most_steps =
      std::max(50, 100000 / std::max(50, system->shape().n() + system->shape().m()));  // below a second
  Stages copy(*this);
  copy.begin();
  std::atomic<bool> enough = false;
  int steps = 0;
  RunOptions options;
  options.interrupt = &enough;
  options.progress = [&](double /*t*/) {
    if (++steps >= most_steps) enough = true;
  };
  try {
    Settings settings = copy.settings(options);
    settings.integrate.output = settings.integrate.until - copy.start.state.t;  // no state is looked at
    NoSink nothing;
    const IntegrationResult run = integrate(*copy.dynamics, copy.start.state, nothing, settings.integrate);
    if (run.outcome == Outcome::reached_end || run.outcome == Outcome::stopped || run.outcome == Outcome::interrupted)
      return std::nullopt;
    return EarlyEnd{run.t, run.explanation};
  } catch (const Error&) {
    return std::nullopt;  // how long to run is not said; `run` will say it
  }
}

void Simulation::Stages::forget() {
  known_numbers.reset();
  settings_kept.reset();
  notes.reset();
  check.reset();
  certificate.reset();
  dynamics.reset();
  system.reset();
}

Simulation::Simulation(Model model) : stages_(std::make_unique<Stages>(std::move(model))) {}
Simulation::~Simulation() = default;
Simulation::Simulation(const Simulation& other) : stages_(std::make_unique<Stages>(*other.stages_)) {}
Simulation& Simulation::operator=(const Simulation& other) { return *this = Simulation(other); }
Simulation::Simulation(Simulation&& other) noexcept = default;
Simulation& Simulation::operator=(Simulation&& other) noexcept = default;

const Model& Simulation::model() const { return stages_->model; }
std::string Simulation::title() const { return model().title.empty() ? model().file : model().title; }

void Simulation::set(std::string_view name, double value) {
  adjustable(stages_->model, name).set(value);
  stages_->forget();
}

const InitialConditions& Simulation::start() {
  stages_->begin();
  return stages_->start;
}

const HiddenConstraints& Simulation::hidden_constraints() {
  stages_->begin();
  return stages_->hidden;
}

const System& Simulation::system() {
  stages_->begin();
  return *stages_->system;
}

Dynamics& Simulation::dynamics() {
  stages_->begin();
  return *stages_->dynamics;
}

const std::vector<Note>& Simulation::notes() {
  Stages& s = *stages_;
  if (!s.notes) s.notes = lint(s.model, s.numbers());
  return *s.notes;
}

const Check& Simulation::check() {
  Stages& s = *stages_;
  if (s.check) return *s.check;
  s.begin();
  auto data = std::make_shared<Check::Data>();
  data->system = s.system;
  data->title = title();
  data->notes = notes();
  data->drivers = s.drivers();
  for (const Joint& joint : s.model.mechanism.joints)
    if (joint.type == JointType::revolute) data->hinges.push_back(joint.name);
  data->start = s.start.state;
  data->note = s.start.note;
  data->second_order = s.start.second_order;
  data->dof = s.dynamics->freedom() - data->second_order;
  data->formulation = s.dynamics->formulation();
  data->reason = s.dynamics->reason();
  data->mode = s.start.mode;
  data->free_positions = s.start.free_positions;
  data->free_velocities = s.start.free_velocities;
  data->reduced = find_redundancy(*s.dynamics, s.start.state);
  data->certificate = s.certify();
  if (!data->certificate->get()) throw Error(Errc::numerics, {}, data->certificate->why_not);
  data->mobility = find_mobility(*s.dynamics, s.start.state, s.start.acceleration);
  data->hidden = s.hidden;
  data->realisation = find_realisation(*s.dynamics, s.start.state, s.hidden);
  if (data->mechanism()) data->loops = loops_of(*data->mechanism(), *s.dynamics, s.start);
  const bool prescribed = data->dof == 0 || !data->reduced.dependencies.empty();
  if (prescribed && data->shape().rheonomic) data->early_end = s.early_end();
  if (data->mechanism() && !data->redundancy().dependencies.empty()) {
    if (!data->early_end) data->remedy = find_remedy(s.model, *data->certificate, data->dof);
    data->plane = plane_of(*data->mechanism(), s.start.state);
  }
  return s.check.emplace(std::move(data));
}

std::pair<double, double> Simulation::span(const RunOptions& options) {
  const Settings settings = stages_->settings(options);
  stages_->begin();
  return {stages_->start.state.t, settings.integrate.until};
}

Motion Simulation::run(const RunOptions& options) {
  Stages& s = *stages_;
  Settings settings = s.settings(options);
  s.begin();
  const auto data = s.motion(settings, s.certify()->forces, options.reactions.value());
  data->certificate = s.certify();
  CompileWhenItPays compiling(*s.system, *s.dynamics, options.compile.value(), settings.integrate, s.start.state.t);
  s.dynamics->begin_near(s.start.acceleration.vdot);  // a run before may have ended far from there
  data->summary = integrate_and_summarise(*s.dynamics, s.start.state, data->trajectory, settings.integrate);
  data->summary.dof -= s.start.second_order;
  data->formulas = compiling.evaluator();
  data->summary.formulas = data->formulas.name;
  data->summary.notes = notes();
  if (!s.start.note.empty()) data->summary.notes.push_back({{.file = s.model.file}, "the start: " + s.start.note, ""});
  s.stopwatch.note("motion");
  data->cpu = s.stopwatch.seconds();
  return Motion(data);
}

Motion Simulation::assemble(const RunOptions& options) {
  Stages& s = *stages_;
  const Settings settings = s.settings(options);
  s.begin();
  const UniqueForces unique = UndeterminedForces(*s.dynamics, s.start.state).unique(*s.system);
  const auto data = s.motion(settings, unique, options.reactions.value());
  data->trajectory.accept({s.start.state, s.start.acceleration, s.start.residuals, &s.start.mode});
  data->certificate = std::make_shared<const Certificate>();
  IntegrationResult none;
  none.outcome = Outcome::assembled;
  none.t = s.start.state.t;
  data->summary = summarise(*s.dynamics, none, data->trajectory, 0.0);
  data->formulas = compile_formulas(*s.system, Compile::never);
  data->summary.formulas = data->formulas.name;
  return Motion(data);
}

}  // namespace maggi
