#include "analysis/all_rows.hpp"

#include <unordered_map>

#include "base/decompositions.hpp"

namespace maggi::analysis {

AllRows::AllRows(const MechanismSystem& all_joints, Dynamics& dynamics)
    : all_joints_(all_joints), dynamics_(dynamics), workspace_(all_joints.workspace()), shape_(all_joints.shape()) {
  const Shape& own = dynamics.shape();
  std::unordered_map<std::string, int> of_joints;
  for (int i = 0; i < shape_.m(); ++i) of_joints.emplace(shape_.rows[i].name, i);
  const std::vector<bool>& on = dynamics.mode().rows;
  for (int i = 0; i < own.m(); ++i) {
    const auto found = of_joints.find(own.rows[i].name);
    const bool of_joint = found != of_joints.end(), of_cut = own.rows[i].component.starts_with("cut_");
    place_.push_back(of_joint ? found->second : of_cut ? -1 : shape_.m());
    if (of_cut && !of_joint) continue;
    if (!of_joint) {
      lifted_.push_back(i);
      shape_.rows.push_back(own.rows[i]);
    }
    shape_.rows[place_.back()].active_at_start = on[i];
  }
  for (int i = 0; i < shape_.m(); ++i)
    if (shape_.rows[i].active_at_start) active_.push_back(i);
}

namespace {

/// Which rows are independent is geometry: of each body the matrix that it has with a mass of 1, so that lengths and
/// angles are compared by its radius of gyration. The bodies float: blocks of M, displacements first.
void take_unit_masses(Matrix& M, Eigen::Index of_body) {
  for (Eigen::Index first = 0; first < M.rows(); first += of_body)
    if (const double mass = M(first, first); mass > 0.0) M.middleRows(first, of_body) /= mass;
}

}  // namespace

/// γ − C v̇ of the active rows of the system.
Vector AllRows::left(const Rows& reduced, const Vector& vdot) const { return reduced.gamma - reduced.C * vdot; }

Rows AllRows::at(const State& state, const Acceleration& acceleration) {
  const Rows reduced = rows_at(dynamics_, state, acceleration);
  const Vector left_over = left(reduced, acceleration.vdot);
  const int n = shape_.n(), joints = all_joints_.shape().m();
  Matrix C = Matrix::Zero(shape_.m(), n), M(n, n);
  Vector gamma = Vector::Zero(shape_.m()), residual = Vector::Zero(shape_.m());
  all_joints_.acceleration(mechanism().absolute(state), *workspace_);
  Matrix of_joints(joints, n);
  all_joints_.shape().M.scatter(workspace_->terms.M, M);
  take_unit_masses(M, mechanism().planar() ? 3 : 6);
  all_joints_.shape().C.scatter(workspace_->terms.C, of_joints);
  C.topRows(joints) = of_joints;
  C.bottomRows(static_cast<Eigen::Index>(lifted_.size())) =
      mechanism().absolute_rows(state, acceleration, lifted_, dynamics_.workspace());
  const std::vector<int>& in_force = dynamics_.active_rows();
  for (std::size_t k = 0; k < in_force.size(); ++k) {
    const int row = place_[in_force[k]];
    if (row < 0) continue;
    gamma[row] = left_over[static_cast<Eigen::Index>(k)];
    residual[row] = reduced.residual[static_cast<Eigen::Index>(k)];
  }
  return {M, C(active_, Eigen::all), gamma(active_), residual(active_)};
}

std::vector<Rows> AllRows::nearby(const State& state) {
  const Shape& own = dynamics_.shape();
  std::vector<Rows> found;
  Acceleration a{Vector::Zero(own.n()), Vector::Zero(own.m()), Vector::Zero(own.n()), Vector::Zero(own.laws.size()),
                 Vector::Zero(own.controls.size())};
  for (const State& there : nearby_states(dynamics_, state, Speeds::nearby)) {
    const Rows reduced = rows_at(dynamics_, there, a);
    if (!reduced.C.allFinite() || !reduced.gamma.allFinite()) continue;
    Acceleration moving = a;
    if (reduced.C.size() > 0)
      moving.vdot = Eigen::CompleteOrthogonalDecomposition<Matrix>(reduced.C).solve(reduced.gamma);
    Rows rows = at(there, moving);
    if (rows.M.allFinite() && rows.C.allFinite() && rows.gamma.allFinite()) found.push_back(std::move(rows));
  }
  return found;
}

}  // namespace maggi::analysis
