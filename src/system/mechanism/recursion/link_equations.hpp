#pragma once
#include <array>
#include <vector>

#include "system/mechanism/recursion/articulated.hpp"
#include "system/mechanism/recursion/elimination_plan.hpp"
#include "system/mechanism/recursion/mechanism_workspace.hpp"

namespace maggi::mechanism {

/// The numbers of a motion (w, v) or a wrench (n, f) of a link, about the origin of its frame.
template <class Space>
constexpr int link_size = Space::turns + Space::axes;
template <class Space>
using LinkVector = std::array<double, Space::turns + Space::axes>;

/// The equations of a mechanism in the accelerations A_i of its links, for the rows in use:
///
///     I_i A_i = b_i + Σ K_riᵀ λ_r      Σ_i K_ri A_i = γ_r      A_i = X_i A_parent + S_i x             (1)
///
/// X_i moves the reference point from the origin of the parent to that of the link. What a row does to a joint
/// coordinate, it does to the two links of the joint, by the wrench P with P·S = 1. K is sparse: a row has an entry for
/// each link on which it acts.
template <class Space>
class LinkEquations {
 public:
  using Vector = LinkVector<Space>;
  static constexpr int size = link_size<Space>;

  struct Entry {
    int row, link;  ///< of the rows in use; > 0
  };

  LinkEquations(const TreeModel<Space>& model, const std::vector<RowOfFunctions>& rows, const std::vector<int>& used);

  /// I, K, S and X at the positions at which w was evaluated last.
  void evaluate(const MechanismWorkspace<Space>& w, const double* coefficients);

  const std::vector<Entry>& entries() const { return entries_; }
  /// The rows of a closure, which belong together; or one that is none of a closure.
  struct Group {
    std::vector<int> rows;
    bool of_closure;
  };
  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<int>& entries_of(int row) const { return entries_of_row_[row]; }
  int links() const { return static_cast<int>(inertia_.size()); }

  const Articulated<Space>& inertia(int link) const { return inertia_[link]; }
  const Vector& K(int entry) const { return K_[entry]; }
  const Vector& S(int velocity) const { return S_[velocity]; }              ///< about the origin of its link
  Vector P(int velocity) const;                                             ///< P·S = 1, 0 with the others of the link
  const typename Space::Linear& arm(int link) const { return arm_[link]; }  ///< from the origin of its parent
  /// From the origin of one link to that of another.
  typename Space::Linear between(int from, int to) const { return origin_[to] - origin_[from]; }

  /// What x and λ leave of M x = h + Cᵀλ and C x = γ. h may be null: 0.
  void residual(const double* h, const double* gamma, const double* x, const double* lambda, double* of_h,
                double* of_gamma);

 private:
  struct Term {  // sign · coefficient · quantity is a part of an entry
    int entry, quantity, coefficient;
    double sign;
    int velocity;  // of a coordinate; −1: the wrench of an output function
  };

  void add_term(int row, const RowTerm& term);
  int entry_of(int row, int link);
  void add_part(int row, int link, int quantity, int coefficient, double sign, int velocity = -1);
  Vector wrench_of(const Term& term, const MechanismWorkspace<Space>& w) const;

  const TreeModel<Space>& model_;
  const Linkage<Space>& linkage_;
  int gaps_, rows_count_;
  std::vector<const Closure<Space>*> ends_;  // of gaps, then of functions between frames
  std::vector<Entry> entries_;
  std::vector<Term> terms_;
  std::vector<Group> groups_;
  std::vector<std::vector<int>> entries_of_row_;

  std::vector<Articulated<Space>> inertia_;
  std::vector<Vector> K_, S_;
  std::vector<typename Space::Linear> arm_, origin_;
  std::vector<Vector> A_, F_;  // of links, of residual()
};

/// Power of a wrench on a motion.
template <std::size_t n>
double dot(const std::array<double, n>& a, const std::array<double, n>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

/// A motion about a point that is at `arm` from where it was: v + w × arm.
template <class Space>
LinkVector<Space> moved(const LinkVector<Space>& motion, const typename Space::Linear& arm) {
  LinkVector<Space> result = motion;
  if constexpr (Space::turns == 1) {
    result[1] -= motion[0] * arm[1], result[2] += motion[0] * arm[0];
  } else {
    result[3] += motion[1] * arm[2] - motion[2] * arm[1];
    result[4] += motion[2] * arm[0] - motion[0] * arm[2];
    result[5] += motion[0] * arm[1] - motion[1] * arm[0];
  }
  return result;
}

/// A wrench about the point from which `arm` leads to where it was: n + arm × f. The transpose of moved().
template <class Space>
LinkVector<Space> moved_back(const LinkVector<Space>& wrench, const typename Space::Linear& arm) {
  LinkVector<Space> result = wrench;
  if constexpr (Space::turns == 1) {
    result[0] += arm[0] * wrench[2] - arm[1] * wrench[1];
  } else {
    result[0] += arm[1] * wrench[5] - arm[2] * wrench[4];
    result[1] += arm[2] * wrench[3] - arm[0] * wrench[5];
    result[2] += arm[0] * wrench[4] - arm[1] * wrench[3];
  }
  return result;
}

/// I A.
template <class Space>
LinkVector<Space> times(const Articulated<Space>& I, const LinkVector<Space>& A) {
  if constexpr (Space::turns == 1) {
    return {I.J * A[0] + I.H[0] * A[1] + I.H[1] * A[2], I.H[0] * A[0] + I.xx * A[1] + I.xy * A[2],
            I.H[1] * A[0] + I.xy * A[1] + I.yy * A[2]};
  } else {
    const Vector3 w(A[0], A[1], A[2]), v(A[3], A[4], A[5]);
    Wrench<Space> F = I.turning(w);
    F += I.sliding(v);
    return {F.n[0], F.n[1], F.n[2], F.f[0], F.f[1], F.f[2]};
  }
}

}  // namespace maggi::mechanism
