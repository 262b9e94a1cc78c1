#pragma once
#include <memory>
#include <span>
#include <vector>

#include "base/pivoted_qr.hpp"
#include "maggi/expert/linear.hpp"

namespace maggi {

/// The constraint rows in the metric of the mass matrix, factorised: the piece that the rank decision, the projections
/// and the consistent start share. [Blajer1993, sec. 4]
///
///     M = L Lᵀ,   A = S C L⁻ᵀ,  S = diag(1/‖row‖): rows of unit length, so nothing depends on units     (1)
///     Aᵀ Π = Q R,  rank = #{ |R_ii| > tolerance |R_11| }                                                 (2)
///
/// A zero row is never scaled: it is a dependent row. If M is singular, but positive definite on null(C), the metric is
/// M + σ ĈᵀĈ, which gives the same motion.
///
/// Which rows are independent is geometry. The metric makes units of the coordinates comparable, but with masses of
/// very different sizes rows that differ in the coordinate of a heavy body only are close to each other in it. Rows
/// that are independent in the coordinates themselves, S C, are so; the metric is then that of M + 10⁻¹² max(M_ii) 1.
class MetricFactor {
 public:
  static constexpr double default_tolerance = 1e-10;  ///< rounding and drift noise of Jacobians stay below it
  static constexpr double zero_row = 1e-14;           ///< a row this short has no direction that could be trusted

  MetricFactor(int n, int max_rows, double tolerance = default_tolerance);

  /// false if no positive definite metric exists: there is an admissible motion without inertia, see weightless().
  bool compute(const Matrix& M, const Matrix& C) { return compute(M, C, tolerance_); }
  bool compute(const Matrix& M, const Matrix& C, double tolerance);  ///< of the rank, this time

  int max_rows() const { return static_cast<int>(scale_.size()); }
  int rank() const { return rank_; }
  std::span<const int> independent() const { return {order_.data(), static_cast<std::size_t>(rank_)}; }
  std::span<const int> dependent() const;
  /// Smallest sine with which an independent row stands out of the span of the others: R_rr / R_11.
  double distance_to_singularity() const { return distance_; }
  /// Largest sine that was taken for zero; well separated from the former if the decision was clear.
  double largest_rejected() const { return rejected_; }
  double tolerance() const { return tolerance_; }

  bool regular() const { return regular_; }  ///< M itself is positive definite

  /// δ with C δ = b (rows beyond the rank: in so far as they agree) that is smallest in δᵀMδ.
  void least_change(const Vector& b, Vector& delta);

  /// x ← L⁻¹ x: a row of C or a force, as a direction in the metric.
  void enter_metric(VectorRef x) const;
  /// x ← (1 − Q Qᵀ) x: what a direction in the metric leaves free of the rows.
  void take_off_rows(VectorRef x);

  /// C_dependent = A C_independent: row i of the result belongs to dependent()[i].
  Matrix combinations() const;

  const Vector& weightless() const { return weightless_; }  ///< the motion without inertia, if compute() failed

 private:
  bool factor_metric(const Matrix& M, const Matrix& C);
  void decide(const Matrix& C, double tolerance);
  bool hidden_by_masses(const Matrix& C, double tolerance);

  double tolerance_, distance_ = 1.0, rejected_ = 0.0;
  int rank_ = 0, m_ = 0;
  bool regular_ = true;
  Matrix L_, A_;  // Cholesky factor; Aᵀ (n × m)
  Vector scale_, work_, weightless_;
  std::vector<int> order_;
  PivotedQr qr_;
  std::unique_ptr<PivotedQr> plain_;  // of S C, once masses are of very different sizes
};

}  // namespace maggi
