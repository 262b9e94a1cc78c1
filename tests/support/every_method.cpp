#include "support/every_method.hpp"

#include <gtest/gtest.h>

#include "base/decompositions.hpp"
#include "dynamics/dynamics.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/formulations.hpp"

namespace maggi::test {

std::vector<Choice> all_choices() {
  std::vector<Choice> choices;
  for (const std::string& formulation : formulation_names())
    if (needs_basis(formulation))
      for (const std::string& basis : basis_names()) choices.push_back({formulation, basis});
    else
      choices.push_back({formulation, ""});
  return choices;
}

Acceleration textbook(const Equations& e) {
  const int n = e.n(), m = e.m();
  Matrix K = Matrix::Zero(n + m, n + m);
  K << e.M, -e.C.transpose(), e.C, Matrix::Zero(m, m);
  Vector b(n + m);
  b << e.h, e.gamma;
  Eigen::CompleteOrthogonalDecomposition<Matrix> cod;
  cod.setThreshold(1e-11);
  cod.compute(K);
  const Vector x = cod.solve(b);
  return {x.head(n), x.tail(m), e.C.transpose() * x.tail(m)};
}

void expect_agreement(const System& system, const State& state, const Equations& e, double tolerance) {
  const Acceleration reference = textbook(e);
  const double vdot_size = 1.0 + reference.vdot.norm(), force_size = 1.0 + reference.reaction.norm();
  for (const Choice& choice : all_choices()) {
    if (choice.basis == "local" && system.shape().nx() == 0) continue;  // refused, and rightly so
    SCOPED_TRACE(choice.formulation + " " + choice.basis);
    Dynamics dynamics(system, choice.formulation, choice.basis);
    dynamics.decide_rows(state);
    Acceleration ours;
    ASSERT_TRUE(dynamics.solve(state, ours)) << dynamics.explain(state);
    EXPECT_LT((ours.vdot - reference.vdot).norm(), tolerance * vdot_size);
    EXPECT_LT((ours.reaction - reference.reaction).norm(), tolerance * force_size);
    EXPECT_LT((ours.lambda - reference.lambda).norm(), tolerance * (1.0 + reference.lambda.norm()));
    EXPECT_LT((e.C * ours.vdot - e.gamma).norm(), tolerance * (1.0 + e.gamma.norm()));
    EXPECT_LT((e.M * ours.vdot - e.h - e.C.transpose() * ours.lambda).norm(), tolerance * force_size);
  }
}

}  // namespace maggi::test
