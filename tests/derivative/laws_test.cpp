// Laws and the directions of their forces against differences, at random states of models with friction of every kind.
#include <gtest/gtest.h>

#include <random>

#include "system/formulas/equation_system.hpp"

namespace maggi {
namespace {

constexpr double step = 1e-6, tolerance = 1e-7;  // step² of truncation, ε/step = 2e-10 of rounding, lively values

/// A point on two surfaces (friction along their curve), one on one (in a plane), speeds given, and a smooth law.
Model rough_model() {
  Model model;
  for (const char* name : {"x", "y", "z", "u", "v", "w"}) model.coordinates.push_back({.name = name});
  model.points = {{"P", {{"x", "x"}, {"y", "y + x^2/5"}, {"z", "z"}}}, {"Q", {{"x", "u"}, {"y", "v"}, {"z", "w"}}}};
  model.kinetic = "x'^2 + y'^2 + z'^2 + u'^2 + v'^2 + w'^2 + u'*x'/3";
  model.constraints = {{.name = "a", .formula = "P.z - P.x*P.y"},
                       {.name = "b", .formula = "P.y + P.z^2 - 1"},
                       {.name = "c", .formula = "Q.z - sin(Q.x)*Q.y"}};
  model.laws.resize(1);
  model.laws[0].name = "drag";
  model.laws[0].along = {{"x", "cos(u)"}, {"w", 2.0}};
  model.laws[0].formula = "force.drag + 0.1*force.drag^3 = lambda.a*lambda.c*tanh(x') + sin(t)*force.line";
  model.frictions = {
      {.name = "curve", .on = {{"a"}, {"b"}}, .along = {}, .coefficient = "0.3 + 0.1*x'^2"},
      {.name = "plane", .on = {{"c"}}, .along = {}, .coefficient = 0.2, .stiction = 0.4},
      {.name = "line", .on = {{"a"}, {"c"}}, .along = {"x' + u'*sin(x) - 0.2"}, .coefficient = "u^2"},
      {.name = "given", .on = {{"b"}}, .along = {"y'", "z'"}, .coefficient = 0.1, .normal = "lambda.b*sqrt(1 + z^2)"}};
  return model;
}

class LawsAtRandom : public testing::TestWithParam<int> {
 protected:
  LawsAtRandom() : system(rough_model()), w(system.workspace()) {
    std::mt19937 random(GetParam());
    std::uniform_real_distribution<double> value(0.3, 1.5);
    const Shape& s = system.shape();
    const auto draw = [&](Eigen::Index n) { return Vector(Vector::NullaryExpr(n, [&] { return value(random); })); };
    state = {0.4, draw(s.nq()), draw(s.n())};
    lambda = draw(s.m()), tau = draw(static_cast<Eigen::Index>(s.laws.size()));
    sense = draw(tau.size());
  }
  Vector law(const Vector& multipliers, const Vector& forces) {
    system.laws(state, multipliers.data(), forces.data(), sense.data(), *w);
    return w->terms.law;
  }

  EquationSystem system;
  std::unique_ptr<Workspace> w;
  State state;
  Vector lambda, tau, sense;
};

TEST_P(LawsAtRandom, TheGradientIsThatOfTheLaw) {
  law(lambda, tau);
  const Matrix gradient = w->terms.law_gradient;
  for (Eigen::Index j = 0; j < gradient.cols(); ++j) {
    Vector up = lambda, down = lambda, tau_up = tau, tau_down = tau;
    if (j < lambda.size())
      up[j] += step, down[j] -= step;
    else
      tau_up[j - lambda.size()] += step, tau_down[j - lambda.size()] -= step;
    const Vector ahead = law(up, tau_up), behind = law(down, tau_down);
    EXPECT_LT((gradient.col(j) - (ahead - behind) / (2 * step)).norm(), tolerance) << j;
  }
}

TEST_P(LawsAtRandom, TheForceOfAContactActsAlongItsSpeed) {
  const Shape& s = system.shape();
  system.acceleration(state, *w);
  Matrix T(s.n(), s.laws.size()), C(s.m(), s.n());
  s.T.scatter(w->terms.T, T);
  s.C.scatter(w->terms.C, C);
  for (const Contact& contact : s.contacts)
    for (std::size_t k = 0; k < contact.laws.size(); ++k)
      EXPECT_LT((T.col(contact.laws[k]) - C.row(contact.rows[k]).transpose()).norm(), 1e-14) << contact.name;
}

TEST_P(LawsAtRandom, AtAPointSpeedsAreAlongUnitVectorsInTheSurface) {
  // of Q, whose coordinates are u, v, w: the tangents are the columns of T, at right angles to ∂f/∂x and to each other
  const Shape& s = system.shape();
  const Contact& plane = s.contacts[1];
  system.acceleration(state, *w);
  Matrix T(s.n(), s.laws.size()), C(s.m(), s.n());
  s.T.scatter(w->terms.T, T);
  s.C.scatter(w->terms.C, C);
  const Vector one = T.col(plane.laws[0]), two = T.col(plane.laws[1]);
  EXPECT_NEAR(one.norm(), 1.0, 1e-14);  // unit vectors of a frame: rounding
  EXPECT_NEAR(two.norm(), 1.0, 1e-14);
  EXPECT_NEAR(one.dot(two), 0.0, 1e-14);
  EXPECT_NEAR(C.row(2).dot(one), 0.0, 1e-14);
  EXPECT_NEAR(C.row(2).dot(two), 0.0, 1e-14);
  // sliding: τ = −μ |λ| ‖∂f/∂x‖ v_t/|v_t|, and sticking bears twice of that
  system.velocity(state, *w);
  const Vector speed = w->terms.phi(plane.rows);
  law(lambda, Vector::Zero(tau.size()));
  const double normal = std::abs(lambda[2]) * C.row(2).norm();
  for (int k = 0; k < 2; ++k)
    EXPECT_NEAR(w->terms.law[plane.laws[k]],
                0.2 * normal * speed[k] / speed.norm() * (speed.dot(Vector(sense(plane.laws))) > 0 ? 1 : -1), 1e-14);
  EXPECT_NEAR(w->terms.hold[1], 0.4 * normal, 1e-14);  // rounding of a product
  EXPECT_EQ(w->terms.coefficient[1], 0.2);
}

INSTANTIATE_TEST_SUITE_P(States, LawsAtRandom, testing::Range(1, 6));

}  // namespace
}  // namespace maggi
