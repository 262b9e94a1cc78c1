// Mechanisms that move because their data fit exactly, in random attitudes, places and sizes, with their data rounded
// to 4 to 12 decimals: the degrees of freedom are those of the exact mechanism, and the motion differs in proportion to
// the rounding. Beside them mechanisms with a real error, which are locked and are never taken for rounded ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "base/largest.hpp"
#include "maggi/simulation.hpp"
#include "support/linkages.hpp"
#include "support/measured.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::test {
namespace {

class RoundedFamily : public testing::TestWithParam<Family> {};

/// Degrees of freedom of every rounding, attitude, place and size; the least change is no larger than the rounding.
TEST_P(RoundedFamily, DegreesOfFreedom) {
  std::mt19937 random(7);
  Largest change;
  for (const int decimals : {4, 5, 6, 8, 10, 12})
    for (const double place : {0.0, 1e3}) {
      const Linkage linkage = moved(GetParam().second(), place, uniform(random, 0.7, 3.0), random);
      const auto system = MechanismSystem::make(model_of(linkage, decimals));
      const bool as_doubles = std::pow(10.0, -decimals) <= 10.0 * std::numeric_limits<double>::epsilon() * place;
      if (as_doubles && system->rounded_loops().empty()) continue;  // made exact without a word: 1e3 m, 12 decimals
      ASSERT_EQ(system->rounded_loops().size(), 1u) << decimals << " decimals";
      const MechanismSystem::RoundedLoop& loop = system->rounded_loops()[0];
      EXPECT_TRUE(loop.repaired) << decimals << " decimals: " << loop.text;
      EXPECT_EQ(loop.freedom, linkage.freedom) << decimals << " decimals: " << loop.text;
      // an axis of length 0.5 has twice the error of its numbers; 1.2 half units are the largest found elsewhere
      change.note(loop.change / (0.5 * std::pow(10.0, -decimals) / 0.5));
    }
  EXPECT_LE(change.value(), 1.5);
  record("change in half units", change.value());
}

/// Exact data are left alone.
TEST_P(RoundedFamily, ExactDataAreNotTouched) {
  std::mt19937 random(11);
  for (const double size : {1e-6, 1.0, 1e4})
    for (const double place : {0.0, 10.0}) {
      const Linkage linkage = moved(GetParam().second(), place * size, size, random);
      for (const auto& loop : MechanismSystem::make(model_of(linkage, 0))->rounded_loops())
        ADD_FAILURE() << size << ": " << loop.text;
    }
}

class RoundedFamilyMotion : public testing::TestWithParam<Family> {};

/// The motion of rounded data against that of exact data.
TEST_P(RoundedFamilyMotion, IsInProportionToTheRounding) {
  std::mt19937 random(13);
  for (const int decimals : {4, 6, 8, 10, 12}) {
    const Linkage linkage = moved(GetParam().second(), 0.0, 1.0, random);
    RunOptions options;
    options.until = 0.2;
    options.rtol = 1e-11;
    options.atol = 1e-13;
    Simulation exact(model_of(linkage, 0)), rounded(model_of(linkage, decimals));
    const Motion a = exact.run(options), b = rounded.run(options);
    ASSERT_EQ(a.outcome(), Outcome::reached_end) << a.explanation();
    ASSERT_EQ(b.outcome(), Outcome::reached_end) << b.explanation();
    EXPECT_EQ(b.summary().dof, linkage.freedom);
    Largest error;
    for (std::size_t k = 0; k < a.summary().q.size(); ++k) {
      ASSERT_EQ(a.summary().q[k].first, b.summary().q[k].first);
      error.note(a.summary().q[k].second - b.summary().q[k].second);
    }
    // the largest found with another implementation is 3 roundings of the data, for masses that are less alike 10 times
    constexpr double of_integration = 1e-9;
    EXPECT_LE(error.value(), 30.0 * std::pow(10.0, -decimals) + of_integration);
    record(fmt::format("error_{}", decimals), error.value() * std::pow(10.0, decimals));
  }
}

std::string family_name(const testing::TestParamInfo<Family>& info) { return info.param.first; }
INSTANTIATE_TEST_SUITE_P(Linkages, RoundedFamily, testing::ValuesIn(families()), family_name);

/// The motion of a spherical four-bar is compared in tests/reference/rounded_test.cpp: this one, with all digits, is
/// lost by the projection at a step.
std::vector<Family> families_that_run() {
  std::vector<Family> result;
  for (const Family& family : families())
    if (std::string(family.first) != "spherical_four_bar") result.push_back(family);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Linkages, RoundedFamilyMotion, testing::ValuesIn(families_that_run()), family_name);

/// One real error in an otherwise exact mechanism: no rounding, and the distance to a mechanism that moves is stated.
TEST(RealErrors, AreNotRounding) {
  struct Case {
    const char* name;
    Linkage linkage;
    int pin;
    V shift, tilt;
  };
  const std::vector<Case> cases{{"door", door(2), 1, {1e-3, 0, 0}, {0, 0, 0}},
                                {"tilted hinge", door(3), 1, {0, 0, 0}, {1e-3, 0, 0}},
                                {"tilted pin of a four-bar", four_bar(), 2, {0, 0, 0}, {1e-3, 5e-4, 0}},
                                {"longer crank", cranks(3), 3, {1e-3, 2e-3, 0}, {0, 0, 0}},
                                {"Bennett", bennett(), 2, {1e-3, -1e-3, 2e-3}, {0, 0, 0}}};
  std::mt19937 random(17);
  for (Case c : cases)
    for (const double error : {1.0, 0.1}) {
      Linkage linkage = c.linkage;
      linkage.pins[c.pin].at += error * c.shift;
      linkage.pins[c.pin].axis += error * c.tilt;
      const auto system = MechanismSystem::make(model_of(moved(linkage, 0.0, 1.0, random), 10));
      ASSERT_EQ(system->rounded_loops().size(), 1u) << c.name;
      const MechanismSystem::RoundedLoop& loop = system->rounded_loops()[0];
      EXPECT_EQ(loop.finding, MechanismSystem::RoundedLoop::Finding::locked) << c.name << ": " << loop.text;
      EXPECT_FALSE(loop.repaired);
      EXPECT_EQ(loop.freedom_missed, 1) << c.name;
      EXPECT_GT(loop.change, 1e-5 * error) << c.name;  // of errors of 1e-3 and the same, spread over a few joints
      EXPECT_LT(loop.change, 3e-3 * error) << c.name;
    }
}

}  // namespace
}  // namespace maggi::test
