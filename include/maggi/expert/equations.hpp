#pragma once
#include <vector>

#include "maggi/expert/linear.hpp"
#include "maggi/expert/system.hpp"

namespace maggi {

/// Time derivatives of matrices along the motion.
struct Rates {
  Matrix M, C, J;  ///< Ṁ, Ċ, J̇, in the sizes of what they belong to
};

/// The equations of motion at one instant as dense matrices, before any formulation is chosen.
///
///     M v̇ = h + Cᵀλ     balance of generalised forces       (1)
///     C v̇ = γ           constraints, acceleration level     (2)
///
/// Constraints that are not ideal, and those kept by controls, act in other directions than their own: M v̇ = h + G λ.
///
/// Sign: the constraints act on the system with the force +Cᵀλ.
/// Allowed: redundant rows in C; singular M, if positive definite on null(C).
struct Equations {
  Matrix M;      ///< n × n  mass matrix, symmetric
  Vector h;      ///< n      applied and velocity-dependent forces
  Matrix C;      ///< m × n  the rows in use
  Vector gamma;  ///< m
  Matrix J{};    ///< n_x × n  local coordinates move with ẋ = J v; no rows if the model has none
  Vector v{};    ///< n      where rates are asked for, the velocity they belong to
  Rates rate{};  ///< where they are asked for
  Matrix G{};    ///< n × m  directions in which the constraints act; empty: Cᵀ

  int n() const { return static_cast<int>(M.rows()); }
  int m() const { return static_cast<int>(C.rows()); }
  bool ideal() const { return G.size() == 0; }
};

/// Some rows of a shape, in increasing order, and where the entries of the packed C go among them. Made when the set
/// changes, so that filling allocates nothing.
class RowSelection {
 public:
  RowSelection() = default;
  RowSelection(const Shape& shape, std::vector<int> rows);

  const std::vector<int>& rows() const { return rows_; }
  int size() const { return static_cast<int>(rows_.size()); }

  void matrix(const Vector& packed, Matrix& C) const;                 ///< size() × n, must have the size
  void vector(const Vector& all, Vector& selected) const;             ///< entries of the selected rows
  void expand(const Vector& selected, Vector& all) const;             ///< zero for rows not selected
  void squared_lengths(const Vector& packed, Vector& squares) const;  ///< ‖row‖² of each
  /// The largest Σ_j |C_ij x_j| / ‖row i‖. If x has another size than n, its largest value stands for each.
  double largest_sum(const Vector& packed, const Vector& x, const Vector& squares) const;
  void rates(const Vector& packed, const Eigen::Ref<const Vector>& v, Vector& result) const;  ///< C v
  /// Cᵀλ and λ·C v of the selected rows, λ in their order.
  void reaction(const Vector& packed, const Vector& lambda, Vector& force) const;
  double power(const Vector& packed, const Vector& lambda, const Eigen::Ref<const Vector>& v) const;

 private:
  struct Entry {
    int source, row, col;
  };
  std::vector<int> rows_;
  std::vector<Entry> entries_;  // sorted by row
  int cols_ = 0;
};

/// Rows of the first `levels` levels: 1 position, 2 and velocity, 3 all.
std::vector<int> rows_of_levels(const Shape& shape, int levels);

}  // namespace maggi
