#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "maggi/expert/derivatives.hpp"
#include "maggi/expert/interval.hpp"
#include "maggi/expert/linear.hpp"
#include "maggi/expert/recursion.hpp"
#include "maggi/expert/shape.hpp"
#include "maggi/state.hpp"

namespace maggi {

/// A state seen through pointers: integrators keep q and v in their own memory.
struct Instant {
  double t;
  const double* q;
  const double* v;

  Instant(double time, const double* positions, const double* velocities) : t(time), q(positions), v(velocities) {}
  Instant(const State& state) : t(state.t), q(state.q.data()), v(state.v.data()) {}  // NOLINT
};

/// The values of a system at one instant, in the patterns of its shape. Each member says which call fills it.
struct Terms {
  // position(), velocity(), acceleration()
  Vector M;  ///< mass matrix, packed
  Vector C;  ///< constraint matrix ∂(f_q N v)/∂v, ∂φ/∂v, ∂ψ/∂v̇, packed; position() fills the rows of position level
             ///< only, velocity() those of position and velocity level
  // position()
  Vector f;  ///< s_p        f(q,t)
  // velocity()
  Vector phi;  ///< s_p+s_v    f_q N v + f_t, then φ(q,v,t)
  // acceleration()
  Vector h;      ///< n          all forces except reactions
  Vector gamma;  ///< m          right side of C v̇ = γ; nonlinear rows: of their linearisation at the v̇ given
  Vector J;      ///< packed     ẋ = J v of the local coordinates; velocity() too
  Vector T;      ///< packed     directions of the forces of laws
  Vector B;      ///< packed     directions of the controls
  // directions()
  Vector F;  ///< packed     what a unit of each force of the user does
  // nonlinear_rows()
  Vector psi;        ///< s_a        ψ(q,v,v̇,t) at the given v̇
  Vector curvature;  ///< n × n, packed as M: Σ_a λ_a ∂²ψ_a/∂v̇²
  // laws()
  Vector law;           ///< laws       law(λ, τ, q, v, t) = 0
  Matrix law_gradient;  ///< laws × (m + laws)  ∂law/∂(λ, τ)
  Vector hold;          ///< contacts   the largest force that sticking can bear, μ_s |N|
  Vector coefficient;   ///< contacts   μ of sliding
  // rates()
  Vector Mdot, Cdot, Jdot;  ///< time derivatives along the motion, packed as M, C and J
};

/// What a caller owns to have a system evaluated: the terms and the system's own scratch memory.
/// One per thread; made by System::workspace().
struct Workspace {
  virtual ~Workspace() = default;
  Terms terms;
  /// false: M may be left as it is, and by acceleration() C as well; a Recursion has no use for them.
  bool matrices = true;
};

/// What the user says about the start; what is not given is found.
struct Start {
  struct Value {
    double value = 0.0;    ///< given, or where the search begins
    bool given = false;    ///< kept as it is
    bool guessed = false;  ///< the user gave a guess
    double weight = 1.0;  ///< of a change: least in Σ √(w_i w_j) M_ij δ_i δ_j; ∞: only where it has to, and then 1
    Where where{};        ///< of the value given
  };
  double t = 0.0;
  /// n_q: the values of q are displacements from here, one for each velocity, q(t₀) = origin moved by q. Empty if
  /// q̇ = v: they are the coordinates themselves.
  Vector origin;
  /// n: the displacements of the configuration in which the model is given, where its constraints are meant to hold;
  /// empty if there is no such configuration. A start far from it is reached continuously where possible.
  Vector reference;
  std::vector<Value> q, v;                    ///< n, n
  std::vector<Value> vdot, lambda, reaction;  ///< n, m, n: values given; empty if there are none
};

struct Energy {
  double kinetic = 0.0;    ///< [J]
  double potential = 0.0;  ///< [J]
  /// v·∂T/∂v − T + V [J]: kinetic + potential when T is quadratic in v; conserved whenever Shape::energy_changes is
  /// empty.
  double total = 0.0;
  /// [W] of the generalised forces and of what depends on time: d total/dt = power + reaction · v, with the reaction of
  /// Acceleration.
  double power = 0.0;
};

/// A model at (q, v, t). Everything to the left knows mechanics, everything to the right knows only this.
///
///     M(q,t) v̇ = h(q,v,t) + Cᵀλ + T τ + B p      C v̇ = γ      q̇ = N(q) v      law(λ, τ, q, v, t) = 0
///
///     rows by level:   position f(q,t)         C = f_q N     γ = −d/dt(f_q N) v − d/dt(f_t)
///                      velocity φ(q,v,t)       C = φ_v       γ = −φ_q N v − φ_t
///                      acceleration ψ(q,v,v̇,t) C = ψ_v̇      γ = C v̇ − ψ
///
/// Sign: the constraints act on the system with the force +Cᵀλ. The shape is fixed at construction. Evaluation is
/// const, allocates nothing and writes only into the workspace given: threads share a system, each with its own
/// workspace.
class System {
 public:
  virtual ~System() = default;

  virtual const Shape& shape() const = 0;
  virtual const Start& start() const = 0;
  virtual std::unique_ptr<Workspace> workspace() const = 0;
  /// A way to solve the equations that knows where they come from; none if there is nothing better than matrices.
  virtual std::unique_ptr<Recursion> recursion() const { return nullptr; }

  virtual void position(const Instant& at, Workspace& w) const = 0;  ///< f, M, C of the position rows
  virtual void velocity(const Instant& at, Workspace& w) const = 0;  ///< φ, M, C of the position and velocity rows
  virtual void acceleration(const Instant& at,
                            Workspace& w) const = 0;  ///< M, h, C, γ, J, T, B; nonlinear rows at v̇ = 0
  /// ψ of all acceleration rows, C and γ of the nonlinear ones linearised at vdot, and Σ λ ∂²ψ/∂v̇².
  virtual void nonlinear_rows(const Instant& at, const double* vdot, const double* lambda, Workspace& w) const = 0;
  /// law, law_gradient, hold, coefficient. `sense` is the direction of sliding: ±1 for each law, the components of a
  /// unit vector for the two of a contact in a plane, 0: not in force, law = τ. Laws that are no friction have no use
  /// for it.
  virtual void laws(const Instant& at, const double* lambda, const double* tau, const double* sense,
                    Workspace& w) const = 0;
  /// Ṁ, Ċ, J̇ along the motion; vdot enters through rows whose C depends on v.
  virtual void rates(const Instant& at, const double* vdot, Workspace& w) const = 0;
  virtual void directions(const Instant& /*at*/, Workspace& /*w*/) const {}  ///< F, if the shape has forces
  virtual Energy energy(const Instant& at, Workspace& w) const = 0;
  virtual void outputs(const Instant& at, const Acceleration& a, Workspace& w, std::span<double> values) const = 0;
  /// The functions whose zeros are the events of the shape.
  virtual void events(const Instant& /*at*/, const Acceleration& /*a*/, Workspace& /*w*/,
                      std::span<double> /*values*/) const {}

  /// The derivatives of φ; what w holds afterwards is not defined, here and below.
  virtual void velocity_derivatives(const Instant& at, Workspace& w, Derivatives& d) const = 0;
  /// The derivatives of balance, rows and law by q and v, at the v̇, λ, τ and p given; a vector without entries stands
  /// for zeros. `sense`: as for laws(); without entries no friction is in force.
  virtual void acceleration_derivatives(const Instant& at, const Acceleration& held, const Vector& sense, Workspace& w,
                                        Derivatives& d) const = 0;
  /// The derivatives of all of them by some parameters, `which` of Shape::parameters. Error (model) with the name of
  /// the one by which there is no derivative.
  virtual void parameter_derivatives(const Instant& at, const Acceleration& held, const Vector& sense,
                                     const std::vector<int>& which, Workspace& w, Derivatives& d) const = 0;

  /// Bounds of a row over a box of states, f or (Level::velocity) φ: a value outside is not taken anywhere in the box.
  /// Everything if the system cannot tell.
  virtual Interval bounds(int row, Level level, double t, std::span<const Interval> q, std::span<const Interval> v,
                          const Workspace& w) const;

  /// q̇ = N(q) v. N is affine in q, and its columns are orthogonal.
  virtual void coordinate_rates(const double* q, const double* v, double* qdot) const = 0;
  virtual void move(double* q, const double* delta) const = 0;  ///< q ← q + N(q) δ
  /// The velocity of q = move(q₀, δ) while δ changes: v = Θ(δ) δ̇, whatever q₀; Θ(0) = 1. May not be called in place.
  virtual void move_rates(const double* delta, const double* rate, double* v) const = 0;

  /// Where the points of the scene are, how large its circles, the frames of its bodies.
  virtual void drawing(const Instant& /*at*/, Workspace& /*w*/, std::span<double> /*values*/) const {}
};

/// The first value that is not a finite number, in words: "M[x1, x3]", "the force on \"x2\"", "constraint \"guide\"".
/// Empty if all that acceleration() fills is finite.
std::string first_not_finite(const Shape& shape, const Terms& terms);

}  // namespace maggi
