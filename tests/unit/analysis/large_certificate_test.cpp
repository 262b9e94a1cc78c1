// What is said of large systems without dense matrices, and what is left out by name.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/mobility.hpp"
#include "analysis/redundancy.hpp"
#include "dynamics/dynamics.hpp"
#include "maggi/error.hpp"
#include "results/multipliers.hpp"
#include "start/initial_conditions.hpp"
#include "support/four_bar_chain.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct AtStart {
  explicit AtStart(const Model& model)
      : system(MechanismSystem::make(model)),
        all_joints(system->absolute_twin()),
        dynamics(*system),
        start(find_initial_conditions(dynamics, system->start())) {}

  Redundancy of_joints() {
    analysis::AllRows all(*all_joints, dynamics);
    return find_redundancy_of_all(all, dynamics, start.state);
  }

  std::unique_ptr<MechanismSystem> system, all_joints;
  Dynamics dynamics;
  InitialConditions start;
};

class LargeCertificate : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(, LargeCertificate, ::testing::Values(10, 60, 1000), ::testing::PrintToStringParamName());

/// Small: on matrices; large: along the joints. They say the same.
TEST_P(LargeCertificate, AllRowsOfAChainAreIndependent) {
  AtStart at(test::four_bar_chain_of_bodies(GetParam()));
  for (const bool joints : {false, true}) {
    const Redundancy found = joints ? at.of_joints() : find_redundancy(at.dynamics, at.start.state);
    EXPECT_EQ(found.rank, joints ? 6 * GetParam() + 2 : 2 * GetParam());
    EXPECT_EQ(found.rank_nearby, found.rank);
    EXPECT_THAT(found.dependencies, IsEmpty());
    EXPECT_TRUE(std::ranges::all_of(found.unique, [](bool unique) { return unique; }));
    EXPECT_GT(found.distance_to_singularity, 1e-3);
  }
  EXPECT_EQ(undetermined_multipliers(at.dynamics, at.start.state).cols(), 0);
}

TEST(LargeMobility, LoopsAreSeenAndTheRestIsLeftOutByName) {
  AtStart at(test::four_bar_chain_of_bodies(1000));
  const Mobility mobility = find_mobility(at.dynamics, at.start.state, at.start.acceleration);
  EXPECT_THAT(mobility.left_out, HasSubstr("more than 3000 together"));
  const std::vector<PartialMobility> loops =
      find_mobility_of({{0, 1}, {1998, 1999}}, at.dynamics, at.start.state, at.start.acceleration);
  for (const PartialMobility& loop : loops) {
    EXPECT_EQ(loop.velocities, 3);  // two cranks on the ground and the coupler on one of them
    EXPECT_EQ(loop.rank, 2);
  }
}

TEST(LargeRedundancy, DependentRowsAreFoundUpToALimitAndRefusedBeyondIt) {
  // every coupler twice: parallel rods of the same length say one of two things again
  const auto doubly = [](int loops) {
    std::string text = "title = \"Doubly\"\ndimension = 2\n", joints = "[joint]\n";
    for (int k = 0; k <= loops; ++k) {
      text += fmt::format("[body.crank_{0}]\nshape = \"rod\"\nmass = 1.0\nfrom = [{0}, 0]\nto = [{0}, 1]\n", k);
      joints += fmt::format("pin_{0} = {{ revolute = [\"ground\", \"crank_{0}\"], at = [{0}, 0] }}\n", k);
    }
    for (int k = 1; k <= loops; ++k) {
      joints += fmt::format("rod_{0} = {{ distance = [\"crank_{1}\", \"crank_{0}\"], at = [{1}, 1], to = [{0}, 1] }}\n",
                            k, k - 1);
      joints += fmt::format(
          "low_{0} = {{ distance = [\"crank_{1}\", \"crank_{0}\"], at = [{1}, 0.5], to = [{0}, 0.5] }}\n", k, k - 1);
    }
    return parse_model(text + joints, "doubly.toml");
  };
  AtStart at(doubly(70));  // 71 coordinates, 140 rows: beyond the size at which no matrices are made at once
  const Redundancy found = find_redundancy(at.dynamics, at.start.state);
  EXPECT_EQ(found.rank, 70);
  EXPECT_EQ(found.dependencies.size(), 70u);
  EXPECT_THROW(
      {
        try {
          AtStart(doubly(450)).of_joints();
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), HasSubstr("more than 3000 together"));
          throw;
        }
      },
      Error);
}

}  // namespace
}  // namespace maggi
