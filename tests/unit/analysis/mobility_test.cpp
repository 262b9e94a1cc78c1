#include "analysis/mobility.hpp"

#include <gtest/gtest.h>

#include "base/largest.hpp"
#include "dynamics/dynamics.hpp"
#include "start/initial_conditions.hpp"
#include "support/reference.hpp"
#include "system/make_system.hpp"

namespace maggi::test {
namespace {

TEST(Mobility, FreeMotionsKeepTheConstraintsAndAreCalledByOneVelocity) {
  for (const char* name :
       {"four_bar", "bricard", "squeezer", "parallel_rods", "spatial_four_bar", "stewart_platform", "n_pendulum"}) {
    SCOPED_TRACE(name);
    const auto system = make_system(read_example(name));
    Dynamics dynamics(*system);
    const InitialConditions start = find_initial_conditions(dynamics, system->start());
    const Mobility mobility = find_mobility(dynamics, start.state, start.acceleration);
    const Shape& shape = system->shape();
    const auto k = static_cast<int>(mobility.independent.size());
    ASSERT_EQ(k, dynamics.freedom());
    ASSERT_EQ(mobility.motions.rows(), shape.n());
    ASSERT_EQ(mobility.motions.cols(), k);
    const auto workspace = system->workspace();
    system->acceleration(start.state, *workspace);
    Matrix C(shape.m(), shape.n());
    shape.C.scatter(workspace->terms.C, C);
    // a basis of a well-conditioned C has C D = 0 to rounding; entries below 1e-12 of the largest are set to zero
    const double size = 1.0 + largest(mobility.motions);
    EXPECT_LT((C * mobility.motions).norm(), 1e-10 * size * (1.0 + C.norm()));
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j) EXPECT_NEAR(mobility.motions(mobility.independent[i], j), i == j, 1e-12);
  }
}

/// A row of acceleration level ties no velocities.
TEST(Mobility, AccelerationConstraintsLeaveVelocitiesFree) {
  const auto system = make_system(read_example("acceleration_level"));
  Dynamics dynamics(*system);
  const InitialConditions start = find_initial_conditions(dynamics, system->start());
  const Mobility mobility = find_mobility(dynamics, start.state, start.acceleration);
  EXPECT_EQ(dynamics.freedom(), 1);
  EXPECT_EQ(mobility.independent, (std::vector<int>{0, 1}));
  EXPECT_EQ(mobility.motions, Matrix::Identity(2, 2));
  EXPECT_EQ(mobility.constrained, Vector::Zero(2));
}

}  // namespace
}  // namespace maggi::test
