#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "integration/integrate.hpp"
#include "maggi/model.hpp"
#include "model/numbers.hpp"

namespace maggi {

template <>
const ChoiceList<Further>& choice_list();

/// How a model is to be run: what Dynamics and integrate() need besides the system.
struct Settings {
  std::string formulation = "auto";
  std::string basis;                       ///< "": the default of the formulation
  std::optional<Continuity> continuity{};  ///< of the basis of tangent velocities, integrated or shown
  std::vector<Further> also{};             ///< channels besides the usual ones

  bool shows(Further channels) const { return std::ranges::count(also, channels) > 0; }
  IntegrateOptions integrate;
};

/// The [simulation] of a model as numbers, with defaults where it says nothing; the stored states are 500 by default.
/// Error with its place if the end time is missing, a value is not a finite number, or a name is unknown.
Settings settings(const Model& model, const Numbers& numbers);

/// Does the [simulation] of a model ask for these channels? Its names have passed check_names().
bool shows(const SimulationSettings& settings, Further channels);
std::optional<Continuity> continuity_of(const SimulationSettings& settings);

/// Error if a name in the [simulation] of a model is unknown, at its place or at the table.
void check_names(const Model& model);

}  // namespace maggi
