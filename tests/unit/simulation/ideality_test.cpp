// Reactions that are given: ideal, with friction, measured with errors.
#include "maggi/ideality.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "maggi/error.hpp"
#include "maggi/files.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"
#include "support/source_tree.hpp"
#include "support/tolerances.hpp"

namespace maggi::test {
namespace {

using testing::HasSubstr;

/// A bead on the parabola y = x²/2, of mass 1.
Simulation bead() {
  return Simulation(load_text(R"toml(
[coordinates]
x = { start = 0.8, speed = 1.2 }
y = {}
[energy]
kinetic = "x'^2/2 + y'^2/2"
potential = "9.81*y"
[constraint]
wire = { position = "y = x^2/2" }
)toml",
                              "bead.toml"));
}

/// λ (−x, 1) along the normal and f (1, x)/√(1 + x²) along the wire, at given places.
NamedColumns reactions(const std::function<double(double)>& friction) {
  NamedColumns columns{{"t", {}}, {"x", {}}, {"y", {}}, {"x'", {}}, {"y'", {}}, {"reaction.x", {}}, {"reaction.y", {}}};
  for (const double x : {0.0, 0.5, 1.5}) {
    const double lambda = 2.0 + x, f = friction(x), length = std::sqrt(1.0 + x * x);
    const std::vector<double> line{
        0.1 * x, x, x * x / 2, 2.0, 2.0 * x, -lambda * x + f / length, lambda + f * x / length};
    for (std::size_t i = 0; i < line.size(); ++i) columns[i].second.push_back(line[i]);
  }
  return columns;
}

TEST(Ideality, ANormalForceIsIdeal) {
  Simulation simulation = bead();
  const Ideality found = find_ideality(simulation, reactions([](double) { return 0.0; }));
  EXPECT_TRUE(found.ideal());
  EXPECT_TRUE(found.states_given);
  for (const Ideality::Instant& each : found.instants) EXPECT_LE(each.share, tolerance::rounding);
  EXPECT_THAT(to_text(found), HasSubstr("ideal: the reactions do no work"));
}

/// With mass 1 the metric is that of the plane: the working part is the friction itself, the motion is along the wire.
TEST(Ideality, FrictionWorksAlongTheWire) {
  Simulation simulation = bead();
  const Ideality found = find_ideality(simulation, reactions([](double x) { return -0.3 * x; }));
  EXPECT_FALSE(found.ideal());
  ASSERT_EQ(found.instants.size(), 3U);
  EXPECT_EQ(found.worst, 2U);
  const double x = 1.5, lambda = 3.5, f = -0.45;
  const double normal = lambda * std::sqrt(1 + x * x);
  EXPECT_NEAR(found.instants[2].share, std::abs(f) / std::hypot(normal, f), tolerance::rounding);
  EXPECT_NEAR(found.instants[2].motion[0], 1.0 / x, tolerance::rounding);  // largest entry 1: y' = x x'
  EXPECT_NEAR(found.instants[2].motion[1], 1.0, tolerance::rounding);
  EXPECT_NEAR(found.instants[2].power, f * 2.0 * std::sqrt(1 + x * x), tolerance::rounding * 10);
  EXPECT_NEAR(found.instants[2].work, f * std::sqrt(1 + x * x) / x, tolerance::rounding * 10);
  EXPECT_THAT(to_text(found), HasSubstr("not ideal"));
  EXPECT_THAT(to_json(found), HasSubstr("\"ideal\": false"));
}

TEST(Ideality, ErrorsOfMeasurementAreAllowedFor) {
  Simulation simulation = bead();
  const NamedColumns columns = reactions([](double) { return 1e-3; });
  EXPECT_FALSE(find_ideality(simulation, columns).ideal());
  EXPECT_TRUE(find_ideality(simulation, columns, {.tolerance = 1e-3}).ideal());
}

/// Without states they are those of the run: its own reactions are ideal there, and those of another time are not.
TEST(Ideality, WithoutStatesTheModelRuns) {
  Simulation simulation = bead();
  const Motion motion = simulation.run({.until = 0.4, .output = 0.1, .rtol = 1e-10});
  NamedColumns columns;
  for (const char* name : {"t", "reaction.x", "reaction.y"})
    columns.emplace_back(name, std::vector<double>(motion[name].begin(), motion[name].end()));
  const Ideality own = find_ideality(simulation, columns);
  EXPECT_FALSE(own.states_given);
  EXPECT_LE(own.instants[own.worst].share, 1e-7);  // two runs at different tolerances: 100 rtol of the usual 1e-8 each
  for (double& t : columns[0].second) t += 0.1;
  EXPECT_FALSE(find_ideality(simulation, columns).ideal());
}

TEST(Ideality, RefusesWhatItCannotUse) {
  Simulation simulation = bead();
  const auto refusal = [&](const std::function<void(NamedColumns&)>& change) {
    NamedColumns columns = reactions([](double) { return 0.0; });
    change(columns);
    try {
      (void)find_ideality(simulation, columns);
    } catch (const Error& error) { return std::string(error.what()); }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal([](NamedColumns& c) { c.pop_back(); }), HasSubstr("no column \"reaction.y\""));
  EXPECT_THAT(refusal([](NamedColumns& c) { c.erase(c.begin()); }), HasSubstr("no column \"t\""));
  EXPECT_THAT(refusal([](NamedColumns& c) { c.erase(c.begin() + 2); }), HasSubstr("none for \"y\""));
  EXPECT_THAT(refusal([](NamedColumns& c) { c[3].second.pop_back(); }), HasSubstr("has 2 numbers"));
  EXPECT_THAT(refusal([](NamedColumns& c) { c[0].second[2] = -1.0; }), HasSubstr("stands after"));
  EXPECT_THAT(refusal([](NamedColumns& c) { c[0].second[0] = -1.0; }), HasSubstr("before the start"));
  EXPECT_THAT(refusal([](NamedColumns& c) { c[5].second[1] = std::nan(""); }), HasSubstr("nan in line 2"));
  EXPECT_THAT(refusal([](NamedColumns& c) { c.push_back(c[5]); }), HasSubstr("two columns"));
  EXPECT_THAT(refusal([](NamedColumns& c) {
                for (auto& column : c) column.second.clear();
              }),
              HasSubstr("no instants"));
}

}  // namespace
}  // namespace maggi::test
