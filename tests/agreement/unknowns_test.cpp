// (q, v), (q, u) on every basis and independent coordinates only: one motion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "basis/continuity.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"
#include "start/initial_conditions.hpp"
#include "support/available.hpp"
#include "support/motion.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

struct Choice {
  std::string unknowns, basis, continuity;
};

std::vector<Choice> all_choices(bool local) {
  std::vector<Choice> choices{{"independent", "", ""}};
  for (const std::string& basis : basis_names()) {
    if (basis == "local" && !local) continue;
    choices.push_back({"tangent", basis, ""});
  }
  for (const char* continuity : {"procrustes", "procrustes-mass", "warm-start"})
    choices.push_back({"tangent", "qr", continuity});
  return choices;
}

Recording follow(const Model& model, const Choice& choice, IntegrateOptions options, Statistics* statistics = nullptr) {
  const EquationSystem system(model);
  Dynamics dynamics(system, "auto", choice.basis);
  const State start = find_initial_conditions(dynamics, system.start()).state;
  options.unknowns = choice.unknowns;
  if (!choice.continuity.empty()) options.continuity = choice.continuity;
  Recording recording;
  const IntegrationResult run = integrate(dynamics, start, recording, options);
  EXPECT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
  if (statistics) *statistics = run.statistics;
  return recording;
}

double difference(const Recording& a, const Recording& b) {
  EXPECT_EQ(a.samples.size(), b.samples.size());
  Largest error, q(1.0), v(1.0);
  for (const Stored& s : a.samples) q.note(s.q), v.note(s.v);
  for (std::size_t i = 0; i < std::min(a.samples.size(), b.samples.size()); ++i) {
    error.note(largest(a.samples[i].q - b.samples[i].q) / q.value());
    error.note(largest(a.samples[i].v - b.samples[i].v) / v.value());
  }
  return error.value();
}

class Unknowns : public testing::TestWithParam<std::tuple<const char*, const char*, double>> {};

TEST_P(Unknowns, AllGiveTheSameMotion) {
  const auto [name, integrator, until] = GetParam();
  if (!test::is_available(integrator)) GTEST_SKIP() << "this build has no " << integrator;
  const Model model = Motion::from_file(name);
  const IntegrateOptions options{.until = until,
                                 .output = until / 20,
                                 .rtol = 1e-11,
                                 .atol = 1e-13,
                                 .step = integrator == std::string("rk4") ? 1e-4 : 0.0,
                                 .integrator = integrator};
  const Recording velocities = follow(model, {"velocities", "", ""}, options);
  for (const Choice& choice : all_choices(false)) {
    SCOPED_TRACE(choice.unknowns + " " + choice.basis + " " + choice.continuity);
    const Recording other = follow(model, choice, options);
    EXPECT_LT(difference(velocities, other), 1e-8);  // what is promised; rtol leaves three digits to spare
    for (const Stored& s : other.samples) {
      EXPECT_LT(s.residuals.position, 1e-12);  // what the projection leaves, 1e-13 (1 + |x|) with |x| below 10
      EXPECT_LT(s.residuals.velocity, 1e-12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, Unknowns,
    testing::Values(std::tuple("spatial_four_bar", "dopri5", 3.0), std::tuple("andrews_squeezer", "dopri5", 0.03),
                    std::tuple("moving_pendulum_driven", "dopri5", 2.0), std::tuple("four_bar_cut_ground", "rk4", 0.5),
                    std::tuple("chaplygin_sleigh", "dopri5", 2.0), std::tuple("car_axis", "dopri5", 0.5),
                    std::tuple("acceleration_level", "dopri5", 1.0), std::tuple("parallel_rods", "dopri5", 1.0),
                    std::tuple("spatial_four_bar", "dop853", 3.0), std::tuple("parallel_rods", "dop853", 1.0),
                    std::tuple("spatial_four_bar", "cvode-bdf", 1.0)),
    [](const auto& test) {
      std::string name = std::string(std::get<0>(test.param)) + "_" + std::get<1>(test.param);
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

/// cos q2 = 0 at q1 = 0 and q1 = 0.9273: there q2 cannot be the dependent coordinate.
TEST(Unknowns, PassPositionsWhereTheFirstPartitionIsSingular) {
  Model model = Motion::from_file("spatial_four_bar");
  model.coordinates[0].speed = 4.0;
  const IntegrateOptions options{.until = 3.0, .output = 0.02, .rtol = 1e-12, .atol = 1e-14};
  const Recording reference = follow(model, {"velocities", "", ""}, options);
  std::vector<double> cosines;
  for (const Stored& s : reference.samples) cosines.push_back(std::abs(std::cos(s.q[1])));
  ASSERT_LT(std::ranges::min(cosines), 0.05);  // the motion comes close to it, and cos q2 changes its sign there
  ASSERT_GT(std::ranges::max(cosines), 0.4);
  for (const Choice& choice : {Choice{"independent", "", ""}, Choice{"tangent", "lu", ""}}) {
    SCOPED_TRACE(choice.unknowns);
    Statistics statistics;
    const Recording other = follow(model, choice, options, &statistics);
    EXPECT_GT(statistics.restarts, 0);
    EXPECT_LT(difference(reference, other), 1e-8);
  }
}

TEST(Unknowns, TangentVelocitiesStartFromTheProjection) {
  // u₀ = W_dᵀ M v₀ is what mass-gram-schmidt gives; Zᵀv of the others
  const EquationSystem system(Motion::from_file("moving_pendulum_driven"));
  Dynamics dynamics(system);
  const State start = find_initial_conditions(dynamics, system.start()).state;
  Equations e{Matrix(3, 3), Vector::Zero(3), Matrix(1, 3), Vector::Zero(1)};
  const auto w = system.workspace();
  system.velocity(start, *w);
  system.shape().M.scatter(w->terms.M, e.M);
  system.shape().C.scatter(w->terms.C, e.C);
  for (const std::string& name : basis_names()) {
    if (name == "local") continue;
    const auto basis = make_smooth_basis(name, std::nullopt, 3, 1);
    ASSERT_TRUE(basis->compute(e));
    Vector u(2), general(2);
    basis->tangent(start.v, u);
    const Matrix D = basis->D();
    EXPECT_LT((D * u - start.v).norm(), 1e-13) << name;  // scleronomic: v = D u
    general = (D.transpose() * e.M * D).ldlt().solve(D.transpose() * e.M * start.v);
    EXPECT_LT((u - general).norm(), 1e-13) << name;  // rounding of one product with D
  }
}

TEST(Unknowns, WhatDoesNotFitIsRefused) {
  const auto refused = [](const char* model, IntegrateOptions options, const char* basis = "") {
    try {
      const EquationSystem system(Motion::from_file(model));
      Dynamics dynamics(system, "auto", basis);
      const State start = find_initial_conditions(dynamics, system.start()).state;
      Recording recording;
      integrate(dynamics, start, recording, options);
    } catch (const Error& error) { return std::string(error.what()); }
    return std::string();
  };
  using testing::HasSubstr;
  EXPECT_THAT(refused("pendulum", {.continuity = "procrustes"}), HasSubstr("is of no use with unknowns = velocities"));
  EXPECT_THAT(refused("pendulum", {.unknowns = "tangent", .continuity = "procrustes"}, "lu"),
              HasSubstr("basis \"lu\" is smooth by itself"));
  EXPECT_THAT(refused("pendulum", {.unknowns = "tangent", .continuity = "frozen"}, "svd"),
              HasSubstr("its columns turn freely"));
  EXPECT_THAT(refused("pendulum", {.drift = "baumgarte", .unknowns = "tangent"}),
              HasSubstr("do not affect the tangent velocities u"));
  EXPECT_THAT(refused("pendulum", {.drift = "pi", .unknowns = "independent"}), HasSubstr("nothing drifts"));
  EXPECT_THAT(refused("pendulum", {.integrator = "ida", .unknowns = "tangent"}), HasSubstr("integrator = ida"));
  EXPECT_THAT(refused("pendulum", {.integrator = "ida", .drift = "baumgarte"}), HasSubstr("integrator = ida"));
}

}  // namespace
}  // namespace maggi::test
