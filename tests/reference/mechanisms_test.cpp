// Published problems described by bodies and joints, against reference solutions, at every sample: ≤ 1e-9 in positions
// and velocities, ≤ 1e-7 in forces, relative to the largest magnitude of the column (tests/reference/README.md).
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "support/available.hpp"
#include "base/largest.hpp"
#include "support/in_space.hpp"
#include "support/measured.hpp"
#include "support/mechanism_run.hpp"
#include "support/reference.hpp"

namespace maggi::test {
namespace {

constexpr double state_tolerance = 1e-9, force_tolerance = 1e-7;

using Row = std::vector<double>;
using Value = std::function<double(const Row&)>;

std::vector<Row> rows_of(const nlohmann::json& table) {
  std::vector<Row> rows;
  for (const auto& values : table) {
    rows.emplace_back();
    for (const auto& value : values) rows.back().push_back(number(value));
  }
  return rows;
}

Value column(int i, double offset = 0.0, double factor = 1.0) {
  return [=](const Row& row) { return offset + factor * row[i]; };
}

/// Every reference row against the stored state at its time.
void expect_channel(const MechanismRun& run, const std::vector<Row>& reference, const std::string& channel,
                    const Value& value, double tolerance = state_tolerance) {
  const std::vector<double> ours = run[channel], t = run["t"];
  Largest size, error;
  for (const Row& row : reference) size.note(value(row));
  for (const Row& row : reference) {
    const auto k = static_cast<std::size_t>(std::lround((row[0] - t[0]) / (t[1] - t[0])));
    ASSERT_LT(k, t.size());
    EXPECT_NEAR(t[k], row[0], 1e-12 * (1.0 + row[0]));
    error.note(ours[k] - value(row));
  }
  ASSERT_LT(size.value(), INFINITY) << channel;
  EXPECT_LE(error.value(), tolerance * size.value()) << channel;
  record(channel, error.value() / size.value());
}

void expect_pendulum(const Model& model) {
  const auto reference = rows_of(read_reference("pendulum.json")["rows"]);
  const MechanismRun run(model, 10.0, 0.25);
  expect_channel(run, reference, "bob.centre.x", column(1));
  expect_channel(run, reference, "bob.centre.y", column(2));
  expect_channel(run, reference, "pin.angle'", [](const Row& r) { return r[1] * r[4] - r[2] * r[3]; });
  expect_channel(
      run, reference, "pin.force.x", [](const Row& r) { return -r[5] * r[1]; }, force_tolerance);
  expect_channel(
      run, reference, "pin.force.y", [](const Row& r) { return -r[5] * r[2]; }, force_tolerance);
}

TEST(Mechanisms, Pendulum) { expect_pendulum(read_example("rod_pendulum")); }
TEST(Mechanisms, PendulumInSpace) { expect_pendulum(in_space(read_example("rod_pendulum"))); }

void expect_four_bar(const Model& model) {
  const auto reference = rows_of(read_reference("four_bar.json")["rows"]);
  const MechanismRun run(model, 3.0, 0.1);
  const double th1 = 0.8, th2 = 0.76988074306664060;
  const double xB = 0.25, xC = 0.6;
  expect_channel(run, reference, "coupler.middle.x",
                 [=](const Row& r) { return xB * std::cos(r[1]) + xC / 2 * std::cos(r[2]); });
  expect_channel(run, reference, "coupler.middle.y",
                 [=](const Row& r) { return xB * std::sin(r[1]) + xC / 2 * std::sin(r[2]); });
  if (run.has("pin_1.angle")) {
    expect_channel(run, reference, "pin_1.angle", column(1, -th1));
    expect_channel(run, reference, "pin_1.angle'", column(4));
    expect_channel(run, reference, "pin_1.angle''", column(7), force_tolerance);
  }
  if (run.has("pin_2.angle"))
    expect_channel(run, reference, "pin_2.angle", [=](const Row& r) { return r[2] - r[1] - (th2 - th1); });
  // the reference has the force of the ground on the rocker, and of the rocker on the coupler; ours act on the second
  expect_channel(run, reference, "pin_4.force.x", column(10, 0, -1), force_tolerance);
  expect_channel(run, reference, "pin_4.force.y", column(11, 0, -1), force_tolerance);
  expect_channel(run, reference, "pin_3.force.x", column(12, 0, -1), force_tolerance);
  expect_channel(run, reference, "pin_3.force.y", column(13, 0, -1), force_tolerance);
}

TEST(Mechanisms, FourBar) { expect_four_bar(read_example("four_bar")); }

TEST(Mechanisms, FourBarInSpace) { expect_four_bar(in_space(read_example("four_bar"))); }

TEST(Mechanisms, FourBarCutAtEveryPin) {
  for (int pin = 1; pin < 4; ++pin) {  // pin_1 has the speed given: its coordinate is needed
    Model model = read_example("four_bar");
    model.mechanism.joints[pin].loop = true;
    expect_four_bar(model);
  }
}

TEST(Mechanisms, ParallelCranks) {
  const auto all = rows_of(read_reference("n_four_bar.json")["cases"][1]["rows"]);
  const std::vector<Row> reference(all.begin(), all.begin() + 3);  // to 0.5 s: the first singular configuration is at 0.71 s
  const MechanismRun run(read_example("parallel_cranks"), 0.5, 0.25);
  expect_channel(run, reference, "crank_0.B0.x", column(3));
  expect_channel(run, reference, "crank_0.B0.y", column(4));
  expect_channel(run, reference, "pin_1.angle", column(1, 0, -1));
  expect_channel(run, reference, "pin_2.angle'", column(2, 0, -1));
}

/// All seven angles to 0.05 s, their rates and accelerations, and the path of the pin F.
void expect_squeezer(const Model& model) {
  const auto r = read_reference("andrews_squeezer.json");
  const MechanismRun run(model, 0.05, 0.001);
  std::vector<Row> reference;
  for (const auto& s : r["samples"]) {
    Row& row = reference.emplace_back(Row{number(s["t"])});
    for (const char* part : {"q", "v", "a"})
      for (int i = 0; i < 7; ++i) row.push_back(number(s[part][i]));
    row.push_back(number(s["xF"])), row.push_back(number(s["yF"]));
  }
  ASSERT_EQ(reference.size(), 40u);
  const char* joints[] = {"O", "F", "B", "G", "A_5", "H", "A_7"};  // β, Θ, γ, φ, δ, ω, ε
  for (int i = 0; i < 7; ++i) {
    const std::string angle = std::string(joints[i]) + ".angle";
    expect_channel(run, reference, angle, column(1 + i, -number(r["q0"][i])));
    expect_channel(run, reference, angle + "'", column(8 + i));
    expect_channel(run, reference, angle + "''", column(15 + i), force_tolerance);
  }
  expect_channel(run, reference, "K1.F.x", column(22));
  expect_channel(run, reference, "K1.F.y", column(23));
}

TEST(Mechanisms, Squeezer) { expect_squeezer(read_example("squeezer")); }
TEST(Mechanisms, SqueezerInSpace) { expect_squeezer(in_space(read_example("squeezer"))); }

TEST(Mechanisms, Bricard) {
  const auto reference = rows_of(read_reference("bricard.json")["rows"]);
  const MechanismRun run(read_example("bricard"), 10.0, 0.25);
  EXPECT_EQ(run.dynamics.freedom(), 1);
  expect_channel(run, reference, "hinge_1.angle", column(1));
  expect_channel(run, reference, "hinge_1.angle'", column(2));
  for (int k = 0; k < 3; ++k) expect_channel(run, reference, std::string("rod_2.P3.") + "xyz"[k], column(3 + k));
}

TEST(Mechanisms, FlyballGovernor) {
  if (!test::is_available("cvode-bdf"))
    GTEST_SKIP() << "stiff, and this build has no cvode-bdf; stiff_test.cpp: radau5";
  const auto reference = rows_of(read_reference("flyball_governor.json")["rows"]);
  const MechanismRun run(read_example("flyball_governor"), 10.0, 0.25, 1e-12, 1e-13, "cvode-bdf");
  expect_channel(run, reference, "guide.distance", column(1, -0.5));
  expect_channel(run, reference, "pin_1.angle", column(2, -std::numbers::pi / 6));
  expect_channel(run, reference, "pin_2.angle", column(2, -std::numbers::pi / 6));
  expect_channel(run, reference, "spindle.angle", column(5));
  expect_channel(run, reference, "spindle.angle'", column(6));
}

TEST(Mechanisms, HeavyTop) {
  const auto reference = rows_of(read_reference("heavy_top.json")["rows"]);
  const MechanismRun run(read_example("heavy_top"), 2.0, 0.1);
  for (int k = 0; k < 3; ++k) {
    expect_channel(run, reference, std::string("top.centre.") + "xyz"[k], column(1 + k));
    expect_channel(run, reference, std::string("fix.w") + "xyz"[k], column(4 + k));
    expect_channel(run, reference, std::string("fix.force.") + "xyz"[k], column(7 + k), force_tolerance);
  }
}

TEST(Mechanisms, SpatialSliderCrank) {
  const auto reference = rows_of(read_reference("spatial_slider_crank.json")["rows"]);
  const MechanismRun run(read_example("spatial_slider_crank"), 5.0, 0.2);
  EXPECT_EQ(run.dynamics.freedom(), 2);
  expect_channel(run, reference, "pivot.angle", column(1, -std::numbers::pi / 2));
  expect_channel(run, reference, "pivot.angle'", column(2));
  expect_channel(run, reference, "guide.distance", column(3, -0.2));
  expect_channel(run, reference, "guide.distance'", column(4));
}

}  // namespace
}  // namespace maggi::test
