#pragma once

#include "base/decompositions.hpp"
#include "basis/gram_matrix.hpp"

namespace maggi {

/// Eigenvectors of H = Aᵀ A with eigenvalue zero. [PennestriValentini2007 (20)-(23)]  Cost n²m + 9 n³.
class ZeroEigenvalueBasis final : public GramMatrixBasis {
 public:
  ZeroEigenvalueBasis(int n, int max_rows) : GramMatrixBasis(n, max_rows), eigen_(n) {}
  std::string_view name() const override { return "zero-eigenvalue"; }

 private:
  void decompose(const Matrix& H, Matrix& V, Vector& values) override {
    eigen_.compute(H);
    V = eigen_.eigenvectors();
    values = eigen_.eigenvalues();
  }
  Eigen::SelfAdjointEigenSolver<Matrix> eigen_;
};

}  // namespace maggi
