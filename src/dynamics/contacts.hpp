#pragma once
#include "dynamics/contact_problem.hpp"
#include "dynamics/dynamics.hpp"

namespace maggi::integration {

/// Contacts with friction along a motion, as the mode of the dynamics says:
///
///     sticks      its rows are on; its force is their multiplier
///     slides      its laws have a sense
///     otherwise   no friction: nothing presses, or others hold it at rest
class Contacts {
 public:
  explicit Contacts(Dynamics& dynamics) : dynamics_(dynamics), shape_(dynamics.shape()) {}

  bool sticks(int contact, const Mode& mode) const { return mode.rows[shape_.contacts[contact].rows[0]]; }
  bool slides(int contact, const Mode& mode) const;
  bool pressed(int contact, const Mode& mode) const;  ///< is a row in force on which it rubs?
  SlidingVector velocity(int contact, const Instant& at);
  /// Speed in the sense of sliding: positive while it slides on.
  double speed(int contact, const Instant& at);
  /// How much more force a contact that sticks could bear, μ_s |N| − |τ|.
  double reserve(int contact, const Instant& at, const Acceleration& a);
  /// The power of friction on a contact that slides, and a bound of its rounding: it is never positive.
  double power(int contact, const Instant& at, const Acceleration& a, double& rounding);

  void let_all_go();  ///< the dynamics without any row by which a contact sticks
  /// In a plane the sense of sliding turns with the motion.
  void follow(const Instant& at);

 private:
  SlidingVector force(int contact, const Acceleration& a) const;
  SlidingVector velocity(int contact) const;

  Dynamics& dynamics_;
  const Shape& shape_;
};

/// Is a sliding speed zero but for the rounding of the velocities it is made of?
bool is_at_rest(const Eigen::Ref<const Vector>& sliding, const Eigen::Ref<const Vector>& v);

/// Error (numerics) if the laws do not determine the forces at this state.
void check_laws(Dynamics& dynamics, const State& at);

}  // namespace maggi::integration
