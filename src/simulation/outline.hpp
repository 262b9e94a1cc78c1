#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maggi/check.hpp"
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

/// The certificate of what is left of a model without the part for which there is none.
struct PartialCheck {
  std::string without;    ///< in words
  bool of_start = false;  ///< the values given for the start are left out
  Check check;
};

/// For a model whose check() fails: without friction, controls or the values of its start, in this order; nothing if it
/// fails all the same.
std::optional<PartialCheck> check_what_can_be(const Model& model);

}  // namespace maggi
