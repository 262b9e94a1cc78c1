#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/hidden_constraints.hpp"
#include "analysis/mobility.hpp"
#include "analysis/servo.hpp"
#include "maggi/check.hpp"
#include "simulation/certificate.hpp"

namespace maggi {

/// All that is known of a model at its start.
struct Check::Data {
  std::shared_ptr<const System> system;
  std::string title;
  std::vector<std::string> drivers;  ///< names
  State start;
  std::string note;  ///< on the start; empty if there is none
  int dof = 0;
  std::string formulation, reason;
  Mode mode;
  int free_positions = 0, free_velocities = 0;
  std::shared_ptr<const Certificate> certificate;
  Redundancy reduced;  ///< of the rows of `system`; the same as the certificate unless the model is a mechanism
  Mobility mobility;
  HiddenConstraints hidden;
  std::optional<ServoRealisation> realisation;
  std::vector<PartialMobility> loops;  ///< each by itself

  const Shape& shape() const { return system->shape(); }
  const MechanismSystem* mechanism() const { return dynamic_cast<const MechanismSystem*>(system.get()); }
  /// Whose rows the certificate is about.
  const Shape& constraints() const { return certificate->certified() ? *certificate->certified() : shape(); }
  const Redundancy& redundancy() const { return *certificate->get(); }
  /// What the certificate of the joints does not know: dependencies in which drivers, couplings and other formulas have
  /// a part.
  std::vector<Dependency> beyond_joints() const;
};

}  // namespace maggi
