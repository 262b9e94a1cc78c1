#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "integration/settings.hpp"
#include "maggi/motion.hpp"
#include "results/trajectory.hpp"
#include "simulation/certificate.hpp"
#include "system/formula_evaluator.hpp"

namespace maggi {

/// All that is known of a run.
struct Motion::Data {
  Data(std::shared_ptr<const System> of, const UniqueForces& unique, Reactions reactions,
       const results::FurtherChannels& further)
      : system(std::move(of)), trajectory(*system, unique, reactions, further) {}

  std::shared_ptr<const System> system;
  Trajectory trajectory;
  Summary summary;
  std::string title, basis;          ///< of the model; of the formulation, empty if it uses none
  std::vector<std::string> drivers;  ///< names
  Settings settings;                 ///< of the run
  Mode mode;                         ///< what was in force at the start
  FormulaEvaluator formulas;
  std::shared_ptr<const Certificate> certificate;
  std::vector<std::pair<std::string, double>> cpu;  ///< parts of the CPU time [s]

  mutable std::mutex mutex;
  mutable std::map<int, std::vector<double>> columns;  ///< channels that were asked for
};

}  // namespace maggi
