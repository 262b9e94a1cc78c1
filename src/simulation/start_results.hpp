#pragma once
#include <memory>
#include <string>
#include <vector>

#include "maggi/simulation.hpp"
#include "maggi/summary.hpp"
#include "results/tangent_motion.hpp"

namespace maggi {

/// What can be said of the reactions and of the tangent velocities at the start.
struct StartResults {
  explicit StartResults(Simulation& simulation);

  NamedValues forces;  ///< f along the directions of [reaction], "N", and on the points of [local], "A.x"

  // where the model asks for further reactions
  bool with_parts = false;
  struct Part {
    std::string of, along;
    double value;
    bool unique;
  };
  std::vector<Part> parts;      ///< r_j = C_jᵀλ_j, see results/reaction_parts.hpp
  NamedValues lambda_w;         ///< see resolved_reactions(); of independent rows, in this order
  std::string why_no_lambda_w;  ///< empty if they exist

  // where it asks for tangent velocities
  std::shared_ptr<const results::TangentMotion> tangent{};

 private:
  void add_parts(Simulation& simulation);
  void add_lambda_w(Simulation& simulation);
  void add_tangent(Simulation& simulation);
};

}  // namespace maggi
