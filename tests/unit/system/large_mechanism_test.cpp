// Reading and assembling a mechanism costs in proportion to its size.
#include <gtest/gtest.h>

#include <ctime>

#include "dynamics/dynamics.hpp"
#include "start/initial_conditions.hpp"
#include "support/four_bar_chain.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi {
namespace {

double seconds(int loops) {
  const std::clock_t begin = std::clock();
  const auto system = MechanismSystem::make(test::four_bar_chain_of_bodies(loops));
  Dynamics dynamics(*system);
  find_initial_conditions(dynamics, system->start());
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(LargeMechanism, CostsInProportionToItsLoops) {
  seconds(50);  // the first one pays for pages and caches
  const double small = std::min(seconds(400), seconds(400)), large = seconds(3200);
  // 8 times as many; quadratic parts would make it 64, caches and the machine's other work leave room
  EXPECT_LT(large / small, 24.0) << small << " s and " << large << " s";
}

TEST(LargeMechanism, TreeAndLoopsOfAChain) {
  const auto system = MechanismSystem::make(test::four_bar_chain_of_bodies(300));
  EXPECT_EQ(system->shape().n(), 601);
  EXPECT_EQ(system->tree().size(), 601u);
  ASSERT_EQ(system->loops().size(), 300u);
  for (const MechanismSystem::Loop& loop : system->loops()) {
    EXPECT_EQ(loop.rows, 2);
    EXPECT_EQ(loop.around.size(), 3u) << loop.joint;  // two pins and the other end of the coupler
  }
}

}  // namespace
}  // namespace maggi
