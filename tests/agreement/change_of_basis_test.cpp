// D → D T changes nothing but the independent velocities: v̇, λ and the reaction do not know which basis was taken.
#include <gtest/gtest.h>

#include "formulation/compatibility.hpp"
#include "formulation/maggi.hpp"
#include "formulation/minimal.hpp"
#include "maggi/expert/bases.hpp"
#include "support/every_method.hpp"
#include "support/random_equations.hpp"

namespace maggi::test {
namespace {

/// Another basis with its columns mixed by a regular T.
class MixedBasis final : public Basis {
 public:
  MixedBasis(std::unique_ptr<Basis> basis, Matrix T)
      : Basis(static_cast<int>(basis->D().rows())), basis_(std::move(basis)), T_(std::move(T)) {}
  std::string_view name() const override { return "mixed"; }
  bool compute(const Equations& equations) override {
    if (!basis_->compute(equations)) return false;
    rank_ = basis_->rank();
    D_.leftCols(T_.cols()) = basis_->D() * T_;
    return true;
  }
  void particular(const Vector& gamma, Vector& d0) const override { basis_->particular(gamma, d0); }
  void multipliers(const Vector& r, Vector& lambda) const override { basis_->multipliers(r, lambda); }

 private:
  std::unique_ptr<Basis> basis_;
  Matrix T_;
};

template <class Kind>
class ChangeOfBasis : public testing::Test {};
using Formulations = testing::Types<Maggi, Minimal, Compatibility>;
TYPED_TEST_SUITE(ChangeOfBasis, Formulations);

TYPED_TEST(ChangeOfBasis, ChangesNothing) {
  std::mt19937 random(1);
  for (const double condition : {1.0, 1e2, 1e5}) {
    for (int trial = 0; trial < 200; ++trial) {
      const int n = 2 + trial % 8, k = 1 + trial % (n - 1);
      const Kind kind{.n = n, .rank = n - k, .condition_M = 10.0};
      const Equations e = random_equations(kind, random);
      const Matrix T = random_orthogonal(k, random) * graded(k, condition).asDiagonal() * random_orthogonal(k, random);
      const std::string& name = basis_names()[trial % basis_names().size()];
      SCOPED_TRACE(name);
      Vector vdot(n), lambda(e.m()), mixed_vdot(n), mixed_lambda(e.m());
      TypeParam formulation(n, make_basis(name, n, e.m()));
      if (!formulation.solve(e, vdot, lambda)) continue;  // a basis that does not apply to these equations
      TypeParam mixed(n, std::make_unique<MixedBasis>(make_basis(name, n, e.m()), T));
      ASSERT_TRUE(mixed.solve(e, mixed_vdot, mixed_lambda)) << mixed.why();
      // ε κ(TᵀDᵀMDT) = ε κ(T)² κ(M), and κ(C) = 10 for λ
      const double tolerance = 1000 * epsilon * condition * condition * 10.0 * 10.0;
      EXPECT_LT((vdot - mixed_vdot).norm(), tolerance * (1.0 + vdot.norm()));
      EXPECT_LT((lambda - mixed_lambda).norm(), tolerance * (1.0 + lambda.norm()));
      EXPECT_LT((e.C.transpose() * (lambda - mixed_lambda)).norm(), tolerance * (1.0 + lambda.norm()));
    }
  }
}

}  // namespace
}  // namespace maggi::test
