#include "sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/complete_system.hpp"
#include "model/numbers.hpp"
#include "start/initial_conditions.hpp"
#include "sweep/measured.hpp"
#include "sweep/prepared_run.hpp"
#include "sweep/side_by_side.hpp"
#include "system/make_system.hpp"

namespace maggi {

namespace {

/// Groups by which threads share the work: lanes take the next run when one ends, so that they wait only at the end of
/// a group; a group must not keep others waiting at the end of the sweep.
constexpr std::uint64_t largest_group = 64, groups = 64;

/// What all runs may take over from run 0, and the multipliers that are not unique there.
std::unique_ptr<sweep::SharedFormulas> share_formulas(const Model& model, const Settings& settings,
                                                      Matrix& undetermined) {
  CompleteSystem complete = complete_system(model, settings.formulation, settings.basis);
  if (complete.hidden.found.empty()) undetermined = undetermined_multipliers(*complete.dynamics, complete.start.state);
  if (model.mechanism.given() || !complete.hidden.found.empty() || !complete.hidden.unfinished.empty() ||
      !model.controls.empty() || complete.system->shape().s_a > 0 || sweep::WithNumbers::numbers_in_shape(model))
    return nullptr;
  const int rank = complete.dynamics->rank();
  complete.dynamics.reset();
  std::unique_ptr<const EquationSystem> formulas(static_cast<const EquationSystem*>(complete.system.release()));
  return std::make_unique<sweep::SharedFormulas>(sweep::SharedFormulas{std::move(formulas), rank});
}

}  // namespace

Sweep::Sweep(Model model, Design design, std::vector<Measure> measures, LaneUse lanes)
    : model_(std::move(model)), design_(std::move(design)), measures_(std::move(measures)) {
  const Settings asked = settings(model_);  // what is wrong with the model as it is written is no matter of a run
  const std::unique_ptr<System> written = make_system(model_);
  Model first = model_;
  std::vector<Adjustable> quantities = sweep::varied(first, design_);
  for (std::size_t i = 0; i < quantities.size(); ++i) quantities[i].set(design_.value(0, i));
  Matrix undetermined;
  std::unique_ptr<sweep::SharedFormulas> shared;
  try {
    shared = share_formulas(first, asked, undetermined);
  } catch (const Error&) {  // run 0 will say so; the others may do better
  }
  const Trajectory trajectory(*written, undetermined);
  if (measures_.empty()) measures_ = sweep::usual_measures(trajectory);
  const Numbers numbers(model_);
  for (const Measure& measure : measures_) {
    if (measure.kind == Measure::Kind::at) numbers(measure.time, "the time");
    const Channel& channel = trajectory.channels()[sweep::find_channel(trajectory, measure)];
    columns_.push_back({measure.text, channel.unit});
  }
  try {
    const sweep::PreparedRun run = sweep::prepare(first, measures_, shared.get());
    if (lanes != LaneUse::never) why_no_lanes_ = sweep::why_not_side_by_side(run, measures_);
    if (run.shared) shared->numbers = sweep::RunNumbers::read(model_, design_, measures_, run.shared->start());
    if (run.shared && shared->numbers) shared->settings = static_cast<const sweep::RunSettings&>(run);
    if (run.shared && why_no_lanes_.empty()) shared->in_lanes = run.settings.integrate;
  } catch (const Error& error) { why_no_lanes_ = fmt::format("run 0 cannot start: {}", error.what()); }
  if (lanes == LaneUse::never) why_no_lanes_ = "not wanted";
  if (lanes == LaneUse::always && !why_no_lanes_.empty())
    throw Error(Errc::model, {"--lanes on"}, "runs cannot be computed side by side: " + why_no_lanes_,
                "--lanes auto computes them one at a time then");
  formulas_ = std::move(shared);
}

Sweep::~Sweep() = default;

bool Sweep::in_lanes() const { return why_no_lanes_.empty(); }

std::uint64_t Sweep::group_size() const {
  if (!in_lanes()) return 1;
  constexpr std::uint64_t eight = Lanes::count;
  return std::clamp(design_.size() / groups / eight * eight, eight, largest_group);
}

}  // namespace maggi
