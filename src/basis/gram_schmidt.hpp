#pragma once

#include "base/decompositions.hpp"
#include "maggi/expert/basis.hpp"

namespace maggi {

/// Gram-Schmidt in the metric of the mass matrix, or of the identity. [Blajer1993 (3.1)-(3.5)]
///
///     P* = [Cᵀ E*],  P* = W* R,  W* = M W,  WᵀM W = 1,   W = [W_c W_d],  D = W_d
///
/// computed as Householder QR of L⁻¹P* = Q R with R_ii > 0:  W = L⁻ᵀQ, W* = L Q, the same as the recursion without its
/// loss of digits. E*: unit covectors chosen greedily with deflation, then frozen, so that W is a smooth function of
/// the state; chosen again when one stands out of the span of those before it by a sine below `least_sine`, or when a
/// row of C no longer does at all. Or chosen again at every call: then W has no derivative.
///
///     A = WᵀṖ*R⁻¹,  S = A + Aᵀ − WᵀṀW,  U = upper(S) + diag(S)/2 = ṘR⁻¹
///     Ẇ* = Ṗ*R⁻¹ − W*U,   Ẇ = M⁻¹(Ẇ* − ṀW)
class GramSchmidtBasis : public Basis {
 public:
  bool compute(const Equations& equations) final;
  void particular(const Vector& gamma, Vector& d0) const final;   ///< W_c R_c⁻ᵀ γ
  void multipliers(const Vector& r, Vector& lambda) const final;  ///< R_c⁻¹ W_cᵀ r
  bool rate(const Rates& rates, Matrix& Ddot) const final;
  void tangent(const Vector& v, Vector& u) const final;  ///< W_d*ᵀ v
  bool tangent_rate(const Rates& rates, const Vector& v, const Vector& vdot, Vector& udot) const final;

  auto Wc() const { return W_.leftCols(rank_); }              ///< n × r
  auto Rc() const { return R_.topLeftCorner(rank_, rank_); }  ///< r × r, upper triangular
  const std::vector<int>& rows() const { return rows_; }      ///< the rows of C that Wc and Rc belong to
  const std::vector<int>& supplement() const { return supplement_; }
  /// Ẇ of all columns.
  Matrix W_rate(const Rates& rates) const;
  const Matrix& W() const { return W_; }
  const Matrix& W_star() const { return W_star_; }
  const Matrix& R() const { return R_; }

 protected:
  enum class Metric { euclidean, mass };
  enum class Supplement { frozen, chosen_anew };
  GramSchmidtBasis(int n, Metric metric, Supplement supplement = Supplement::frozen);

 private:
  static constexpr double least_sine = 0.1;

  void select(const Matrix& C);
  bool orthonormalise(const Matrix& C);  ///< false if a sine is too small

  bool mass_metric_, always_select_;
  std::vector<int> rows_, supplement_;
  Matrix M_, L_, P_, Q_, R_, W_, W_star_;
  Eigen::HouseholderQR<Matrix> qr_;
  Eigen::Index last_rows_ = -1;
};

/// Euclidean Gram-Schmidt with frozen E (Liang, Lance).
class EuclideanGramSchmidtBasis final : public GramSchmidtBasis {
 public:
  EuclideanGramSchmidtBasis(int n, int /*max_rows*/) : GramSchmidtBasis(n, Metric::euclidean) {}
  std::string_view name() const override { return "gram-schmidt"; }
};

/// Euclidean Gram-Schmidt with E chosen by deflation at every call (Agrawal, Saigal).
class DeflationGramSchmidtBasis final : public GramSchmidtBasis {
 public:
  DeflationGramSchmidtBasis(int n, int /*max_rows*/)
      : GramSchmidtBasis(n, Metric::euclidean, Supplement::chosen_anew) {}
  std::string_view name() const override { return "gram-schmidt-deflation"; }
};

/// Mass-metric Gram-Schmidt: Mu = DᵀM D = 1.
class MassGramSchmidtBasis final : public GramSchmidtBasis {
 public:
  MassGramSchmidtBasis(int n, int /*max_rows*/) : GramSchmidtBasis(n, Metric::mass) {}
  std::string_view name() const override { return "mass-gram-schmidt"; }
};

}  // namespace maggi
