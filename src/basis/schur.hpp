#pragma once

#include "base/decompositions.hpp"
#include "basis/gram_matrix.hpp"

namespace maggi {

/// Schur vectors of H = Aᵀ A whose diagonal entry is zero. [PennestriValentini2007 (32)-(34)]
///
///     H = K U Kᵀ;  H is symmetric, so U is diagonal and the Schur vectors are eigenvectors
///
/// Cost n²m + 25 n³: the general algorithm does not use the symmetry.
class SchurBasis final : public GramMatrixBasis {
 public:
  SchurBasis(int n, int max_rows) : GramMatrixBasis(n, max_rows), schur_(n) {}
  std::string_view name() const override { return "schur"; }

 private:
  void decompose(const Matrix& H, Matrix& V, Vector& values) override {
    schur_.compute(H);
    V = schur_.matrixU();
    values = schur_.matrixT().diagonal();
  }
  Eigen::RealSchur<Matrix> schur_;
};

}  // namespace maggi
