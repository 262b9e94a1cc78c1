// A run under way: one integration that waits between the times asked for, and begins again where an input changes.
#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "manifold/projection.hpp"
#include "model/adjustable.hpp"
#include "results/unique_forces.hpp"
#include "simulation/stages.hpp"
#include "simulation/stepped_integration.hpp"
#include "system/make_system.hpp"

namespace maggi {

namespace {

/// Scaled residual of a state that satisfies the constraints; the steps of an integration leave 1e-12 at most.
constexpr double on_constraints = 1e-8;

}  // namespace

struct Run::Inside final : Sink {
  Inside(const Simulation::Stages& stages, const Settings& given, UniqueForces unique_forces, Reactions which)
      : model(stages.model),
        settings(given),
        unique(std::move(unique_forces)),
        reactions(which),
        basis(stages.dynamics->basis()),
        system(stages.system),
        now{stages.start.state, stages.start.mode, 0.0, {}} {
    dynamics = std::make_unique<Dynamics>(*system, settings.formulation, settings.basis);
    here = make_channels();
    dynamics->begin_near(stages.start.acceleration.vdot);
    begin_again();
  }

  void accept(const Sample& sample) override {
    now.state = sample.state;
    if (sample.mode) now.mode = *sample.mode;
    Sample whole = sample;
    whole.work += work_before;
    now.work = whole.work;
    if (here->size() > 1) here->drop_last();  // the first is the start: energies are compared with it
    here->accept(whole);
    now.counted = here->counted();
  }
  bool follows() const override { return here->follows(); }
  void pass(const State& at) override { here->pass(at); }
  void watch(const std::vector<EventRecord>& events) override { recorded = &events; }

  /// From the present state on.
  std::unique_ptr<Trajectory> make_channels() const {
    return std::make_unique<Trajectory>(*system, unique, reactions,
                                        results::further_channels(settings, basis, now.state, now.mode));
  }

  /// From the present state on.
  void begin_again() {
    keep_events();
    integration.reset();
    work_before = now.work;
    dynamics->set_mode(now.mode);
    dynamics->decide_rows(now.state);
    integration = std::make_unique<SteppedIntegration>(*dynamics, now.state, *this, settings.integrate);
  }

  /// Other numbers from the present state on.
  void take_inputs() {
    const std::shared_ptr<System> next = with_numbers(*system, model, Numbers(model));
    check_state(*next);
    keep_events();
    integration.reset();
    dynamics = std::make_unique<Dynamics>(*next, settings.formulation, settings.basis);
    std::vector<double> counted = here->counted();
    system = next;
    here = make_channels();
    here->count_on_from(std::move(counted));
    changed = false;
    begin_again();
  }

  /// Error if the constraints with other numbers are not those of the present state.
  void check_state(const System& next) const {
    const auto workspace = next.workspace();
    const Residuals left = Projection(next).residuals(now.state, *workspace);
    const bool on_positions = left.position <= on_constraints, on_velocities = left.velocity <= on_constraints;
    if (on_positions && on_velocities) return;
    const int row = on_positions ? left.worst_velocity : left.worst_position;
    throw Error(Errc::numerics, {},
                fmt::format("with the inputs at t = {:.9g} s the present state does not satisfy \"{}\"", now.state.t,
                            row < 0 ? "the constraints" : next.shape().rows[row].name),
                "an input changes forces; set a parameter that changes lengths before the run");
  }

  /// The events so far, before the integration that records them ends.
  void keep_events() {
    const std::vector<EventRecord>& latest = events();
    if (&latest != &kept_events) kept_events = latest;
    recorded = nullptr;
  }
  const std::vector<EventRecord>& events() const {
    if (!integration) return kept_events;
    const std::vector<EventRecord>& newest = ended ? integration->result().events : recorded ? *recorded : none;
    all_events = kept_events;
    all_events.insert(all_events.end(), newest.begin(), newest.end());
    return all_events;
  }

  Model model;
  Settings settings;
  UniqueForces unique;
  Reactions reactions;
  std::string basis;  ///< of the formulation
  std::shared_ptr<const System> system;
  std::unique_ptr<Dynamics> dynamics;
  std::unique_ptr<Trajectory> here;  ///< the start and the present state
  Snapshot now;
  double work_before = 0.0;                            ///< [J] of the integrations before this one
  bool changed = false, ended = false;                 ///< inputs that wait; the run has ended
  const std::vector<EventRecord>* recorded = nullptr;  ///< by the integration that is under way
  std::vector<EventRecord> kept_events, none;          ///< of integrations before it
  mutable std::vector<EventRecord> all_events;
  std::unique_ptr<SteppedIntegration> integration;  ///< the last: it uses the others
};

Run::Run(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Run::~Run() = default;
Run::Run(Run&& other) noexcept = default;
Run& Run::operator=(Run&& other) noexcept = default;

bool Run::advance(double t) {
  Inside& run = *inside_;
  if (run.ended) return false;
  if (run.changed) run.take_inputs();
  const double to = std::min(t, run.settings.integrate.until);
  if (to <= run.now.state.t) return !(run.ended = run.now.state.t >= run.settings.integrate.until);
  run.ended = !run.integration->advance(to) || run.now.state.t >= run.settings.integrate.until;
  return !run.ended;
}

bool Run::advance(double t, const std::vector<std::pair<std::string, double>>& inputs) {
  for (const auto& [parameter, value] : inputs) set(parameter, value);
  return advance(t);
}

void Run::set(std::string_view parameter, double value) {
  Model& model = inside_->model;
  Parameter& found = find_parameter(model, parameter, {});
  Adjustable{Adjustable::Kind::parameter, found.name, found.unit, &found.value}.set(value);
  inside_->changed = true;
}

Run::Snapshot Run::snapshot() const { return inside_->now; }

void Run::restore(const Snapshot& snapshot) {
  Inside& run = *inside_;
  const Shape& shape = run.system->shape();
  if (snapshot.state.q.size() != shape.nq() || snapshot.state.v.size() != shape.n() ||
      static_cast<int>(snapshot.mode.rows.size()) != shape.m())
    throw Error(Errc::model, {}, "the snapshot is of another system", "restore() takes what snapshot() of a run gave");
  run.keep_events();
  run.integration.reset();
  std::erase_if(run.kept_events, [&](const EventRecord& event) { return event.t > snapshot.state.t; });
  run.ended = false;
  run.now = snapshot;
  run.here->count_on_from(snapshot.counted);
  run.begin_again();
}

double Run::t() const { return inside_->now.state.t; }
const State& Run::state() const { return inside_->now.state; }
const std::vector<EventRecord>& Run::events() const { return inside_->events(); }

Outcome Run::outcome() const { return inside_->ended ? inside_->integration->result().outcome : Outcome::reached_end; }

const std::string& Run::explanation() const {
  static const std::string under_way;
  return inside_->ended ? inside_->integration->result().explanation : under_way;
}

double Run::operator[](std::string_view channel) const {
  const Trajectory& here = *inside_->here;
  if (const std::optional<int> column = here.find(channel)) return here(here.size() - 1, *column);
  std::vector<std::string> names;
  for (const Channel& each : here.channels()) names.push_back(each.name);
  throw Error(Errc::model, {}, fmt::format("the run has no channel named \"{}\"", channel),
              suggest_name(std::string(channel), names));
}

Run Simulation::begin(const RunOptions& options) {
  Stages& s = *stages_;
  const Settings settings = s.settings(options);
  s.begin();
  return Run(std::make_unique<Run::Inside>(s, settings, s.certify()->forces, options.reactions.value()));
}

}  // namespace maggi
