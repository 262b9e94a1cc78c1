#pragma once
#include <memory>
#include <string>
#include <vector>

#include "maggi/sweep.hpp"
#include "sweep/prepared_run.hpp"

namespace maggi {

/// What a sweep is, found out once.
struct Sweep::Plan {
  Plan(Simulation given, Design axes, std::vector<Measure> kept)
      : model(given.model()), first(std::move(given)), design(std::move(axes)), measures(std::move(kept)) {}

  Model model;       ///< as it is written
  Simulation first;  ///< run 0; others are copies of it with their own numbers
  Design design;
  std::vector<Measure> measures;
  std::vector<Channel> columns;
  std::string why_no_lanes;
  std::unique_ptr<const sweep::SharedFormulas> formulas;  ///< to be used by every run; null: each builds its own
};

}  // namespace maggi
