#pragma once
#include <memory>
#include <vector>

#include "integration/integrate.hpp"
#include "maggi/expert/system.hpp"

namespace maggi::results {

/// What there is to say about constraints that are not ideal, and whether the others are:
///
///     force.drag, contact.floor     τ of a law; 0: it sticks, ±1: it slides in this sense (in a plane 1)
///     power.drag, power.floor       τ · (speed along T) [W]
///     power.constraints             of the multipliers: zero unless constraints move or are not linear in v
///     residual.ideality             ‖what of M v̇ − h − T τ − B p is not Cᵀλ‖ / ‖M v̇ − h‖ in the metric M⁻¹
class LawChannels {
 public:
  explicit LawChannels(const System& system);

  bool any() const { return !shape_.laws.empty(); }
  std::vector<Channel> forces() const, powers() const, contacts() const;

  void evaluate(const Sample& sample);
  /// Of the sample evaluated last, in the order of the channels.
  const Vector& power() const { return power_; }
  const Vector& contact() const { return contact_; }
  double ideality() const { return ideality_; }

 private:
  bool exerts(int row, const Mode* mode) const;

  const System& system_;
  const Shape& shape_;
  std::unique_ptr<Workspace> workspace_;
  Matrix M_, C_, T_, B_;
  Vector power_, contact_;
  double ideality_ = 0.0;
};

}  // namespace maggi::results
