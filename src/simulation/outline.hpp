#pragma once
#include <memory>
#include <string>
#include <vector>

#include "maggi/expert/system.hpp"
#include "maggi/model.hpp"

namespace maggi {

/// What can be said of a model without a consistent start: its counts at the guess, where constraints may be violated.
///
///     degrees of freedom = n − rank C at the guess, over the rows that are active at the start
struct Outline {
  /// Error if the model is wrong.
  explicit Outline(const Model& model);

  std::string title;
  std::shared_ptr<const System> system;
  int rank = 0, dof = 0;
  int given_positions = 0, given_velocities = 0;  ///< by the model
};

}  // namespace maggi
