#pragma once
#include <memory>
#include <span>

#include "analysis/reference_solution.hpp"
#include "maggi/comparison.hpp"

namespace maggi::analysis {

/// One formulation on one basis, held against reference solutions.
struct Method {
  ComparisonRow row;
  std::unique_ptr<Dynamics> dynamics;  ///< none if it refuses at the start, or has not been looked at
  bool looked_at = false, wrong_vdot = false, wrong_lambda = false;

  /// v̇ and λ at one state into the row; why there are none, or nothing.
  std::string solve_at(const ReferenceSolution& reference, const std::string& place);

 private:
  double judge_basis(const ReferenceSolution& reference);
};

/// All that are wanted. Error if a name is unknown, or bases are wanted that none of the formulations uses.
std::vector<Method> list_methods(const CompareOptions& options, const System& system);

/// Error with the nearest name if one is none of the names.
void check_known(const std::vector<std::string>& wanted, std::span<const std::string> names, const char* kind);

}  // namespace maggi::analysis
