#include "results/reactions.hpp"

#include "base/cholesky.hpp"
#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "basis/gram_schmidt.hpp"
#include "maggi/error.hpp"

namespace maggi {

ForceSplit distribute(const Matrix& M, const Matrix& B, const Vector& r) {
  Matrix L = M, A = B;
  Vector b = r;
  if (cholesky(L)) {  // otherwise the metric is that of the coordinates
    for (Eigen::Index j = 0; j < A.cols(); ++j) solve_lower(L, A.col(j));
    solve_lower(L, b);
  }
  ForceSplit result;
  result.force = Vector::Zero(A.cols());
  if (!A.isZero(0.0)) {  // Eigen's has no answer without columns, and none that is finite where no row is in force
    Eigen::ColPivHouseholderQR<Matrix> qr(A);
    qr.setThreshold(1e-10);
    result.rank = static_cast<int>(qr.rank());
    result.force = qr.solve(b);
  }
  const double size = b.norm();
  if (size > 0.0) result.rest = (A * result.force - b).norm() / size;
  Eigen::Index worst = 0;
  if (r.size() > 0) largest(B * result.force - r, &worst);
  result.worst = static_cast<int>(worst);
  return result;
}

ResolvedReactions resolved_reactions(const Equations& equations) {
  MassGramSchmidtBasis basis(equations.n(), std::max(1, equations.m()));
  if (!basis.compute(equations)) throw Error(Errc::numerics, {}, std::string(basis.why()));
  if (basis.rank() < equations.m()) throw Error(Errc::numerics, {}, "the constraints are dependent");
  ResolvedReactions result;
  result.R = basis.Rc();
  result.lambda_w = equations.gamma;
  basis.Rc().transpose().triangularView<Eigen::Lower>().solveInPlace(result.lambda_w);
  result.lambda_w -= basis.Wc().transpose() * equations.h;
  result.lambda = basis.Rc().triangularView<Eigen::Upper>().solve(result.lambda_w);
  return result;
}

}  // namespace maggi
