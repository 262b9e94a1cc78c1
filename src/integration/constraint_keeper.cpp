#include "integration/constraint_keeper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "maggi/base/error.hpp"
#include "maggi/base/names.hpp"

namespace maggi::integration {

namespace {
State zero_state(const Shape& shape) { return {0.0, Vector::Zero(shape.nq()), Vector::Zero(shape.n())}; }
}  // namespace

ConstraintKeeper::ConstraintKeeper(Dynamics& dynamics, bool project, Statistics& statistics)
    : dynamics_(dynamics),
      shape_(dynamics.shape()),
      projection_(dynamics.system()),
      statistics_(statistics),
      project_(project && shape_.s_p + shape_.s_v > 0),
      all_rows_(shape_.n(), shape_.m()),
      state_(zero_state(shape_)),
      failed_(zero_state(shape_)) {
  projection_.use_rows(dynamics.active_rows());
}

bool ConstraintKeeper::keep(State& state) {
  if (!project_) return true;
  ++statistics_.projections;
  if (!projection_(state, dynamics_.workspace())) {
    failed_ = state;
    return false;
  }
  statistics_.largest_correction = std::max(statistics_.largest_correction, projection_.residual_before());
  return true;
}

bool ConstraintKeeper::keep(double t, double* y) {
  if (!project_) return true;
  const auto nq = state_.q.size(), n = state_.v.size();
  state_.t = t;
  std::copy(y, y + nq, state_.q.data());
  std::copy(y + nq, y + nq + n, state_.v.data());
  if (!keep(state_)) return false;
  std::copy(state_.q.data(), state_.q.data() + nq, y);
  std::copy(state_.v.data(), state_.v.data() + n, y + nq);
  return true;
}

void ConstraintKeeper::begin(const State& start) {
  dynamics_.decide_rows(start);
  total_rank_ = dynamics_.rank();
  redundant_ = dynamics_.dependent_rows();
  if (!project_) return;
  const MetricFactor& factor = projection_.factor();
  rank_ = factor.rank();
  statistics_.distance_to_singularity = factor.distance_to_singularity();
}

bool ConstraintKeeper::steady(const Instant& at) {
  if (project_) {
    const MetricFactor& factor = projection_.factor();
    statistics_.distance_to_singularity =
        std::min(statistics_.distance_to_singularity, factor.distance_to_singularity());
    if (factor.rank() != rank_) return false;
  }
  return dynamics_.dependent_rows().empty() || same_rows() || decide_again(at);
}

bool ConstraintKeeper::near_singular() const {
  // the decision is made at tolerance τ; accelerations grow like 1/distance, so √τ is where they hurt
  return project_ && projection_.factor().distance_to_singularity() < std::sqrt(projection_.factor().tolerance());
}

/// Are the rows that the projection found dependent the ones that the dynamics leaves out?
bool ConstraintKeeper::same_rows() const {
  if (!project_ || shape_.s_a > 0) return false;  // acceleration rows are not seen by the projection
  const std::vector<int>& left_out = dynamics_.dependent_rows();
  const auto dependent = projection_.factor().dependent();
  return std::all_of(dependent.begin(), dependent.end(), [&](int i) {
    return std::find(left_out.begin(), left_out.end(), dynamics_.active_rows()[i]) != left_out.end();
  });
}

bool ConstraintKeeper::decide_again(const Instant& at) {
  try {
    dynamics_.decide_rows(at);
  } catch (const Error& error) {
    undecided_ = error.what();
    return false;
  }
  return dynamics_.rank() == total_rank_;
}

const std::string& ConstraintKeeper::row_name(int factor_row) const {
  return shape_.rows[dynamics_.active_rows()[factor_row]].name;
}

/// The rows that became dependent and those they depend on.
std::vector<std::string> ConstraintKeeper::dependency(const Matrix& C, const MetricFactor& factor) const {
  const Matrix A = factor.combinations();
  std::vector<bool> named(C.rows(), false);
  for (std::size_t d = 0; d < factor.dependent().size(); ++d) {
    const int i = factor.dependent()[d];
    if (std::find(redundant_.begin(), redundant_.end(), dynamics_.active_rows()[i]) != redundant_.end()) continue;
    named[i] = true;
    for (std::size_t k = 0; k < factor.independent().size(); ++k) {
      const int j = factor.independent()[k];
      constexpr double part = 1e-6;  // of the row that it takes part in
      if (std::abs(A(d, k)) * C.row(j).norm() > part * C.row(i).norm()) named[j] = true;
    }
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < named.size(); ++i)
    if (named[i]) names.push_back(row_name(static_cast<int>(i)));
  return names;
}

bool ConstraintKeeper::rank_lost(const Instant& at) {
  Workspace& w = dynamics_.workspace();
  dynamics_.system().acceleration(at, w);
  Matrix M(shape_.n(), shape_.n()), C(dynamics_.active_rows().size(), shape_.n());
  shape_.M.scatter(w.terms.M, M);
  RowSelection(shape_, dynamics_.active_rows()).matrix(w.terms.C, C);
  return M.allFinite() && C.allFinite() && all_rows_.compute(M, C) && all_rows_.rank() < total_rank_;
}

std::string ConstraintKeeper::explain_lost() {
  const Residuals left = residuals(failed_);
  const bool position = !(left.position < left.velocity);
  const int worst = position ? left.worst_position : left.worst_velocity;
  const double residual = position ? left.position : left.velocity;
  if (worst < 0) return fmt::format("at t = {:.9g} s the constraints cannot be met", failed_.t);
  return fmt::format(
      "at t = {:.9g} s the constraints cannot be met: \"{}\" is left with a residual of {:.2g} at {} level", failed_.t,
      shape_.rows[worst].name, residual, position ? "position" : "velocity");
}

std::string ConstraintKeeper::explain_singular(const Instant& at) {
  if (!undecided_.empty()) return fmt::format("at t = {:.9g} s: {}", at.t, undecided_);
  const MetricFactor& factor = projection_.factor();
  if (!project_ || factor.rank() == rank_)
    return fmt::format("at t = {:.9g} s the rank of the constraints changes from {} to {}: singular configuration",
                       at.t, total_rank_, dynamics_.rank());
  if (factor.rank() > rank_)
    return fmt::format(
        "the rank of the constraints rises from {} to {} by t = {:.9g} s: the start is a singular "
        "configuration, from which more than one motion leads",
        rank_, factor.rank(), at.t);
  return explain_rank_lost(at);
}

std::string ConstraintKeeper::explain_rank_lost(const Instant& at) {
  rank_lost(at);
  Matrix C(dynamics_.active_rows().size(), shape_.n());
  RowSelection(shape_, dynamics_.active_rows()).matrix(dynamics_.workspace().terms.C, C);
  const std::vector<std::string> names = dependency(C, all_rows_);
  return fmt::format("at t = {:.9g} s the {} {} become{} dependent: singular configuration", at.t,
                     names.size() == 1 ? "row" : "rows", list_names(names), names.size() == 1 ? "s" : "");
}

std::string ConstraintKeeper::explain_near_singular(double t) const {
  const MetricFactor& factor = projection_.factor();
  return fmt::format(
      "at t = {:.9g} s the row \"{}\" is nearly dependent on the others (it stands out of their span by {:.2g}): "
      "singular configuration",
      t, row_name(factor.independent().back()), factor.distance_to_singularity());
}

}  // namespace maggi::integration
