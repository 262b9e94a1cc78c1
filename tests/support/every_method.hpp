#pragma once
#include <limits>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"

namespace maggi::test {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Choice {
  std::string formulation, basis;
};

/// Every formulation, with every basis where it needs one.
std::vector<Choice> all_choices();

/// An independent way: least squares of least norm on the whole system, by complete orthogonal decomposition.
Acceleration textbook(const Equations& e);

/// v̇, the reaction, λ of least norm, and both equations, for every method on one system at one state.
void expect_agreement(const System& system, const State& state, const Equations& e, double tolerance);

}  // namespace maggi::test
