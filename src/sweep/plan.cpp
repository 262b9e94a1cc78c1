#include "sweep/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/complete_system.hpp"
#include "maggi/error.hpp"
#include "model/numbers.hpp"
#include "results/unique_forces.hpp"
#include "sweep/lane_batch.hpp"
#include "sweep/measured.hpp"
#include "system/make_system.hpp"

namespace maggi {

namespace {

/// Groups by which threads share the work: lanes take the next run when one ends, so that they wait only at the end of
/// a group; a group must not keep others waiting at the end of the sweep.
constexpr std::uint64_t largest_group = 64, groups = 64;

/// What all runs may take over from run 0; nothing if each has to build its own equations.
std::unique_ptr<sweep::SharedFormulas> share_formulas(Simulation& first) {
  const Model& model = first.model();
  // numbers that are part of the shape are read from the model of each run, which then shares what was derived
  const bool in_shape = !model.frictions.empty() || std::ranges::any_of(model.constraints, &Constraint::one_sided);
  if (in_shape || !may_share(model, Numbers(model), first.system(), first.hidden_constraints())) return nullptr;
  const auto& formulas = dynamic_cast<const EquationSystem&>(first.system());
  auto system = std::make_shared<const EquationSystem>(formulas, formulas.parameters(), formulas.start());
  return std::make_unique<sweep::SharedFormulas>(sweep::SharedFormulas{std::move(system), first.dynamics().rank()});
}

/// The system of the model as it is written: what is wrong with it is no matter of a run.
std::shared_ptr<const System> written_system(const Model& model, const sweep::SharedFormulas* shared) {
  if (shared) return std::make_shared<const EquationSystem>(*shared->system, model, Numbers(model));
  return make_system(model);
}

std::vector<Axis> read_axes(const Model& model, const std::vector<std::string>& texts) {
  if (texts.empty())
    throw Error(Errc::model, {}, "the sweep varies nothing",
                "say what to vary, for example --over \"m=1:0.1:2\"; maggi sweep --help has more");
  std::vector<Axis> axes;
  for (const std::string& text : texts) axes.emplace_back(text, model);
  return axes;
}

std::vector<Measure> read_measures(const std::vector<std::string>& texts) {
  std::vector<Measure> measures;
  for (const std::string& text : texts) measures.emplace_back(text);
  return measures;
}

}  // namespace

Sweep::Sweep(const Simulation& simulation, const SweepOptions& options)
    : Sweep(simulation,
            Design(read_axes(simulation.model(), options.over), options.runs, options.seed, options.sampling),
            read_measures(options.keep), options.lanes) {}

Sweep::Sweep(Simulation simulation, Design design, std::vector<Measure> measures, LaneUse lanes) {
  const auto plan = std::make_shared<Plan>(std::move(simulation), std::move(design), std::move(measures));
  const Model& model = plan->model;
  const Numbers numbers(model);
  (void)settings(model, numbers);  // what is wrong with it is no matter of a run
  Simulation& first = plan->first;
  sweep::set_numbers(first, plan->design, 0);
  UniqueForces unique;
  std::unique_ptr<sweep::SharedFormulas> shared;
  try {
    if (first.hidden_constraints().found.empty()) unique = find_unique_forces(first.dynamics(), first.start().state);
    shared = share_formulas(first);
  } catch (const Error&) {  // run 0 will say so; the others may do better
  }
  const std::shared_ptr<const System> written = written_system(model, shared.get());
  const Trajectory trajectory(*written, unique);
  if (plan->measures.empty()) plan->measures = sweep::usual_measures(trajectory);
  for (const Measure& measure : plan->measures) {
    if (measure.kind == Measure::Kind::at) numbers(measure.time, "the time");
    const Channel& channel = trajectory.channels()[sweep::find_channel(trajectory, measure)];
    plan->columns.push_back({measure.text, channel.unit});
  }
  std::string& why_no_lanes = plan->why_no_lanes;
  try {
    const sweep::PreparedRun run = sweep::prepare(first, plan->measures, shared.get());
    if (lanes != LaneUse::never) why_no_lanes = sweep::why_no_lanes(run, plan->measures);
    if (run.shared) shared->numbers = sweep::RunNumbers::read(model, plan->design, plan->measures, run.shared->start());
    if (run.shared && shared->numbers) shared->settings = static_cast<const sweep::RunSettings&>(run);
    if (run.shared && why_no_lanes.empty()) shared->in_lanes = run.settings.integrate;
  } catch (const Error& error) { why_no_lanes = fmt::format("run 0 cannot start: {}", error.what()); }
  if (lanes == LaneUse::never) why_no_lanes = "not wanted";
  if (lanes == LaneUse::always && !why_no_lanes.empty())
    throw Error(Errc::model, {"--lanes on"}, "runs cannot be computed side by side: " + why_no_lanes,
                "--lanes auto computes them one at a time then");
  plan->formulas = std::move(shared);
  plan_ = plan;
}

const Model& Sweep::model() const { return plan_->model; }
const Design& Sweep::design() const { return plan_->design; }
const std::vector<Measure>& Sweep::measures() const { return plan_->measures; }
const std::vector<Channel>& Sweep::columns() const { return plan_->columns; }
const std::string& Sweep::why_no_lanes() const { return plan_->why_no_lanes; }

std::uint64_t Sweep::group_size() const {
  if (!in_lanes()) return 1;
  constexpr std::uint64_t eight = Lanes::count;
  return std::clamp(design().size() / groups / eight * eight, eight, largest_group);
}

}  // namespace maggi
