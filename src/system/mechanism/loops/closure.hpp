#pragma once
#include <array>
#include <utility>
#include <vector>

#include "system/mechanism/kinematics/joint_kind.hpp"
#include "system/mechanism/kinematics/linkage.hpp"
#include "system/mechanism/kinematics/power_or_zero.hpp"

namespace maggi::mechanism {

/// One row of a closure at an instant: f, and the wrench on the second body (and its opposite on the first) that λ = 1
/// stands for.
///
///     φ = W · (V_b − V_a)      C_j = ± W · S_j      γ = −Ẇ · (V_b − V_a) − W · (A_b − A_a)  at v̇ = 0
template <class Space>
struct ClosureRow {
  typename Space::Real f = 0.0;
  Wrench<Space> W, Wdot;
};

/// What the rows of a closure compare. They are kept in place: every evaluation reads those of all closures, and what
/// lies elsewhere in memory is waited for.
class Comparisons {
 public:
  struct Comparison {
    Holds holds;
    signed char axis;
  };
  Comparisons() = default;
  Comparisons(const std::vector<JointRow>& rows) {
    for (const JointRow& row : rows) all_.at(size_++) = {row.holds, static_cast<signed char>(row.axis)};
  }
  std::size_t size() const { return size_; }
  const Comparison* begin() const { return all_.data(); }
  const Comparison* end() const { return all_.data() + size_; }

 private:
  std::array<Comparison, 6> all_{};  // no joint takes more degrees of freedom than a body has
  unsigned char size_ = 0;
};

/// A joint that closes a loop, written in its own frame: constraints on where B is as seen from A
/// [BlajerBestleSchiehlen1994].
template <class Space>
class Closure {
 public:
  int a = 0, b = 0;        ///< links of the first and the second body
  Pose<Space> on_a, on_b;  ///< the joint frame in theirs
  Comparisons rows;
  typename Space::Real length = 0.0, pitch = 0.0;  ///< of a distance, of a disc or ball: its radius; of a thread
  NaturalScale scale;

  /// f and W of every row; with `rates` Ẇ too, where V must be known.
  void evaluate(const LinkState<Space>& s, bool rates, ClosureRow<Space>* values) const;
};

}  // namespace maggi::mechanism
