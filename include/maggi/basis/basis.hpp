#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maggi/base/linear.hpp"

namespace maggi {

/// An orthogonal complement of the constraint matrix: columns D with C D = 0 that span all admissible motions.
///
///     v = D u + ...,   k = n − rank C columns
///
/// One object per run; memory is allocated at construction. compute() may be called with any number of rows up to
/// max_rows.
class Basis {
 public:
  virtual ~Basis() = default;
  virtual std::string_view name() const = 0;

  virtual void compute(const Matrix& M, const Matrix& C) = 0;

  int rank() const { return rank_; }
  auto D() const { return D_.leftCols(D_.rows() - rank_); }  ///< n × k

  /// d₀ with C d₀ = γ.
  virtual void particular(const Vector& gamma, Vector& d0) const = 0;
  /// λ of least Euclidean norm with Cᵀλ = r, for r in the range of Cᵀ.
  virtual void multipliers(const Vector& r, Vector& lambda) const = 0;

 protected:
  explicit Basis(int n) : D_(n, n) {}
  Matrix D_;
  int rank_ = 0;
};

/// "qr" ...; Error with the nearest name if there is no such basis.
std::unique_ptr<Basis> make_basis(std::string_view name, int n, int max_rows);
std::span<const std::string> basis_names();

}  // namespace maggi
