#pragma once
#include <memory>
#include <vector>

#include "integration/sink/sink.hpp"
#include "maggi/expert/system.hpp"

namespace maggi::results {

/// What the forces of laws do, and whether the other constraints are ideal:
///
///     of a law            τ · (velocity along T) [W]; all laws of a contact count as one
///     of the constraints  λ · C v: zero unless constraints move or are not linear in v
///     ideality            ‖the part of M v̇ − h − T τ − B p that is not Cᵀλ‖ / ‖M v̇ − h‖ in the metric M⁻¹
class LawPower {
 public:
  explicit LawPower(const System& system);

  const std::vector<std::string>& names() const { return names_; }  ///< of laws and contacts, in the order of laws

  void evaluate(const Sample& sample);
  // of the sample evaluated last
  const Vector& of_laws() const { return of_laws_; }  ///< in the order of names()
  double of_constraints() const { return of_constraints_; }
  double ideality() const { return ideality_; }

 private:
  bool exerts(int row, const Mode* mode) const;
  void load(const Sample& sample);
  double non_ideal_part(const Acceleration& a);

  const System& system_;
  const Shape& shape_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<std::string> names_;
  std::vector<int> place_;  // in names_, by law
  Matrix M_, C_, T_, B_;
  Vector of_laws_;
  double of_constraints_ = 0.0, ideality_ = 0.0;
};

}  // namespace maggi::results
