// D and Ḋ as formulas against D and Ḋ as numbers, at the start and elsewhere.
#include "basis/closed_form.hpp"

#include <gtest/gtest.h>

#include "dynamics/dynamics.hpp"
#include "expression/tape.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/print.hpp"
#include "start/initial_conditions.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

Equations equations_at(const EquationSystem& system, Workspace& w, const State& state, const Vector& vdot) {
  const Shape& s = system.shape();
  Equations e{Matrix(s.n(), s.n()), w.terms.h, Matrix(s.m(), s.n()), w.terms.gamma};
  e.rate = {Matrix(s.n(), s.n()), Matrix(s.m(), s.n()), Matrix(s.nx(), s.n())};
  e.J.resize(s.nx(), s.n());
  system.acceleration(state, w);
  system.rates(state, vdot.data(), w);
  s.M.scatter(w.terms.M, e.M);
  s.C.scatter(w.terms.C, e.C);
  s.M.scatter(w.terms.Mdot, e.rate.M);
  s.C.scatter(w.terms.Cdot, e.rate.C);
  s.J.scatter(w.terms.J, e.J);
  s.J.scatter(w.terms.Jdot, e.rate.J);
  return e;
}

Matrix values(const EquationSystem& system, const DerivedEquations& e, const std::vector<expression::Id>& formulas,
              const State& state, const Vector& vdot, const ClosedForm& form) {
  std::vector<expression::Id> inputs = e.q;
  inputs.insert(inputs.end(), e.v.begin(), e.v.end());
  inputs.push_back(e.t);
  inputs.insert(inputs.end(), e.a.begin(), e.a.end());
  const expression::Tape tape(e.graph, inputs, e.parameters, formulas);
  std::vector<double> scratch(tape.slots());
  tape.prepare(system.parameters(), scratch);
  auto next = std::copy(state.q.begin(), state.q.end(), scratch.begin());
  next = std::copy(state.v.begin(), state.v.end(), next);
  *next++ = state.t;
  std::copy(vdot.begin(), vdot.end(), next);
  tape.run(scratch);
  Matrix result(form.rows, form.cols);
  for (int i = 0; i < form.rows; ++i)
    for (int j = 0; j < form.cols; ++j) result(i, j) = scratch[tape.output(i * form.cols + j)];
  return result;
}

class ClosedFormTest : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(ClosedFormTest, EqualsTheNumbersAtTheStartAndNearIt) {
  const auto [name, model] = GetParam();
  const EquationSystem system(read_example(model));
  Dynamics dynamics(system);
  const InitialConditions start = find_initial_conditions(dynamics, system.start());
  const auto workspace = system.workspace();
  const auto basis = make_basis(name, system.shape().n(), system.shape().m());
  ASSERT_TRUE(basis->compute(equations_at(system, *workspace, start.state, start.acceleration.vdot)));
  basis->hold(true);
  DerivedEquations derived = system.derived();
  const ClosedForm form = closed_form(derived, *basis);
  ASSERT_EQ(form.why, "");

  for (const double away : {0.0, 0.05, -0.03}) {  // D is a function of the state, also off the constraints
    State state = start.state;
    state.q += away * Vector::LinSpaced(state.q.size(), 1.0, 2.0);
    state.v += 3.0 * away * Vector::LinSpaced(state.v.size(), -1.0, 1.0);
    const Equations e = equations_at(system, *workspace, state, start.acceleration.vdot);
    ASSERT_TRUE(basis->compute(e));
    Matrix Ddot;
    ASSERT_TRUE(basis->rate(e.rate, Ddot));
    const Matrix D = values(system, derived, form.D, state, start.acceleration.vdot, form);
    const Matrix rate = values(system, derived, form.Ddot, state, start.acceleration.vdot, form);
    // rounding: determinants of blocks up to 4 × 4, conditions below 100 as |D| ≤ 10 while a choice is kept
    EXPECT_LT((D - basis->D()).norm(), 1e-12 * (1.0 + D.norm()));
    EXPECT_LT((rate - Ddot).norm(), 1e-11 * (1.0 + Ddot.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(All, ClosedFormTest,
                         testing::Combine(testing::Values("lu", "algebraic"),
                                          testing::Values("moving_pendulum", "four_bar_cut_ground",
                                                          "four_bar_cut_coupler", "four_bar_slider", "spatial_four_bar",
                                                          "chaplygin_sleigh")));

// n_x = m, so that D̂ is empty; and n_x = 2, m = 1
INSTANTIATE_TEST_SUITE_P(Local, ClosedFormTest,
                         testing::Combine(testing::Values("local"),
                                          testing::Values("four_bar_cut_ground", "four_bar_cut_coupler",
                                                          "four_bar_slider")));

ClosedForm form_of(const char* model, const char* name, DerivedEquations& derived) {
  const EquationSystem system(read_example(model));
  Dynamics dynamics(system);
  const InitialConditions start = find_initial_conditions(dynamics, system.start());
  const auto workspace = system.workspace();
  const auto basis = make_basis(name, system.shape().n(), system.shape().m());
  EXPECT_TRUE(basis->compute(equations_at(system, *workspace, start.state, start.acceleration.vdot)));
  derived = system.derived();
  return closed_form(derived, *basis);
}

TEST(ClosedForm, OfTheFourBarReadsAsInThePaper) {
  // BlajerBestleSchiehlen1994 (25a), with the 1 in the row of the best partition
  DerivedEquations derived;
  const ClosedForm form = form_of("four_bar_cut_ground", "lu", derived);
  ASSERT_EQ(form.cols, 1);
  EXPECT_EQ(print(derived.graph, form.D[0]), "1");
  EXPECT_EQ(print(derived.graph, form.D[1]), "-l1*sin(theta3 - theta1)/(l2*sin(theta3 - theta2))");
  EXPECT_EQ(print(derived.graph, form.D[2]), "l1*sin(theta2 - theta1)/(l3*sin(theta3 - theta2))");
}

TEST(ClosedForm, SaysWhyThereIsNone) {
  DerivedEquations derived;
  EXPECT_EQ(form_of("moving_pendulum", "svd", derived).why, "basis \"svd\" has none; algebraic, lu and local have one");
  const ClosedForm large = form_of("andrews_squeezer", "algebraic", derived);
  EXPECT_EQ(large.why, "7 equations hang together, and Cramer's rule is written out for 4 at most");
  EXPECT_TRUE(large.D.empty() && large.Ddot.empty());
}

}  // namespace
}  // namespace maggi::test
