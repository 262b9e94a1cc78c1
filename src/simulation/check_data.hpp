#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/hidden_constraints.hpp"
#include "analysis/mobility.hpp"
#include "analysis/servo.hpp"
#include "maggi/check.hpp"
#include "maggi/note.hpp"
#include "simulation/certificate.hpp"
#include "simulation/remedy.hpp"

namespace maggi {

/// How a motion ends before its time.
struct EarlyEnd {
  double t = 0.0;   ///< [s]
  std::string why;  ///< "at t = 1 s \"one\" and \"two\" contradict each other ..."
};

/// All that is known of a model at its start.
struct Check::Data {
  std::shared_ptr<const System> system;
  std::string title;
  std::vector<std::string> drivers;  ///< names
  std::vector<std::string> hinges;   ///< joints that are revolute
  State start;
  std::string note;               ///< on the start; empty if there is none
  int dof = 0, second_order = 0;  ///< see InitialConditions
  std::string formulation, reason;
  Mode mode;
  int free_positions = 0, free_velocities = 0;
  std::shared_ptr<const Certificate> certificate;
  Redundancy reduced;  ///< of the rows of `system`; the same as the certificate unless the model is a mechanism
  Mobility mobility;
  HiddenConstraints hidden;
  std::optional<ServoRealisation> realisation;
  std::vector<PartialMobility> loops;    ///< each by itself
  std::optional<Remedy> remedy;          ///< what would leave no constraint redundant
  std::optional<Eigen::Vector3d> plane;  ///< normal of the plane in which all bodies of a mechanism in space move
  std::optional<EarlyEnd> early_end;     ///< of a motion on which constraints act that depend on time
  std::vector<Note> notes;

  const Shape& shape() const { return system->shape(); }
  const MechanismSystem* mechanism() const { return dynamic_cast<const MechanismSystem*>(system.get()); }
  /// Whose rows the certificate is about.
  const Shape& constraints() const { return certificate->certified() ? *certificate->certified() : shape(); }
  const Redundancy& redundancy() const { return *certificate->get(); }
  bool turns_only(const std::string& joint) const;  ///< is it a revolute joint?
};

}  // namespace maggi
