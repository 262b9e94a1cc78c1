#include "integration/integrate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "base/names.hpp"
#include "integration/method/integrators.hpp"
#include "integration/run/mode_kept.hpp"
#include "integration/sink/output_grid.hpp"
#include "maggi/error.hpp"

namespace maggi {

namespace {

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

void check_steps(const IntegrateOptions& options) {
  check_positive("rtol", options.rtol);
  check_positive("atol", options.atol);
  if (!(options.step >= 0.0) || !std::isfinite(options.step))
    refuse(fmt::format("step = {} is not a time step", options.step));
  if (!(options.max_step > 0.0)) refuse(fmt::format("max_step = {} is not a positive time", options.max_step));
  if ((options.integrator == "rk4" || options.integrator == "projected-bdf") && options.step == 0.0)
    refuse(fmt::format("integrator = {} works with a fixed step, and none is given", options.integrator),
           "set step, e.g. step = 0.001");
  if (options.step > options.max_step)
    refuse(fmt::format("step = {} s is larger than max_step = {} s", options.step, options.max_step));
}

void check_drift(const IntegrateOptions& options) {
  if (!(options.alpha >= 0.0 && options.beta >= 0.0) || !std::isfinite(options.alpha + options.beta))
    refuse(fmt::format("the stabilisation rates {} and {} are not both finite and at least 0", options.alpha,
                       options.beta));
  const auto names = drift_names();
  if (std::find(names.begin(), names.end(), options.drift) == names.end())
    refuse(fmt::format("no drift control is named \"{}\"", options.drift), suggest_name(options.drift, names));
  if (options.integrator == "cvode-adams" && options.drift == "projection")
    refuse("drift = projection does not work with integrator = cvode-adams",
           "CVODE has a projection hook for BDF only, not for Adams; use cvode-bdf, dopri5, or drift = none");
}

void check_unknowns(const IntegrateOptions& options) {
  const auto names = unknowns_names();
  if (std::find(names.begin(), names.end(), options.unknowns) == names.end())
    refuse(fmt::format("no unknowns are named \"{}\"", options.unknowns), suggest_name(options.unknowns, names));
  if (!options.continuity.empty() && options.unknowns != "tangent")
    refuse(fmt::format("continuity = {} is of no use with unknowns = {}", options.continuity, options.unknowns),
           "it says how the basis of unknowns = tangent follows the motion");
  if (options.unknowns == "tangent" && options.drift == "baumgarte")
    refuse("drift = baumgarte is of no use with unknowns = tangent",
           "it corrects accelerations off the constraints, of which u sees nothing; take projection or pi");
  if (options.unknowns == "independent" && (options.drift == "baumgarte" || options.drift == "pi"))
    refuse(fmt::format("drift = {} is of no use with unknowns = independent", options.drift),
           "the dependent coordinates are found from the constraints, so nothing drifts; take drift = none");
  if (options.integrator != "ida" && options.integrator != "projected-bdf") return;
  if (options.unknowns != "velocities")
    refuse(fmt::format("unknowns = {} does not work with integrator = {}", options.unknowns, options.integrator),
           "it integrates its own form of the equations; use dopri5");
  if (options.drift == "baumgarte" || options.drift == "pi")
    refuse(fmt::format("drift = {} does not work with integrator = {}", options.drift, options.integrator),
           "its form of the equations keeps positions and velocities by itself; take projection or none");
}

void check_start(const Shape& shape, const State& start) {
  if (start.q.size() != shape.nq() || start.v.size() != shape.n())
    refuse(fmt::format("the start has {} positions and {} velocities, the system {} and {}", start.q.size(),
                       start.v.size(), shape.nq(), shape.n()));
  if (!start.q.allFinite() || !start.v.allFinite()) refuse("the start is not finite");
}

void check_laws_known(const Shape& shape, const IntegrateOptions& options) {
  if (options.integrator != "ida" || shape.laws.empty()) return;
  refuse(fmt::format("integrator = ida is for ideal constraints, but the model has the law \"{}\"",
                     shape.laws.front().name),
         "its form of the equations knows no other forces than Cᵀλ; use dopri5 or cvode-bdf");
}

/// Baumgarte's terms stand in the accelerations as long as the run lasts.
class Stabilised {
 public:
  Stabilised(Dynamics& dynamics, const IntegrateOptions& options) : dynamics_(dynamics) {
    if (options.drift == "baumgarte") dynamics_.stabilise(options.alpha, options.beta);
  }
  ~Stabilised() { dynamics_.stabilise(0.0, 0.0); }
  Stabilised(const Stabilised&) = delete;
  Stabilised& operator=(const Stabilised&) = delete;

 private:
  Dynamics& dynamics_;
};

}  // namespace

std::span<const std::string> integrator_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const integration::NamedIntegrator& integrator : integration::integrators()) all.emplace_back(integrator.name);
    return all;
  }();
  return names;
}

std::span<const std::string> available_integrators() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const integration::NamedIntegrator& integrator : integration::integrators())
      if (integrator.run) all.emplace_back(integrator.name);
    return all;
  }();
  return names;
}

std::span<const std::string> drift_names() {
  static const std::vector<std::string> names{"projection", "baumgarte", "pi", "none"};
  return names;
}

std::span<const std::string> unknowns_names() {
  static const std::vector<std::string> names{"velocities", "tangent", "independent"};
  return names;
}

IntegrationResult integrate(Dynamics& dynamics, const State& start, Sink& sink, const IntegrateOptions& options) {
  const integration::Integrator integrator = integration::find_integrator(options.integrator, {});
  check_drift(options);
  check_unknowns(options);
  check_times(start, options);
  check_steps(options);
  check_start(dynamics.shape(), start);
  check_laws_known(dynamics.shape(), options);
  const Stabilised stabilised(dynamics, options);
  const integration::ModeKept kept(dynamics, start);
  return integrator(dynamics, start, sink, options);
}

}  // namespace maggi
