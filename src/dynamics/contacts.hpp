#pragma once
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"

namespace maggi::integration {

/// What a contact has along its sliding: one component along a line, two in a plane, three in a ball; the others are 0.
using SlidingVector = Eigen::Vector3d;

/// Which contacts stick and which slide, and in what sense.
///
///     v_t ≠ 0   slides in the sense of v_t
///     v_t = 0   sticks if the force that this takes obeys |τ| ≤ μ_s |N|, otherwise slides against that force; of
///               several that cannot stick, the one that lacks most is let go first
class Contacts {
 public:
  explicit Contacts(Dynamics& dynamics);

  bool sticks(int contact, const Mode& mode) const { return mode.rows[shape_.contacts[contact].rows[0]]; }
  SlidingVector velocity(int contact, const Instant& at);
  /// Speed in the sense of sliding: positive while it slides on.
  double speed(int contact, const Instant& at);
  /// How much more force a contact that sticks could bear, μ_s |N| − |τ|.
  double reserve(int contact, const Instant& at, const Acceleration& a);

  void let_all_go();  ///< the dynamics without any row by which a contact sticks
  /// From the speeds alone, at the start.
  Mode begin(const State& at, Mode mode);
  /// A contact has come to rest, or (`let_go`) no longer holds; those that stick are asked too.
  Mode change(int contact, bool let_go, const State& at, Mode mode);
  /// In a plane the sense of sliding turns with the motion.
  void follow(const Instant& at);

 private:
  Mode settle(const State& at, Mode mode, int let_go);
  void slide(int contact, const SlidingVector& sense, Mode& mode) const;
  void stick(int contact, Mode& mode) const;
  void turn_with_acceleration(const State& at, Mode& mode, Acceleration& a, const std::vector<int>& released);
  SlidingVector first_sense(int contact, const State& at, const Mode& mode, const SlidingVector& along);
  SlidingVector force(int contact, const Acceleration& a) const;
  SlidingVector velocity(int contact) const;
  SlidingVector acceleration(int contact, const State& at, const Acceleration& a);
  [[noreturn]] void refuse(int contact, const State& at, const std::string& why) const;

  Dynamics& dynamics_;
  const Shape& shape_;
  Matrix C_;
};

/// Is a sliding speed zero but for the rounding of the velocities it is made of?
bool is_at_rest(const Eigen::Ref<const Vector>& sliding, const Eigen::Ref<const Vector>& v);

/// The accelerations of another mode, in which the dynamics is left. Error (numerics) if there are none.
void try_mode(Dynamics& dynamics, const State& at, const Mode& mode, Acceleration& a);

/// Error (numerics) if the laws do not determine the forces at this state.
void check_laws(Dynamics& dynamics, const State& at);

}  // namespace maggi::integration
