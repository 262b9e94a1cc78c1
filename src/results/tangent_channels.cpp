#include "results/tangent_channels.hpp"

#include <fmt/format.h>

#include "maggi/error.hpp"
#include "results/units.hpp"

namespace maggi::results {

namespace {

/// Of u: of mass-orthonormal columns √J; else that of all velocities, if they have the same.
std::string unit_of_u(const Shape& shape, const TangentMotion& motion) {
  if (motion.mass_orthonormal()) return "sqrt(J)";
  if (motion.basis() == "local" || shape.velocities.empty()) return "";
  const std::string& unit = shape.velocities.front().unit;
  for (const Channel& each : shape.velocities)
    if (each.unit != unit) return "";
  return unit;
}

}  // namespace

TangentChannels::TangentChannels(const System& system, const TangentBasis& basis, const State& start, const Mode& mode)
    : Channels("tangent"), motion_(system, basis, start, mode), mode_(mode) {
  const Shape& shape = system.shape();
  const std::string unit = unit_of_u(shape, motion_);
  const int most = motion_.most();
  for (int i = 1; i <= most; ++i) add(fmt::format("tangent.u{}", i), unit);
  for (int i = 1; i <= most; ++i) add(fmt::format("tangent.u{}'", i), per_second(unit));
  for (int i = 1; i <= most; ++i)
    for (int j = 1; j <= i; ++j) add(fmt::format("tangent.M.{}.{}", i, j), "");
  for (int i = 1; i <= most; ++i)
    add(fmt::format("tangent.h.{}", i), motion_.mass_orthonormal() ? per_second(unit) : "");
  for (int i = 1; i <= most; ++i) add(fmt::format("tangent.energy.{}", i), "J");
  add("tangent.selection", "");
  if (!motion_.mass_is_regular()) {
    leave_out("constrained and gauss are left out: the mass matrix is singular, so that M⁻¹ is no metric");
    return;
  }
  for (const Channel& along : shape.identity_rates ? shape.coordinates : shape.velocities)
    add("constrained." + along.name, "");
  add("gauss", "J/s^2");
}

double* TangentChannels::fill(SampleInUse& sample, double* values) {
  motion_.evaluate(sample->state, sample->acceleration, sample->mode ? *sample->mode : mode_);
  const int k = motion_.freedom(), most = motion_.most();
  if (k > most)
    throw Error(Errc::numerics, {},
                fmt::format("at t = {:.9g} s the constraints lose rank: {} tangent velocities in the place of {}",
                            sample->state.t, k, most),
                "leave the tangent velocities out of this run");
  const auto entries = [&](const Vector& of) {
    for (int i = 0; i < most; ++i) *values++ = i < k ? of[i] : 0.0;
  };
  entries(motion_.u());
  entries(motion_.udot());
  for (int i = 0; i < most; ++i)
    for (int j = 0; j <= i; ++j) *values++ = i < k ? motion_.M()(i, j) : 0.0;
  entries(motion_.h());
  entries(motion_.energies());
  *values++ = motion_.selections();
  if (!motion_.mass_is_regular()) return values;
  for (const double cosine : motion_.constrained()) *values++ = cosine;
  *values++ = motion_.gauss();
  return values;
}

}  // namespace maggi::results
