#include "results/unique_forces.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/nearby.hpp"
#include "analysis/redundancy.hpp"
#include "base/largest.hpp"
#include "dynamics/law_solutions.hpp"
#include "results/multipliers.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi {

namespace {

/// z comes out of a least-squares solve for unit rows; nearby, states satisfy the constraints to 1e-11 only, but what
/// changes there does so by 1e-3 and more, as far as these states are away.
constexpr double negligible_at_start = 1e-8, negligible_nearby = 1e-6;

/// Numbers without any relation to each other or to the model, of both signs, the same in every run.
double arbitrary(int k) { return (k % 3 == 0 ? -1.0 : 1.0) * (0.3 + std::fmod(0.6180339887498949 * (k + 1), 1.0)); }

Eigen::Index rows_of_Z(const Shape& shape) { return shape.m() + static_cast<Eigen::Index>(shape.controls.size()); }

/// Cᵀz = 0 over the active rows that have a reaction, by their own rank.
Matrix undetermined_nearby(Dynamics& dynamics, const State& state) {
  const Shape& shape = dynamics.shape();
  const Acceleration none{Vector::Zero(shape.n()), Vector::Zero(shape.m()), Vector::Zero(shape.n()),
                          Vector::Zero(shape.laws.size()), Vector::Zero(shape.controls.size())};
  const analysis::Rows rows = analysis::rows_at(dynamics, state, none);
  std::vector<int> reacting;  // of the active rows
  const std::vector<int>& active = dynamics.active_rows();
  for (std::size_t i = 0; i < active.size(); ++i)
    if (shape.rows[active[i]].has_multiplier()) reacting.push_back(static_cast<int>(i));
  const Matrix C = rows.C(reacting, Eigen::all);
  MetricFactor factor(shape.n(), std::max<int>(1, static_cast<int>(C.rows())), analysis::rank_tolerance);
  if (!C.allFinite() || !rows.M.allFinite() || !factor.compute(rows.M, C)) return Matrix(rows_of_Z(shape), 0);
  const Matrix of_reacting = open_multipliers(C, {factor.independent().begin(), factor.independent().end()},
                                              {factor.dependent().begin(), factor.dependent().end()});
  Matrix Z = Matrix::Zero(rows_of_Z(shape), of_reacting.cols());
  for (std::size_t i = 0; i < reacting.size(); ++i)
    Z.row(active[reacting[i]]) = of_reacting.row(static_cast<Eigen::Index>(i));
  return Z;
}

/// Outputs at (λ, p) and at (λ, p) + z: which are not the same?
class Comparison {
 public:
  explicit Comparison(const System& system)
      : system_(system),
        workspace_(system.workspace()),
        at_lambda_(system.shape().outputs.size()),
        at_other_(at_lambda_.size()) {
    const auto* mechanism = dynamic_cast<const MechanismSystem*>(&system);
    forces_ = mechanism ? mechanism->own_outputs() : 0;
  }

  /// Clears the entries of outputs that z changes.
  void clear_changed(const State& state, const Vector& z, double negligible, std::vector<bool>& unique) {
    constexpr int samples = 4;  // of λ and v̇: an output may be a function of them that is not linear
    for (int sample = 0; sample < samples; ++sample) {
      Acceleration a = arbitrary_acceleration(sample);
      system_.outputs(state, a, *workspace_, at_lambda_);
      a.lambda += z.head(a.lambda.size());
      a.p += z.tail(a.p.size());
      system_.outputs(state, a, *workspace_, at_other_);
      compare(negligible, unique);
    }
  }

 private:
  Acceleration arbitrary_acceleration(int sample) const {
    const Shape& shape = system_.shape();
    Acceleration a{Vector::Zero(shape.n()), Vector::Zero(shape.m()), Vector::Zero(shape.n()),
                   Vector::Zero(shape.laws.size()), Vector::Zero(shape.controls.size())};
    for (int i = 0; i < shape.n(); ++i) a.vdot[i] = arbitrary(i + 2 * sample);
    for (int i = 0; i < shape.m(); ++i) a.lambda[i] = arbitrary(3 * i + sample);
    return a;
  }

  /// Forces of joints are linear in λ, and all of them feel z: changes far below the largest are rounding. Formulas of
  /// the user are compared with their own size.
  void compare(double negligible, std::vector<bool>& unique) const {
    Largest largest_change;
    const auto change = [&](std::size_t i) { return std::abs(at_other_[i] - at_lambda_[i]); };
    for (std::size_t i = 0; i < forces_; ++i)
      if (std::isfinite(change(i))) largest_change.note(change(i));
    for (std::size_t i = 0; i < unique.size(); ++i) {
      const double size = i < forces_ ? largest_change.value() : std::abs(at_lambda_[i]) + std::abs(at_other_[i]);
      if (change(i) > negligible * size) unique[i] = false;
      if (std::isfinite(at_lambda_[i]) != std::isfinite(at_other_[i])) unique[i] = false;
    }
  }

  const System& system_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<double> at_lambda_, at_other_;
  std::size_t forces_;  // the first outputs are those of the mechanism itself
};

}  // namespace

UndeterminedForces::UndeterminedForces(Dynamics& dynamics, const State& start) {
  Matrix Z = undetermined_multipliers(dynamics, start);
  if (Z.cols() == 0) return;
  states_.push_back({start, std::move(Z), negligible_at_start});
}

void UndeterminedForces::look_nearby(Dynamics& dynamics) {
  const Shape& shape = dynamics.shape();
  if (!any() || shape.n() == 0 || shape.n() + shape.m() > most_for_certificate) return;
  for (State& state : analysis::nearby_states(dynamics, states_.front().state, analysis::Speeds::nearby)) {
    Matrix Z = undetermined_nearby(dynamics, state);
    if (Z.cols() > 0) states_.push_back({std::move(state), std::move(Z), negligible_nearby});
  }
}

UniqueForces UndeterminedForces::unique(const System& system) const {
  UniqueForces result;
  if (!any()) return result;
  const Shape& shape = system.shape();
  result.multipliers.assign(shape.m(), true);
  result.outputs.assign(shape.outputs.size(), true);
  result.controls.assign(shape.controls.size(), true);
  Comparison comparison(system);
  for (const Undetermined& each : states_)
    for (Eigen::Index k = 0; k < each.Z.cols(); ++k) {
      const Vector z = each.Z.col(k) / largest(each.Z.col(k));
      for (int i = 0; i < shape.m(); ++i)
        if (std::abs(z[i]) > 0.0) result.multipliers[i] = false;
      for (std::size_t i = 0; i < shape.controls.size(); ++i)
        if (std::abs(z[shape.m() + static_cast<Eigen::Index>(i)]) > 0.0) result.controls[i] = false;
      comparison.clear_changed(each.state, z, each.negligible, result.outputs);
    }
  return result;
}

std::string joint_of_force(const Channel& output) {
  const bool measured = output.unit == "N" || output.unit == "N m";
  if (!measured || output.name.find(".first.") != std::string::npos) return "";
  for (const char* part : {".force.", ".torque"})
    if (const std::size_t at = output.name.rfind(part); at != std::string::npos) return output.name.substr(0, at);
  return "";
}

UniqueForces find_unique_forces(Dynamics& dynamics, const State& start) {
  UndeterminedForces forces(dynamics, start);
  forces.look_nearby(dynamics);
  return forces.unique(dynamics.system());
}

}  // namespace maggi
