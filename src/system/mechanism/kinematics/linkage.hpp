#pragma once
#include <vector>

#include "maggi/expert/linear.hpp"
#include "model/joint_entries.hpp"
#include "system/mechanism/kinematics/space.hpp"

namespace maggi::mechanism {

/// A frame that moves relative to its parent with one simple freedom; a joint with several has several links, of which
/// the last carries the body.
template <class Space>
struct Link {
  int parent = -1;
  Freedom freedom = Freedom::none;
  int axis = Space::axes - 1;        ///< slide, turn: 0 x, 1 y, 2 z of the frame
  double sign = 1.0;                 ///< −1: the joint is passed from its second body to its first
  typename Space::Real pitch = 0.0;  ///< of a turn: advance along the axis [m/rad]
  Pose<Space> joined;                ///< the frame in that of the parent, at rest
  typename Space::Rotation own{};    ///< of a ball: axes of its velocities, in the frame that the second body carries
  int q = 0, v = 0;                  ///< its first coordinate and velocity
  int velocities = 0;
  int turn = 0;  ///< its number among the links that turn

  bool carries_body = false;
  typename Space::Real m = 0.0;  ///< body: mass, mass centre and moment of inertia about that, in the frame of the link
  typename Space::Linear c = Space::Linear::Zero();
  typename Space::Rotational I = typename Space::Rotational(Space::of_point(Space::Linear::Zero()));
};

/// What is known of every link and every velocity at one instant. The origin is any point at rest: what comes out does
/// not depend on it, and rounding least where it is near the bodies.
template <class Space>
struct LinkState {
  std::vector<typename Space::Real> angle, cosine, sine;  ///< per link that turns
  std::vector<Pose<Space>> pose;                          ///< positions relative to the origin
  std::vector<typename Space::Linear> centre;             ///< mass centre of the body of a link
  std::vector<typename Space::Rotational> turned;         ///< its moment of inertia about that, in the world frame
  std::vector<Motion<Space>> S, Sdot;                 ///< per velocity: V = Σ S v over the links below, and its rate
  std::vector<Motion<Space>> V, A;                    ///< velocity; acceleration at v̇ = 0, less gravity
  std::vector<Inertia<Space>> inertia, inertia_rate;  ///< of the link and all that it carries
  std::vector<Wrench<Space>> force;                   ///< on a link and all that it carries
  std::vector<Wrench<Space>> momentum;                ///< per velocity: inertia · S
};

/// A tree of links: link 0 is the ground, parents come first, velocities are numbered link by link.
///
///     V = V_parent + S v          Ṡ = V × S            A = A_parent + S v̇ + Ṡ v
///     M_jk = S_k · I S_j          I: all that link j carries;  zero unless one carries the other
///     h_j  = −S_j · Σ (I A + V × I V − F)              at v̇ = 0, summed over what link j carries
template <class Space>
class Linkage {
 public:
  using Real = typename Space::Real;
  std::vector<Link<Space>> links{Link<Space>{}};
  typename Space::Linear origin = Space::Linear::Zero();           ///< in the frame of the reference configuration
  typename Space::Linear origin_in_model = Space::Linear::Zero();  ///< the same point in the coordinates of the model
  typename Space::Linear gravity = Space::Linear::Zero();

  int add(Link<Space> link) { return links.push_back(std::move(link)), static_cast<int>(links.size()) - 1; }
  void finish();  ///< after the last link

  int n() const { return n_; }
  /// Velocities that move link i, in increasing order.
  const std::vector<int>& moving(int i) const { return moving_[i]; }
  int link_of(int velocity) const { return link_of_[velocity]; }

  LinkState<Space> state() const;
  void positions(const Real* q, LinkState<Space>& s) const;                          ///< pose, centre, turned, S
  void velocities(const Real* v, LinkState<Space>& s) const;                         ///< V, Sdot
  void accelerations(const Real* v, const double* vdot, LinkState<Space>& s) const;  ///< A; vdot may be null: 0

  void mass_matrix(LinkState<Space>& s, Vector& M) const;
  void mass_matrix_rate(LinkState<Space>& s, Vector& M, Vector& Mdot) const;
  /// force: what accelerates each link alone, I A + V × I V, with gravity; A must be known.
  void inertia_forces(LinkState<Space>& s) const;
  /// pose, centre, turned, S, V, A and force at v̇ = 0, in one go.
  void motion(const double* q, const double* v, LinkState<Space>& s) const;
  /// Sums `force` over what each link carries; what resists each velocity then: S · force.
  void carry(LinkState<Space>& s) const;
  void carry(LinkState<Space>& s, Eigen::Matrix<Real, Eigen::Dynamic, 1>& resistance) const;
  double kinetic(const LinkState<Space>& s) const;
  double potential(const LinkState<Space>& s) const;  ///< of gravity

 private:
  void find_turns(const Real* q, LinkState<Space>& s) const;  ///< angle, cosine, sine
  void place(std::size_t i, const Real* q, LinkState<Space>& s) const;
  void set_moving(std::size_t i, const Real* v, LinkState<Space>& s) const;
  void accelerate(std::size_t i, const Real* v, const double* vdot, LinkState<Space>& s) const;
  void load(std::size_t i, LinkState<Space>& s) const;
  Inertia<Space> inertia(int i, const LinkState<Space>& s) const;
  Inertia<Space> inertia_rate(int i, const LinkState<Space>& s) const;

  int n_ = 0;
  std::vector<std::vector<int>> moving_;
  std::vector<int> link_of_;
  std::vector<int> turning_;  // links
};

}  // namespace maggi::mechanism
