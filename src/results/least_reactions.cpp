#include "results/least_reactions.hpp"

#include <algorithm>

#include "base/decompositions.hpp"
#include "dynamics/law_solutions.hpp"
#include "results/unique_forces.hpp"

namespace maggi::results {

LeastReactions::LeastReactions(const MechanismSystem& system)
    : system_(system), workspace_(system.workspace()), outputs_(system.shape().outputs.size()) {
  const Shape& shape = system.shape();
  for (std::size_t i = 0; i < system.own_outputs(); ++i)
    if (!joint_of_force(shape.outputs[i]).empty()) of_joints_.push_back(static_cast<int>(i));
  std::vector<std::string> joints;
  for (const MechanismSystem::Branch& branch : system.tree()) joints.push_back(branch.joint);
  for (const MechanismSystem::Loop& loop : system.loops()) joints.push_back(loop.joint);
  for (int i = 0; i < shape.m(); ++i)
    if (std::ranges::find(joints, shape.rows[i].owner) == joints.end()) others_.push_back(i);
}

/// Of the rows in force that have a reaction of their own.
Matrix LeastReactions::undetermined(const State& state, const Mode& mode) {
  const Shape& shape = system_.shape();
  std::vector<int> rows;
  for (int i = 0; i < shape.m(); ++i)
    if (mode.rows[i] && shape.rows[i].has_multiplier()) rows.push_back(i);
  system_.acceleration(state, *workspace_);
  Matrix M(shape.n(), shape.n()), all(shape.m(), shape.n());
  shape.M.scatter(workspace_->terms.M, M);
  shape.C.scatter(workspace_->terms.C, all);
  const Matrix C = all(rows, Eigen::all);
  MetricFactor factor(shape.n(), std::max<int>(1, static_cast<int>(C.rows())));
  if (!factor.compute(M, C)) return Matrix(shape.m(), 0);
  const Matrix of_rows = open_multipliers(C, {factor.independent().begin(), factor.independent().end()},
                                          {factor.dependent().begin(), factor.dependent().end()});
  Matrix Z = Matrix::Zero(shape.m(), of_rows.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) Z.row(rows[i]) = of_rows.row(static_cast<Eigen::Index>(i));
  return Z;
}

Vector LeastReactions::wrenches(const State& state, const Acceleration& a) {
  system_.outputs(state, a, *workspace_, outputs_);
  Vector result(static_cast<Eigen::Index>(of_joints_.size() + others_.size()));
  Eigen::Index next = 0;
  for (const int i : of_joints_) result[next++] = outputs_[i];
  for (const int i : others_) result[next++] = a.lambda[i];
  return result;
}

const Acceleration& LeastReactions::of(const Sample& sample) {
  shared_ = sample.acceleration;
  if (!sample.mode) return shared_;
  const Matrix Z = undetermined(sample.state, *sample.mode);
  if (Z.cols() == 0) return shared_;
  const Vector w = wrenches(sample.state, shared_);
  Matrix W(w.size(), Z.cols());
  for (Eigen::Index k = 0; k < Z.cols(); ++k) {
    Acceleration other = sample.acceleration;
    other.lambda += Z.col(k);
    W.col(k) = wrenches(sample.state, other) - w;
  }
  shared_.lambda -= Z * Eigen::CompleteOrthogonalDecomposition<Matrix>(W).solve(w);
  return shared_;
}

}  // namespace maggi::results
