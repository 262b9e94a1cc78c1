// The start of large systems with sparse matrices, beside the search with dense ones.
#include "start/sparse_start.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/largest.hpp"
#include "dynamics/dynamics.hpp"
#include "start/initial_conditions.hpp"
#include "start/start_attempt.hpp"
#include "support/four_bar_chain.hpp"
#include "system/make_system.hpp"

namespace maggi::integration {
namespace {

using testing::HasSubstr;

/// Parallel cranks with two couplers each, one above the other: one of four rows of each second coupler is redundant.
Model doubly_coupled(int loops) {
  std::string text = "title = \"Doubly coupled\"\ndimension = 2\ngravity = [0, -9.81]\n", joints = "[joint]\n";
  for (int k = 0; k <= loops; ++k) {
    text += fmt::format("[body.crank_{0}]\nshape = \"rod\"\nmass = 1.0\nfrom = [{0}, 0]\nto = [{0}, 1]\n", k);
    joints += fmt::format("pin_{0} = {{ revolute = [\"ground\", \"crank_{0}\"], at = [{0}, 0]{1} }}\n", k,
                          k == 0 ? ", speed = 2" : "");
  }
  for (int k = 1; k <= loops; ++k)
    for (const auto& [name, y] : {std::pair("high", 1.0), std::pair("low", 0.5)}) {
      text += fmt::format("[body.{2}_{0}]\nshape = \"rod\"\nmass = 1.0\nfrom = [{1}, {3}]\nto = [{0}, {3}]\n", k, k - 1,
                          name, y);
      joints += fmt::format(
          "{2}_left_{0} = {{ revolute = [\"crank_{1}\", \"{2}_{0}\"], at = [{1}, {3}] }}\n"
          "{2}_right_{0} = {{ revolute = [\"crank_{0}\", \"{2}_{0}\"], at = [{0}, {3}] }}\n",
          k, k - 1, name, y);
    }
  return parse_model(text + joints, "doubly.toml");
}

struct Case {
  const char* name;
  Model model;
  double off;  ///< how far the guess is from the constraints [rad]
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// Off the constraints redundant rows contradict each other, and which of them give way is nobody's choice: there the
/// guess is a start.
class SparseStartOf : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(, SparseStartOf,
                         ::testing::Values(Case{"chain", test::four_bar_chain_of_bodies(60, 3.0), 0.05},
                                           Case{"redundant", doubly_coupled(40), 0.0}),
                         [](const auto& test) { return test.param.name; });

TEST_P(SparseStartOf, IsThatOfTheDenseSearch) {
  const auto system = make_system(GetParam().model);
  const Shape& shape = system->shape();
  const auto w = system->workspace();
  Start start = system->start();
  for (int i = 1; i < shape.n(); ++i)
    if (!start.q[i].given) start.q[i].value = GetParam().off * std::sin(3.0 * i);
  ASSERT_TRUE(SparseStart::fits(shape, start));

  std::vector<int> rows(shape.m());
  for (int i = 0; i < shape.m(); ++i) rows[i] = i;
  State dense{start.t, Vector(shape.n()), Vector::Zero(shape.n())};
  for (int i = 0; i < shape.n(); ++i) dense.q[i] = start.q[i].value, dense.v[i] = start.v[i].value;
  State sparse = dense;
  const Demands demands = all_demands(shape, rows);

  SparseStart search(*system, *w, start, rows);
  SparseStart::Found q, v;
  ASSERT_TRUE(search.positions(sparse, q)) << search.residual();
  StartProblem positions(*system, *w, start, demands, {}, Stage::positions, dense);
  const Found dense_q = Search(positions).run(dense.q);
  ASSERT_TRUE(dense_q.success);
  EXPECT_LT(largest(dense_q.x - sparse.q), 1e-9);  // ε = 1e-10 of steps below 1
  EXPECT_EQ(dense_q.least_change, q.least_change);
  EXPECT_EQ(dense_q.solved_for, q.solved_for);

  dense.q = sparse.q;
  ASSERT_TRUE(search.velocities(sparse, v)) << search.residual();
  StartProblem velocities(*system, *w, start, demands, {}, Stage::velocities, dense);
  const Found dense_v = Search(velocities).run(dense.v);
  ASSERT_TRUE(dense_v.success);
  EXPECT_LT(largest(dense_v.x - sparse.v), 1e-9);
  EXPECT_EQ(dense_v.least_change, v.least_change);
  EXPECT_EQ(dense_v.solved_for, v.solved_for);
  EXPECT_NEAR(v.condition / dense_v.condition, 1.0, 0.1);  // an estimate, by so many steps of an iteration
}

TEST(SparseStart, IsForLargeSystemsWhoseValuesAreAllGuessed) {
  EXPECT_FALSE(SparseStart::fits(make_system(test::four_bar_chain_of_bodies(10))->shape(),
                                 make_system(test::four_bar_chain_of_bodies(10))->start()));
  const auto large = make_system(test::four_bar_chain_of_bodies(60));
  Start start = large->start();
  EXPECT_TRUE(SparseStart::fits(large->shape(), start));
  start.v[5].guessed = start.v[5].given = false;
  EXPECT_FALSE(SparseStart::fits(large->shape(), start));
}

TEST(SparseStart, ChainTurnsWithTheSpeedGiven) {
  const auto system = make_system(test::four_bar_chain_of_bodies(1000, 3.0));
  Dynamics dynamics(*system);
  const InitialConditions found = find_initial_conditions(dynamics, system->start());
  EXPECT_EQ(dynamics.formulation(), "recursive");
  EXPECT_EQ(found.free_positions, 1);
  EXPECT_EQ(found.free_velocities, 1);
  EXPECT_LT(found.residual_acceleration, 1e-12);  // rounding of 1000 loops
  for (int i = 0; i < system->shape().n(); ++i) {
    const std::string& name = system->shape().velocities[i].name;
    if (!name.starts_with("pin_")) continue;
    EXPECT_NEAR(found.state.v[i], -3.0, 1e-10) << name;  // as accepted at the start
  }
}

TEST(SparseStart, NamesWhatIsTooLargeToBeSearched) {
  Model model = test::four_bar_chain_of_bodies(800);
  for (Joint& joint : model.mechanism.joints)
    if (joint.name == "pin_400" || joint.name == "pin_401")  // two speeds that contradict each other
      joint.speed = {{"", Formula(joint.name == "pin_400" ? "1.0" : "2.0"), {}}};
  const auto system = make_system(model);
  Dynamics dynamics(*system);
  try {
    find_initial_conditions(dynamics, system->start());
    FAIL() << "a start was found";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("no consistent initial configuration was found"));
    EXPECT_THAT(error.what(), HasSubstr("more than 3000 together"));
  }
}

}  // namespace
}  // namespace maggi::integration
