#pragma once
#include <vector>

#include "base/dual.hpp"
#include "system/mechanism/recursion/lifted.hpp"

namespace maggi::mechanism {

/// The same space in numbers that carry their derivatives along.
template <class Space>
using WithDerivatives = typename SpaceOver<Space, Dual>::type;

/// A tree of links with its loops, springs and forces in numbers that carry their derivatives along: the recursions of
/// Linkage and the rows of Closure, evaluated with four derivatives in one pass over the links. Has its own memory: one
/// object for each caller.
template <class Space>  // over Dual
class DualTree {
 public:
  explicit DualTree(const TreeModel<Space>& model);

  const Linkage<Space>& linkage() const { return linkage_; }
  int quantities() const { return quantities_; }  ///< output functions: those between frames, then sums of coordinates
  int rows() const { return rows_count_; }        ///< of closures: the first output functions

  // to be set before move()
  std::vector<Dual> q, v;

  void move();  ///< positions and velocities
  /// After move(): h + Sᵀσ − M v̇, but for the forces along sums of coordinates, which depend on nothing.
  void load(const double* vdot, const double* forces);

  // of the functions between frames, after move(), the last after load()
  Dual value(int i) const { return evaluated_[static_cast<std::size_t>(i)].f; }
  Dual rate(int i) const;
  Dual acceleration(int i) const;
  const Eigen::Matrix<Dual, Eigen::Dynamic, 1>& balance() const { return balance_; }  ///< after load()

 private:
  const Closure<Space>& closure_of(int i) const { return closures_[owners_[static_cast<std::size_t>(i)]]; }

  Linkage<Space> linkage_;
  std::vector<Closure<Space>> closures_;  // those that close loops, then the functions between frames, of one row each
  std::vector<std::size_t> owners_;       // of rows: closures
  std::vector<SpringElement<Space>> springs_;
  std::vector<CoordinateForce<Dual>> forces_;
  int quantities_ = 0, rows_count_ = 0;

  LinkState<Space> state_;
  std::vector<ClosureRow<Space>> evaluated_;
  Eigen::Matrix<Dual, Eigen::Dynamic, 1> balance_;
};

}  // namespace maggi::mechanism
