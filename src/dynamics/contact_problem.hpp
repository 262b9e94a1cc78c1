#pragma once
#include <vector>

#include "basis/metric_factor.hpp"
#include "maggi/expert/system.hpp"

namespace maggi {

/// What a contact has along its sliding: one component along a line, two in a plane, three in a ball; the others are 0.
using SlidingVector = Eigen::Vector3d;

/// What is asked at one instant: rows that are in force in any case, rows that may press, contacts with friction.
struct ContactQuestion {
  struct Rub {
    int contact = 0;
    bool slides = false;                          ///< it has a sliding velocity
    SlidingVector sense = SlidingVector::Zero();  ///< its direction
  };

  std::vector<int> hold;   ///< rows with a reaction of their own, in force in any case
  std::vector<int> servo;  ///< rows that controls keep
  std::vector<int> touch;  ///< one-sided rows without gap that do not part
  std::vector<Rub> rubs;   ///< contacts with friction, one after the other

  bool empty() const { return touch.empty() && rubs.empty(); }
};

/// The equations of one instant on the motions that the rows in force in any case allow, as functions of all other
/// forces x: controls, force laws, one-sided rows, friction.
///
///     M v̇ = h + C_Eᵀ λ_E + G x,   C_E v̇ = γ_E       gives   v̇ = v̇₀ + V x,   λ = λ₀ + Λ x
///     rates of servo rows, one-sided rows and sliding       r = C v̇ − γ = b + W x
///
/// Forces and rows are scaled so that their directions have unit length in the metric of the mass matrix; `size` is
/// that of the given forces and accelerations there. Everything that is compared with zero is a fraction of it, so that
/// units do not matter. One instant may also be an impact: velocities take the place of accelerations, impulses that of
/// forces.
class ContactProblem {
 public:
  /// A contact: `size` entries of x and of r from `force` and `rate` on.
  struct Rub {
    int contact, force, rate, size;
    bool slides;
    SlidingVector sense;
    std::vector<int> stops;  ///< one-sided rows that press it, of `touch`
    bool always;             ///< is it pressed by a row in force in any case?
    bool held;               ///< rows in force in any case, or kept by controls, prescribe how it moves
  };

  /// Bounds of friction μ N and μ_s N, linearised at some forces: bound = at_zero + by_x x; and the force laws.
  struct Bounds {
    Vector at_zero, hold;  ///< rubs; hold: μ_s N at these forces
    Vector ratio;          ///< rubs: μ_s / μ; 1 in an impact
    Matrix by_x;           ///< rubs × forces
    Vector law;            ///< laws that are no friction: law + by x x = 0
    Matrix law_by_x;
  };

  ContactProblem(const System& system, Workspace& w);

  /// Rows that are nonlinear in v̇ are linearised at `near`. Error (model) if there is an admissible motion without
  /// inertia.
  void pose(const ContactQuestion& question, const State& at, const Vector& near);
  /// An impact: the velocities after it take the place of the accelerations, impulses that of forces. Controls and laws
  /// that are no friction take no part. The rows are linearised at `at`.
  void pose_impact(const ContactQuestion& question, const State& before, const State& at);

  bool nonlinear() const { return nonlinear_; }  ///< in v̇: the answer is exact if it is `near`
  int forces() const { return static_cast<int>(W.cols()); }
  int servo_rows() const { return servo_; }
  int controls() const { return impact_ ? 0 : static_cast<int>(shape_.controls.size()); }
  int laws() const { return impact_ ? 0 : static_cast<int>(laws_.size()); }
  int stops() const { return static_cast<int>(stop_rows.size()); }
  int first_law() const { return controls(); }
  int first_stop() const { return controls() + laws(); }
  int first_stop_rate() const { return servo_; }

  const std::vector<int>& rows_that_press(std::size_t rub) const { return shape_.contacts[rubs[rub].contact].pressed; }

  Vector lambda(const Vector& x) const { return lambda0_ + Lambda_ * x; }
  Vector tau(const Vector& x) const { return Tau_ * x; }
  Vector vdot(const Vector& x) const { return vdot0_ + V_ * x; }
  Vector rates(const Vector& x) const { return b + W * x; }
  /// The motion in the metric: its length is comparable with `size`.
  Matrix in_metric(const Matrix& changes_of_x) const { return Y_ * changes_of_x; }

  /// Rows in force in any case that are independent of each other; λ of the others is 0.
  const std::vector<int>& independent() const { return hold_; }
  double rate_scale(int k) const { return rate_scale_[k]; }  ///< what rates are divided by

  /// At given multipliers and forces of laws.
  void find_bounds(const Vector& lambda, const Vector& tau, Bounds& bounds);

  Matrix W;
  Vector b;
  double size = 0.0;
  std::vector<int> stop_rows;
  std::vector<Rub> rubs;

 private:
  void scale_and_count(const ContactQuestion& question);
  void eliminate();
  double size_of_laws();
  void find_held(const ContactQuestion& question);

  const System& system_;
  const Shape& shape_;
  Workspace& w_;
  State at_;
  bool impact_ = false, nonlinear_;
  int servo_ = 0;
  std::vector<int> laws_;  // that are no friction
  Vector force_scale_;     // x = scale · force
  Vector rate_scale_;
  Matrix M_, C_, G_, R_;  // C: of all rows; G: n × forces; R: rates × n, scaled
  Vector h_, gamma_;
  std::vector<int> hold_;  // independent
  Vector vdot0_, lambda0_;
  Matrix V_, Lambda_, Tau_, Y_;
};

}  // namespace maggi
