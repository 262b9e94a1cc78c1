#include "integration/integrate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "integration/method/integrators.hpp"
#include "integration/run/mode_kept.hpp"
#include "integration/sink/output_grid.hpp"
#include "maggi/error.hpp"

namespace maggi {

namespace {

using integration::IntegratorEntry;

[[noreturn]] void refuse(std::string what, std::string help = "") {
  throw Error(Errc::model, {}, std::move(what), std::move(help));
}

void check_positive(const char* name, double value) {
  if (!(value > 0.0) || !std::isfinite(value))
    refuse(fmt::format("{} = {} is not a positive finite number", name, value));
}

void check_times(const State& start, const IntegrateOptions& options) {
  if (!std::isfinite(start.t)) refuse(fmt::format("the start time {} is not finite", start.t));
  if (!std::isfinite(options.until)) refuse(fmt::format("until = {} is not finite", options.until));
  if (options.until < start.t)
    refuse(fmt::format("until = {} s lies before the start at t = {} s", options.until, start.t),
           "motions are integrated forwards in time only");
  if (!(options.output >= 0.0) || !std::isfinite(options.output))
    refuse(fmt::format("output = {} is not a time between stored states", options.output), "0 stores every step");
  using integration::OutputGrid;
  if (options.output > 0.0 && OutputGrid::intervals(start.t, options.until, options.output) > OutputGrid::max_intervals)
    refuse(fmt::format("output = {} s would store more than {:.0g} states", options.output, OutputGrid::max_intervals));
}

void check_steps(const IntegrateOptions& options, const IntegratorEntry& integrator) {
  check_positive("rtol", options.rtol);
  check_positive("atol", options.atol);
  if (!(options.step >= 0.0) || !std::isfinite(options.step))
    refuse(fmt::format("step = {} is not a time step", options.step));
  if (!(options.max_step > 0.0)) refuse(fmt::format("max_step = {} is not a positive time", options.max_step));
  if (integrator.has_given_step() && options.step == 0.0)
    refuse(fmt::format("integrator = {} works with a fixed step, and none is given", integrator.name),
           "set step, e.g. step = 0.001");
  if (options.step > options.max_step)
    refuse(fmt::format("step = {} s is larger than max_step = {} s", options.step, options.max_step));
}

void check_drift(const IntegrateOptions& options, const IntegratorEntry& integrator) {
  if (!(options.alpha >= 0.0 && options.beta >= 0.0) || !std::isfinite(options.alpha + options.beta))
    refuse(fmt::format("the stabilisation rates {} and {} are not both finite and at least 0", options.alpha,
                       options.beta));
  if (options.drift == Drift::projection && !integrator.projects)
    refuse(fmt::format("drift = projection does not work with integrator = {}", integrator.name),
           "CVODE has a projection hook for BDF only, not for Adams; use cvode-bdf, dopri5, or drift = none");
  if (has_rates(options.drift) && integrator.own_equations)
    refuse(fmt::format("drift = {} does not work with integrator = {}", options.drift.name(), integrator.name),
           "its form of the equations keeps positions and velocities by itself; take projection or none");
}

void check_unknowns(const IntegrateOptions& options, const IntegratorEntry& integrator) {
  const std::string_view unknowns = options.unknowns.name(), drift = options.drift.name();
  if (options.continuity && options.unknowns != Unknowns::tangent)
    refuse(fmt::format("continuity = {} is of no use with unknowns = {}", options.continuity->name(), unknowns),
           "it says how the basis of unknowns = tangent follows the motion");
  if (options.unknowns == Unknowns::tangent && options.drift == Drift::baumgarte)
    refuse("drift = baumgarte is of no use with unknowns = tangent",
           "its terms act normal to the constraints and do not affect the tangent velocities u; take projection or pi");
  if (options.unknowns == Unknowns::independent && has_rates(options.drift))
    refuse(fmt::format("drift = {} is of no use with unknowns = independent", drift),
           "the dependent coordinates are found from the constraints, so nothing drifts; take drift = none");
  if (options.unknowns != Unknowns::velocities && integrator.own_equations)
    refuse(fmt::format("unknowns = {} does not work with integrator = {}", unknowns, integrator.name),
           "it integrates its own form of the equations; use dopri5");
}

void check_start(const Shape& shape, const State& start) {
  if (start.q.size() != shape.nq() || start.v.size() != shape.n())
    refuse(fmt::format("the start has {} positions and {} velocities, the system {} and {}", start.q.size(),
                       start.v.size(), shape.nq(), shape.n()));
  if (!start.q.allFinite() || !start.v.allFinite()) refuse("the start is not finite");
}

void check_forces(const Shape& shape, const IntegratorEntry& integrator) {
  if (integrator.ideal_only && !(shape.laws.empty() && shape.controls.empty()))
    refuse(fmt::format("integrator = {} is for ideal constraints only, but the model has the {}", integrator.name,
                       shape.laws.empty() ? fmt::format("control \"{}\"", shape.controls.front().name)
                                          : fmt::format("force law \"{}\"", shape.laws.front().name)),
           "its form of the equations knows no other forces than Cᵀλ; use dopri5 or cvode-bdf");
  if (integrator.servo_only && shape.controls.empty())
    refuse(fmt::format("integrator = {} is for servo constraints, and the model has no control", integrator.name),
           "use dopri5");
}

/// Baumgarte's terms stand in the accelerations as long as the run lasts.
class Stabilised {
 public:
  Stabilised(Dynamics& dynamics, const IntegrateOptions& options) : dynamics_(dynamics) {
    if (options.drift == Drift::baumgarte) dynamics_.stabilise(options.alpha, options.beta);
  }
  ~Stabilised() { dynamics_.stabilise(0.0, 0.0); }
  Stabilised(const Stabilised&) = delete;
  Stabilised& operator=(const Stabilised&) = delete;

 private:
  Dynamics& dynamics_;
};

}  // namespace

IntegrationResult integrate(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options) {
  const IntegratorEntry& integrator = integration::entry_of(options.integrator);
  integration::check_available(integrator, {});
  check_drift(options, integrator);
  check_unknowns(options, integrator);
  check_times(start, options);
  check_steps(options, integrator);
  check_start(dynamics.shape(), start);
  check_forces(dynamics.shape(), integrator);
  const Stabilised stabilised(dynamics, options);
  const integration::ModeKept kept(dynamics, start);
  return integrator.run(dynamics, start, sink, options);
}

}  // namespace maggi
