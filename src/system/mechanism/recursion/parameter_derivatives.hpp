#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "system/mechanism/functions/system_with_functions.hpp"
#include "system/mechanism/recursion/dual_tree.hpp"
#include "system/mechanism/reference/mechanism_source.hpp"

namespace maggi::mechanism {

/// Derivatives of the output functions and of the equations of a tree by the parameters of its model, exact. Parameters
/// enter through the numbers of bodies, joints and forces, of which the reference configuration and then the tree are
/// made. All of this is repeated with numbers that carry the derivatives by four parameters along (DualNumbers); the
/// tree that results is evaluated at the state, which is held.
///
/// The trees are made when they are asked for first, and kept. Threads may share one object.
template <class Space>
class ParameterDerivatives {
 public:
  explicit ParameterDerivatives(std::shared_ptr<const MechanismSource> source) : source_(std::move(source)) {}

  /// By some of the parameters. `forces`: along the output functions.
  void compute(const Instant& at, const double* vdot, const double* forces, const std::vector<int>& which,
               FunctionParameterDerivatives& d) const;

 private:
  using Tree = DualTree<WithDerivatives<Space>>;

  Tree& tree(int block) const;  // of the parameters 4 block …

  std::shared_ptr<const MechanismSource> source_;
  mutable std::mutex busy_;
  mutable std::map<int, Tree> made_;
};

}  // namespace maggi::mechanism
