#pragma once
#include <utility>
#include <vector>

#include "system/mechanism/joint_kind.hpp"
#include "system/mechanism/linkage.hpp"

namespace maggi::mechanism {

/// One row of a closure at an instant: f, and the wrench on the second body (and its opposite on the first) that λ = 1
/// stands for.
///
///     φ = W · (V_b − V_a)      C_j = ± W · S_j      γ = −Ẇ · (V_b − V_a) − W · (A_b − A_a)  at v̇ = 0
template <class Space>
struct ClosureRow {
  double f = 0.0;
  Wrench<Space> W, Wdot;
};

/// A joint that closes a loop, written in its own frame: constraints on where B is as seen from A
/// [BlajerBestleSchiehlen1994].
template <class Space>
class Closure {
 public:
  int a = 0, b = 0;        ///< links of the first and the second body
  Pose<Space> on_a, on_b;  ///< the joint frame in theirs
  std::vector<JointRow> rows;
  double length = 0.0, pitch = 0.0;  ///< of a distance, of a disc or ball: its radius; of a thread

  /// f and W of every row; with `rates` Ẇ too, where V must be known.
  void evaluate(const LinkState<Space>& s, bool rates, ClosureRow<Space>* values) const;
};

}  // namespace maggi::mechanism
