#pragma once
#include <optional>
#include <string>
#include <vector>

#include "maggi/model.hpp"
#include "simulation/certificate.hpp"

namespace maggi {

/// What could be changed so that no constraint is redundant and the motions stay the same.
struct Remedy {
  struct Change {
    std::string name;               ///< joint, driver, coupling or constraint
    std::optional<JointType> type;  ///< that a joint should have; nothing: it is left out
    std::vector<double> axis{};     ///< that it needs then and has not: in the world; empty: none
  };
  std::vector<Change> changes;
};

/// Each row of a change is one redundant constraint less: rows R of the null vectors Z of Cᵀ with |R| = rank Z_R = k
/// leave independent rows of the same rank. The changed model is then examined like any other; nothing if it is not
/// what it should be, or if no such rows are found.
std::optional<Remedy> find_remedy(const Model& model, const Certificate& certificate, int dof);

}  // namespace maggi
