// What rounding may have changed of typed numbers, blocks of loops.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "maggi/error.hpp"
#include "maggi/mechanism_builder.hpp"
#include "support/reference.hpp"
#include "system/mechanism/reference/data_errors.hpp"
#include "system/mechanism/rounding/blocks.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::test {
namespace {

double half_unit_of(const std::vector<Formula>& values) { return mechanism::half_unit({values}); }

TEST(HalfUnit, IsThatOfTheLastDecimal) {
  EXPECT_EQ(half_unit_of({"0.8660254", "0.5", "0"}), 0.5e-7);
  EXPECT_EQ(half_unit_of({"-1.2345", "0"}), 0.5e-4);
  EXPECT_EQ(half_unit_of({"1.25e-4"}), 0.5e-6);
  EXPECT_EQ(half_unit_of({"123456.5e-6"}), 0.5e-7);
  EXPECT_EQ(half_unit_of({"0.123456789012"}), 0.5e-12);
}

/// Large and small numbers are rounded before their exponents.
TEST(HalfUnit, OfNumbersWithExponents) {
  EXPECT_DOUBLE_EQ(half_unit_of({"1.2346e-9", "0"}), 0.5e-13);
  EXPECT_DOUBLE_EQ(half_unit_of({"-1.2346e+6", "0.5000e6"}), 0.5e2);
  EXPECT_EQ(half_unit_of({"1.2e-20"}), 0.0);
}

TEST(HalfUnit, FewDecimalsDoublesAndFormulasAreExact) {
  EXPECT_EQ(half_unit_of({"0.125", "1e-3", "2"}), 0.0);
  EXPECT_EQ(half_unit_of({"0.8660254037844386"}), 0.0);
  EXPECT_EQ(half_unit_of({"sqrt(3)/2", "l"}), 0.0);
  EXPECT_EQ(half_unit_of({"1e-30"}), 0.0);
}

Model ladder(int rungs) {  // four-bars in a row, then a pendulum on the last one
  MechanismBuilder m(planar);
  const auto rod_at = [&](const std::string& name, double x) { return m.body(name, rod({x, 0}, {x, 1}, 1)); };
  rod_at("c0", 0);
  m.revolute("a0", m.ground(), Reference{"c0"}, {0, 0});
  for (int k = 0; k < rungs; ++k) {
    const double x = k;
    const std::string crank = fmt::format("c{}", k + 1), coupler = fmt::format("k{}", k);
    rod_at(crank, x + 1);
    m.body(coupler, rod({x, 1}, {x + 1, 1}, 1));
    m.revolute(fmt::format("a{}", k + 1), m.ground(), Reference{crank}, {x + 1, 0});
    m.revolute(fmt::format("l{}", k), Reference{fmt::format("c{}", k)}, Reference{coupler}, {x, 1});
    m.revolute(fmt::format("r{}", k), Reference{coupler}, Reference{crank}, {x + 1, 1});
  }
  m.body("bob", rod({5, 0}, {5, -1}, 1));
  m.revolute("hang", m.ground(), Reference{"bob"}, {5, 0});
  return m.model();
}

TEST(Blocks, LoopsThatShareJointsAreTogether) {
  const Model model = ladder(3);
  const Numbers numbers(model);
  const mechanism::Drawing drawing(model, numbers);
  const auto blocks = mechanism::loop_blocks(drawing);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].size(), 10u);  // all but the pendulum
  const auto loops = mechanism::short_loops(drawing, blocks[0]);
  ASSERT_EQ(loops.size(), 3u);
  for (const auto& loop : loops) EXPECT_EQ(loop.size(), 4u);
}

TEST(DataTolerance, OutOfRangeIsAnError) {
  for (const char* value : {"-1e-6", "0.1"}) {
    Model model = ladder(1);
    model.mechanism.data_tolerance = Formula(value);
    try {
      (void)MechanismSystem::make(model);
      FAIL() << value;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("data_tolerance is"), std::string::npos) << error.what();
    }
  }
}

/// Axes of a universal joint that are normal to each other but for the rounding of their decimals.
TEST(DataTolerance, UniversalJointWithTypedAxes) {
  MechanismBuilder m(spatial);
  m.body("arm", rigid_body({0, 0, 0}, 1, {1, 1, 1}));
  m.universal("u", m.ground(), Reference{"arm"}, {0, 0, 0}, {0.8660254, 0.5, 0}, {-0.5000004, 0.8660254, 0.12});
  EXPECT_NO_THROW((void)MechanismSystem::make(m.model()));
}

}  // namespace
}  // namespace maggi::test
