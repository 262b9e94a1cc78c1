#include "results/physical_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "maggi/error.hpp"
#include "results/units.hpp"
#include "system/seam/displacement.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::results {

namespace {

/// Rounding of a least-squares solve; a direction that is missing leaves far more.
constexpr double rounding = 1e-8;

/// A state around the start without any symmetry, the same in every run.
State arbitrary_state(const System& system) {
  const auto arbitrary = [](Eigen::Index k) {
    return 0.3 + std::fmod(0.6180339887498949 * static_cast<double>(k + 1), 1.0);
  };
  const Start& start = system.start();
  State state{start.t, Vector(system.shape().nq()), Vector(system.shape().n())};
  Vector x(system.shape().n());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = start.q[i].value + 0.1 * arbitrary(i);
  state.q = Displacement(system, start).q(x);
  for (Eigen::Index i = 0; i < state.v.size(); ++i) state.v[i] = start.v[i].value + arbitrary(i + 1);
  return state;
}

/// Local coordinates of which the forces are asked for: those of a mechanism are of joints, which have their reactions.
int points_of(const System& system) { return dynamic_cast<const MechanismSystem*>(&system) ? 0 : system.shape().nx(); }

}  // namespace

PhysicalForces::PhysicalForces(const System& system, const UniqueForces& unique)
    : system_(system), shape_(system.shape()), workspace_(system.workspace()) {
  const int n = shape_.n(), forces = static_cast<int>(shape_.forces.size());
  M_.resize(n, n), C_.resize(shape_.m(), n), J_.resize(shape_.nx(), n), F_.resize(n, forces);
  if (shape_.m() == 0 || points_of(system_) + forces == 0) return;
  load(arbitrary_state(system));
  choose_points(unique);
  if (forces == 0) return;
  if (distribute(M_, F_, Vector::Zero(n)).rank < forces)
    throw Error(Errc::model, shape_.forces[0].where,
                "the directions in [reaction] depend on each other, so the forces along them are not unique",
                "leave one of them out");
  for (const Channel& force : shape_.forces) channels_.push_back({"force." + force.name, force.unit});
}

/// Which rows are functions of the local coordinates, C_i = Ĉ_i J, and do these determine the forces there?
void PhysicalForces::choose_points(const UniqueForces& unique) {
  if (points_of(system_) == 0) return;
  bool any = false;
  for (int i = 0; i < shape_.m(); ++i) {
    local_.push_back(distribute(M_, J_.transpose(), C_.row(i).transpose()).rest < rounding);
    any = any || local_.back();
    all_rows_local_ = all_rows_local_ && local_.back();
  }
  const char* why = nullptr;
  if (!any)
    why = "no constraint is written in local coordinates";
  else if (distribute(M_, J_.transpose(), Vector::Zero(shape_.n())).rank < shape_.nx())
    why = "the local coordinates depend on each other";
  else if (!all_rows_local_ && !unique.all())
    why = "constraints depend on each other, and some are not written in local coordinates";
  for (const PointCoordinate& x : shape_.local) {
    if (why)
      left_out_.push_back(fmt::format("force.{} is left out: {}", x.name, why));
    else
      channels_.push_back({"force." + x.name, force_along(x.unit)});
  }
  points_ = why == nullptr;
}

void PhysicalForces::load(const Instant& at) {
  system_.acceleration(at, *workspace_);
  system_.directions(at, *workspace_);
  const Terms& terms = workspace_->terms;
  shape_.M.scatter(terms.M, M_);
  shape_.C.scatter(terms.C, C_);
  if (points_of(system_) > 0) shape_.J.scatter(terms.J, J_);
  if (!shape_.forces.empty()) shape_.F.scatter(terms.F, F_);
}

void PhysicalForces::check(const ForceSplit& found, const State& state, const std::string& what,
                           const std::string& help) const {
  if (found.rest <= rounding) return;
  throw Error(Errc::numerics, {},
              fmt::format("at t = {:.6g} s {} cannot make up the reaction: {:.2g} of it is left, most along \"{}\"",
                          state.t, what, found.rest, shape_.velocities[found.worst].name),
              help);
}

double* PhysicalForces::evaluate(const Sample& sample, double* values) {
  if (channels_.empty()) return values;
  load(sample.state);
  const auto put = [&values](const Vector& f) { values = std::copy(f.data(), f.data() + f.size(), values); };
  const bool controlled = !shape_.controls.empty();  // their forces are no reactions
  if (points_) {
    Vector r = sample.acceleration.reaction;
    if (!all_rows_local_ || !shape_.ideal()) {
      r.setZero();
      for (int i = 0; i < shape_.m(); ++i)
        if (local_[i]) r += sample.acceleration.lambda[i] * C_.row(i).transpose();
    }
    const ForceSplit found = distribute(M_, J_.transpose(), r);
    check(found, sample.state, "forces at the points of [local]", "the points coincide or are singular here");
    put(found.force);
  }
  if (!shape_.forces.empty()) {
    // with the forces of laws, without those of controls
    const Vector r = controlled ? Vector(C_.transpose() * sample.acceleration.lambda) : sample.acceleration.reaction;
    const ForceSplit found = distribute(M_, F_, r);
    check(found, sample.state, "the forces of [reaction]", "add the direction that is missing");
    put(found.force);
  }
  return values;
}

}  // namespace maggi::results
