#pragma once
#include <memory>
#include <string>
#include <vector>

#include "integration/integrate.hpp"
#include "maggi/expert/system.hpp"
#include "results/reactions.hpp"
#include "results/unique_forces.hpp"

namespace maggi::results {

/// Reactions as forces that one can point at:
///
///     force.A.x   in the local coordinates of a point, from the constraints that are written in them
///     force.N     along the directions of [reaction], from all constraints
class PhysicalForces {
 public:
  /// Error (model) if directions of [reaction] depend on each other.
  PhysicalForces(const System& system, const UniqueForces& unique);

  const std::vector<Channel>& channels() const { return channels_; }
  const std::vector<std::string>& left_out() const { return left_out_; }

  /// One value for each channel. Error (numerics) if the forces given cannot make up the reaction.
  double* evaluate(const Sample& sample, double* values);

 private:
  void choose_points(const UniqueForces& unique);
  void load(const Instant& at);
  void check(const ForceSplit& found, const State& state, const std::string& what, const std::string& help) const;

  const System& system_;
  const Shape& shape_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<Channel> channels_;
  std::vector<std::string> left_out_;
  bool points_ = false;  // channels of local coordinates
  bool all_rows_local_ = true;
  std::vector<bool> local_;  // rows written in local coordinates
  Matrix M_, C_, J_, F_;
};

}  // namespace maggi::results
