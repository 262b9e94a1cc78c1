#pragma once
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/complete_system.hpp"
#include "integration/settings.hpp"
#include "maggi/simulation.hpp"
#include "simulation/certificate.hpp"
#include "simulation/check_data.hpp"
#include "simulation/motion_data.hpp"
#include "simulation/stopwatch.hpp"

namespace maggi {

/// The stages of a simulation, each computed once. Copies share what is const; each has its own Dynamics.
struct Simulation::Stages {
  /// Error as validate().
  explicit Stages(Model given);
  Stages(const Stages& other)
      : model(other.model),
        known_numbers(other.known_numbers),
        before(other.before),
        system(other.system),
        start(other.start),
        hidden(other.hidden),
        certificate(other.certificate),
        check(other.check),
        notes(other.notes) {}
  Stages& operator=(const Stages&) = delete;

  Model model;                           ///< it has passed validate(); set() changes numbers only
  std::optional<Numbers> known_numbers;  ///< not asked for yet
  std::optional<DerivedBefore> before;   ///< of the last system, for other numbers
  std::shared_ptr<System> system;        ///< null: not made yet
  std::unique_ptr<Dynamics> dynamics;    ///< null: not made yet, by this copy
  InitialConditions start;
  HiddenConstraints hidden;
  std::shared_ptr<const Certificate> certificate;
  std::optional<Check> check;
  std::optional<std::vector<Note>> notes;
  Stopwatch stopwatch;

  using Number = std::optional<double>;
  template <class Enum>
  using Chosen = std::optional<Choice<Enum>>;
  using SettingsKey = std::tuple<Number, Number, Number, Number, Number, Chosen<Integrator>, Chosen<Drift>,
                                 Chosen<Unknowns>, Chosen<Continuity>, std::optional<std::vector<Choice<Further>>>>;
  std::optional<std::pair<SettingsKey, Settings>> settings_kept;  ///< of the options that were asked for last

  const Numbers& numbers();
  /// The system and its start. Error as complete_system().
  void begin();
  /// The certificate of the start; one that could not be computed says why.
  const std::shared_ptr<const Certificate>& certify();
  std::vector<std::string> drivers() const;  ///< names
  /// The [simulation] of the model with the options in its place, read once for the same options.
  Settings settings(const RunOptions& options);
  /// A motion without states.
  std::shared_ptr<Motion::Data> motion(const Settings& settings, const UniqueForces& unique, Reactions reactions);
  Settings read_settings(const RunOptions& options);
  /// How the motion from the start ends before its time; nothing: it does not, or not in the first steps, at most
  /// 2000 and fewer the larger the system is.
  std::optional<EarlyEnd> early_end() const;
  void forget();  ///< a number of the model has changed: start and later are dropped
};

}  // namespace maggi
