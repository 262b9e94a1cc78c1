#pragma once
#include <vector>

#include "system/mechanism/functions/system_with_functions.hpp"
#include "system/mechanism/recursion/dual_tree.hpp"
#include "system/mechanism/recursion/lifted.hpp"

namespace maggi::mechanism {

/// The derivatives of a tree of links with its loops by positions and velocities, exact for every kind of joint, row
/// and force: from a DualTree, four columns in one pass over the links.
///
/// Has its own memory: one object for each caller.
template <class Space>
class TreeDerivatives {
 public:
  explicit TreeDerivatives(const TreeModel<Space>& model);

  /// ∂ṡ/∂q of all output functions.
  void velocity(const double* q, const double* v, FunctionDerivatives& d);
  /// All of them. `forces`: along the output functions.
  void acceleration(const double* q, const double* v, const double* vdot, const double* forces, FunctionDerivatives& d);

 private:
  using ToDual = Lift<Space, Dual>;
  using Lifted = typename ToDual::Lifted;

  void seed(int first, int count, const double* q, const double* v);
  void seed_position(int velocity, int direction, const double* q);
  void store(int first, int count, FunctionDerivatives& d) const;

  DualTree<Lifted> tree_;
};

}  // namespace maggi::mechanism
