#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maggi/expert/equations.hpp"
#include "maggi/expert/expression.hpp"

namespace maggi {

struct DerivedEquations;

/// An orthogonal complement of the constraint matrix: columns D with C D = 0 that span all admissible motions.
///
///     v = D u + ...,   k = n − rank C columns
///
/// One object per run; memory is allocated at construction. compute() may be called with any number of rows up to
/// max_rows. Rows are scaled to unit length before anything is decided, so ranks do not depend on units; a row that is
/// dependent is set aside, and what is asked of C is asked of the other rows.
class Basis {
 public:
  virtual ~Basis() = default;
  virtual std::string_view name() const = 0;

  /// From M, C and J. false if this method does not apply here; why() says the reason.
  virtual bool compute(const Equations& equations) = 0;

  std::string_view why() const { return why_; }

  int rank() const { return rank_; }
  auto D() const { return D_.leftCols(D_.rows() - rank_); }  ///< n × k
  const std::vector<int>& dependent_rows() const {
    return dependent_;
  }                          ///< of the last C; empty if unknown to the method
  double condition() const;  ///< largest to smallest singular value of D

  /// d₀ with C d₀ = γ.
  virtual void particular(const Vector& gamma, Vector& d0) const = 0;
  /// λ of least Euclidean norm with Cᵀλ = r, for r in the range of Cᵀ and independent rows.
  virtual void multipliers(const Vector& r, Vector& lambda) const = 0;

  /// Ḋ along the motion, for the choices (pivots, supplementary rows) made so far.
  /// false if D is not a smooth function of the state: its columns may turn or change sign from call to call.
  virtual bool rate(const Rates& rates, Matrix& Ddot) const;

  /// The tangent velocities of a velocity:  u = Zᵀv  with  ZᵀD = 1 and Zᵀd₀ = 0,  so that  v = D u + d₀.
  virtual void tangent(const Vector& v, Vector& u) const;  ///< Z = D, which orthonormal columns allow
  /// u̇ = Zᵀv̇ + Żᵀv. false if D is not a smooth function of the state.
  virtual bool tangent_rate(const Rates& rates, const Vector& v, const Vector& vdot, Vector& udot) const;

  /// D as formulas for the choices made so far, n × k row by row, from the formulas of all rows that C had; they are
  /// added to the graph. The reason if this basis has no such form, else empty. See basis/closed_form.hpp.
  virtual std::string closed_form(DerivedEquations& equations, std::vector<expression::Id>& D) const;

  /// How often a choice was made again; a change means that D has jumped.
  int selections() const { return selections_; }
  /// While held, no choice is made again: D stays a smooth function of the state as long as compute() is true, and
  /// strained() says that the choice should be renewed: let go, compute, hold again.
  void hold(bool on) { held_ = on; }
  bool strained() const { return strained_; }

 protected:
  explicit Basis(int n) : D_(n, n) {}
  Matrix D_;
  static constexpr std::string_view no_longer_fits = "the choice made before no longer fits, and no other is allowed";

  int rank_ = 0, selections_ = 0;
  bool held_ = false, strained_ = false;
  std::string_view why_;  // a literal
  std::vector<int> dependent_;
};

}  // namespace maggi
