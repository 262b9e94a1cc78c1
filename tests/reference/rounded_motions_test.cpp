// Mechanisms with redundant joints whose data are rounded, slightly wrong, or far away from the origin. The values were
// computed apart from maggi: by absolute coordinates and a truncated singular value decomposition, or in closed form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/largest.hpp"
#include "maggi/simulation.hpp"
#include "support/measured.hpp"
#include "support/reference.hpp"
#include "system/make_system.hpp"

namespace maggi::test {
namespace {

struct Value {
  const char* file;
  const char* channel;
  double until;
  double end;
  double tolerance;  // ten units of the last decimal of the data, or half a unit of that of the value
};

const std::vector<Value>& values() {
  static const std::vector<Value> all{
      {"four_bar_space_7_digits", "a.angle", 1.0, 4.161982, 1e-6},
      {"four_bar_space_8_digits", "a.angle", 1.0, 4.161982, 1e-6},
      {"four_bar_space_10_digits", "a.angle", 1.0, 4.161982, 1e-6},
      {"bennett_6_digits", "J1.angle", 1.0, 1.987454, 1e-5},
      {"bennett_10_digits", "J1.angle", 1.0, 1.987454, 1e-6},
      {"bricard_4_digits", "h1.angle", 1.0, 1.857104, 1e-3},
      {"bricard_6_digits", "h1.angle", 1.0, 1.857104, 1e-5},
      {"door_hinge_100_nm", "low.angle", 1.0, -3.102297, 1e-6},
      {"door_hinge_10_pm", "low.angle", 1.0, -3.102297, 1e-6},
      {"door_tilted_10_digits", "low.angle", 1.0, -4.148579, 1e-6},
      {"cranks_1e-6", "A.angle", 0.5, -0.900162, 1e-5},
      {"cranks_1e-10", "A.angle", 0.5, -0.900162, 1e-6},
      {"sarrus_6_digits", "foot0.angle", 0.3, 0.283437, 1e-5},
      {"sarrus_6_digits", "foot0.angle", 1.0, 3.543735, 1e-5},  // through its flat configuration
      {"driven_four_bar_7_digits", "d.angle", 1.0, 0.073159, 1e-6},
      {"driven_four_bar_7_digits", "b.angle", 1.0, -0.667916, 1e-6},
      {"door_skew_9_digits", "h0.angle", 1.0, NAN, 1e-7},  // the end of door_skew_17_digits
  };
  return all;
}

Model rounded_mechanism(const std::string& name) {
  return read_model(source_path("tests/reference/rounded/" + name + ".toml"));
}

double end_of(const Model& model, const std::string& channel, double until) {
  Simulation simulation(model);
  RunOptions options;
  options.until = until;
  options.rtol = 1e-10;
  options.atol = 1e-12;
  const Motion motion = simulation.run(options);
  EXPECT_EQ(motion.outcome(), Outcome::reached_end) << motion.explanation();
  return motion[channel].back();
}

class RoundedMotion : public testing::TestWithParam<Value> {};

TEST_P(RoundedMotion, EndsWhereExactDataEnd) {
  const Value& value = GetParam();
  const double end =
      std::isnan(value.end) ? end_of(rounded_mechanism("door_skew_17_digits"), value.channel, value.until) : value.end;
  const double error =
      std::remainder(end_of(rounded_mechanism(value.file), value.channel, value.until) - end, 2.0 * std::numbers::pi);
  EXPECT_LE(std::abs(error), value.tolerance);
  record("error", error);
}

std::string name_of(const testing::TestParamInfo<Value>& info) {
  std::string name = fmt::format("{}_{}_{}", info.param.file, info.param.channel, info.param.until);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, RoundedMotion, testing::ValuesIn(values()), name_of);

int degrees_of_freedom(const std::string& name) {
  Simulation simulation(rounded_mechanism(name));
  const Check& check = simulation.check();
  const Check::Data& data = check.data();
  (void)data;
  return check.degrees_of_freedom();
}

TEST(RoundedData, DegreesOfFreedom) {
  for (const char* name : {"hinge_hair", "door_skew_9_digits", "parallel_cranks_12_digits", "chain_20_loops_7_digits",
                           "map_coordinates", "four_bar_space_7_digits", "bennett_6_digits", "door_hinge_10_pm"})
    EXPECT_EQ(degrees_of_freedom(name), 1) << name;
  EXPECT_EQ(degrees_of_freedom("floating_far_away"), 7);
}

/// A ring of gears of which one ratio is typed as 0.3333333: C = A, B = A/3, and all three inertias resist the torque.
TEST(RoundedData, RingOfGears) {
  Simulation simulation(rounded_mechanism("gears_rounded_ratio"));
  EXPECT_EQ(simulation.check().degrees_of_freedom(), 1);
  const InitialConditions& start = simulation.start();
  EXPECT_NEAR(start.acceleration.vdot[0], 1.0 / (0.02 * (1.0 + 1.0 / 9.0 + 1.0)),
              1e-5);  // of 24, ratio with 7 decimals
}

/// A drawing that meets all constraints within the rounding of its numbers is the start.
TEST(RoundedData, DrawingFarAwayIsTheStart) {
  Simulation simulation(rounded_mechanism("floating_far_away"));
  const State& start = simulation.start().state;
  const Shape& shape = simulation.system().shape();
  for (int i = 0; i < shape.nq(); ++i)
    EXPECT_NEAR(start.q[i], shape.coordinates[i].name.ends_with(".qw") ? 1.0 : 0.0, 1e-12) << shape.coordinates[i].name;
}

TEST(RoundedData, RigidInSecondOrder) {
  const auto system = MechanismSystem::make(rounded_mechanism("truss_in_line"));
  ASSERT_EQ(system->rounded_loops().size(), 1u);
  EXPECT_EQ(system->rounded_loops()[0].finding, MechanismSystem::RoundedLoop::Finding::shaky);
}

/// y = x tan 30° and the same with a slope of 4 to 12 decimals, near the origin and far away.
Model line_twice(double slope, int decimals, double x) {
  Model model;
  model.coordinates = {{.name = "x", .guess = Formula(x)}, {.name = "y", .guess = Formula(x * slope)}};
  model.kinetic = "(x'^2 + y'^2)/2";
  model.potential = "9.81*y";
  model.constraints = {{.name = "a", .formula = "y = x*tan(pi/6)"},
                       {.name = "b", .formula = fmt::format("y = {:.{}f}*x", slope, decimals)}};
  return model;
}

TEST(RoundedFormulas, AreTakenAsWhatIsMeant) {
  for (const int decimals : {4, 5, 6, 8, 10, 12})
    for (const double x : {0.0, 1.0, 1e3}) {
      SCOPED_TRACE(fmt::format("{} decimals at {}", decimals, x));
      Simulation simulation(line_twice(std::tan(std::numbers::pi / 6), decimals, x));
      const Check& check = simulation.check();
      EXPECT_EQ(check.degrees_of_freedom(), 1);
      EXPECT_EQ(check.redundant(), std::vector<std::string>{"b"});
      EXPECT_EQ(check.not_unique(), (std::vector<std::string>{"a", "b"}));
      const Vector& vdot = simulation.start().acceleration.vdot;
      EXPECT_NEAR(vdot[0], -4.247854605562671, 1e-9);  // −g sin 30° cos 30°, the data exact but for rounding
      EXPECT_NEAR(vdot[1], -2.4525, 1e-9);
      RunOptions options;
      options.until = 1.0;
      const Motion motion = simulation.run(options);
      ASSERT_EQ(motion.outcome(), Outcome::reached_end) << motion.explanation();
      ASSERT_EQ(motion.summary().rounded_data.size(), 1u);
      EXPECT_NE(motion.summary().rounded_data[0].find("0.57735026919"), std::string::npos)
          << motion.summary().rounded_data[0];
    }
}

/// Two lines that meet in a point: the sentence says what would make them one, and works when it is followed.
TEST(RoundedFormulas, RemedyOfALock) {
  Model model = line_twice(std::tan(std::numbers::pi / 6) + 1e-3, 6, 0.0);
  Simulation locked(model);
  EXPECT_EQ(locked.check().degrees_of_freedom(), 0);
  const auto found = rounded_data(locked.system());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].finding, MechanismSystem::RoundedLoop::Finding::locked);
  const std::string key = "set data_tolerance = ";
  const std::size_t at = found[0].text.find(key);
  ASSERT_NE(at, std::string::npos) << found[0].text;
  model.mechanism.data_tolerance = Formula(std::stod(found[0].text.substr(at + key.size())));
  EXPECT_EQ(Simulation(model).check().degrees_of_freedom(), 1);
}

/// Constraints that are different by more than rounding are not touched.
TEST(RoundedFormulas, ExactOnesAreLeftAlone) {
  Model model = line_twice(0.3, 4, 0.0);
  EXPECT_TRUE(rounded_data(Simulation(model).system()).empty());
  model.constraints.pop_back();
  EXPECT_TRUE(rounded_data(Simulation(model).system()).empty());
}

/// Masses of 1e-13 and 1e9 kg: x = 0 and x + y = 0 are independent, and hold both with λ₁ = 1e9, λ₂ = −1e9.
TEST(RankIsGeometry, WhateverTheMasses) {
  Simulation simulation(read_model(source_path("tests/trials/models/mass_ratio.toml")));
  EXPECT_EQ(simulation.check().degrees_of_freedom(), 0);
  EXPECT_EQ(simulation.check().rank(), 2);
  EXPECT_TRUE(simulation.check().not_unique().empty());
  const Acceleration& start = simulation.start().acceleration;
  EXPECT_NEAR(start.lambda[0] / 1e9, 1.0, 1e-9);  // sines of 1e-6 between the rows
  EXPECT_NEAR(start.lambda[1] / 1e9, -1.0, 1e-9);
  EXPECT_NEAR(largest(start.vdot), 0.0, 1e-9);
}

/// The remedy of a lock works when it is followed.
TEST(RoundedData, RemedyOfALock) {
  for (const char* name : {"bennett_lock_1e-3", "cranks_lock_1e-3"}) {
    Model model = rounded_mechanism(name);
    const auto locked = MechanismSystem::make(model)->rounded_loops();
    ASSERT_EQ(locked.size(), 1u) << name;
    EXPECT_EQ(locked[0].finding, MechanismSystem::RoundedLoop::Finding::locked) << name;
    const std::string text = locked[0].text, key = "set data_tolerance = ";
    const std::size_t at = text.find(key);
    ASSERT_NE(at, std::string::npos) << text;
    model.mechanism.data_tolerance = Formula(std::stod(text.substr(at + key.size())));
    const auto moving = MechanismSystem::make(model)->rounded_loops();
    ASSERT_EQ(moving.size(), 1u) << name;
    EXPECT_TRUE(moving[0].moves()) << moving[0].text;
    EXPECT_EQ(moving[0].freedom, 1) << name;
  }
}

/// `repair = false` changes nothing and says the same; with a tolerance of 0 nothing is decided.
TEST(RoundedData, RepairCanBeLeftOut) {
  Model model = rounded_mechanism("four_bar_space_7_digits");
  model.mechanism.repair = false;
  const auto kept = MechanismSystem::make(model);
  ASSERT_EQ(kept->rounded_loops().size(), 1u);
  EXPECT_TRUE(kept->rounded_loops()[0].moves());
  EXPECT_FALSE(kept->rounded_loops()[0].repaired);
  model.mechanism.data_tolerance = "0";
  EXPECT_TRUE(MechanismSystem::make(model)->rounded_loops().empty());
}

}  // namespace
}  // namespace maggi::test
