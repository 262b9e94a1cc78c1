// What a page shows of many runs: some of them, bins of all, reasons in groups.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "io/toml/model_file.hpp"
#include "sweep/decimate.hpp"
#include "sweep/failure_groups.hpp"
#include "sweep/histogram.hpp"
#include "sweep/trend.hpp"

namespace maggi::sweep {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

Model model() {
  return parse_model(R"toml(
[parameters]
a = 1.0
b = 1.0
[coordinates]
x = { start = 1.0, speed = 0.0 }
[energy]
kinetic = "x'^2/2"
potential = "a*b*x^2/2"
[simulation]
until = 1.0
)toml",
                     "model.toml");
}

Design design(const std::vector<std::string>& over, std::optional<std::uint64_t> draws = std::nullopt) {
  std::vector<Axis> axes;
  for (const std::string& text : over) axes.emplace_back(text, model());
  return {axes, draws, 1, Design::Sampling::random};
}

TEST(Histogram, CountsEveryValueOnce) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(0.001 * i);
  const Histogram all = histogram(values);
  EXPECT_EQ(all.low, 0.0);
  EXPECT_EQ(all.high, 0.999);
  EXPECT_THAT(all.counts, testing::SizeIs(20));  // 2 ∛1000
  for (const std::uint64_t count : all.counts) EXPECT_EQ(count, 50);
}

TEST(Histogram, OfEqualValuesAndOfNone) {
  EXPECT_THAT(histogram(std::vector{2.0, 2.0, 2.0}).counts, ElementsAre(3));
  EXPECT_THAT(histogram({}).counts, IsEmpty());
  EXPECT_THAT(histogram(std::vector{-1.7e308, 1.7e308}).counts, ElementsAre(1, 0, 1));  // 2 ∛2, rounded up
}

TEST(Decimation, LeavesNothingOutThatFits) {
  const Decimation all = decimate(design({"a=1,2", "b=uniform(0,1)"}, 50), 100);
  EXPECT_EQ(all.runs.size(), 100);
  EXPECT_EQ(all.text, "");
}

TEST(Decimation, OfDrawsTheFirstAtEveryPoint) {
  const Decimation some = decimate(design({"a=1,2", "b=uniform(0,1)"}, 50), 6);
  EXPECT_THAT(some.runs, ElementsAre(0, 1, 2, 50, 51, 52));
  EXPECT_EQ(some.text, "of 50 draws the first 3");
}

TEST(Decimation, OfAGridIsAGrid) {
  const Design grid = design({"a=1:1:100", "b=1:1:7"});
  const Decimation some = decimate(grid, 100);
  EXPECT_LE(some.runs.size(), 100);
  EXPECT_EQ(some.text, "of a one value in 8");
  std::set<double> a, b;
  for (const std::uint64_t run : some.runs) a.insert(grid.value(run, 0)), b.insert(grid.value(run, 1));
  EXPECT_EQ(a.size() * b.size(), some.runs.size());
  EXPECT_THAT(b, testing::SizeIs(7));
  EXPECT_EQ(*a.begin(), 1.0);
  EXPECT_EQ(*a.rbegin(), 100.0) << "both ends are there";
  EXPECT_TRUE(std::ranges::is_sorted(some.runs));
}

/// Results y = a + b of every run, except of those that fail.
SweepTable table_of(const Sweep& sweep, const std::set<std::uint64_t>& failing = {}) {
  SweepTable table(sweep);
  for (std::uint64_t run = 0; run < sweep.design().size(); ++run)
    if (failing.contains(run))
      table.put({run, {}, "it broke"});
    else
      table.put({run, {sweep.design().value(run, 0) + sweep.design().value(run, 1)}});
  return table;
}

TEST(Trend, OverAllRunsByTheValuesOfTheGrid) {
  const Sweep sweep(Simulation(model()), design({"a=1,2,3", "b=0:0.1:1"}), {Measure("x")});
  const SweepTable table = table_of(sweep, {0});
  const std::optional<Trend> found = trend(table, 0, {0.0, 1.0});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->x, ElementsAre(1.0, 2.0, 3.0));
  EXPECT_THAT(found->counts, ElementsAre(10, 11, 11));
  EXPECT_NEAR(found->mean[0][0], 1.55, 1e-15) << "without the run that failed";
  EXPECT_NEAR(found->mean[0][1], 2.5, 1e-15);  // a mean of a few numbers: one rounding, as above and below
  EXPECT_NEAR(found->lower[0][2], 3.0, 1e-15);
  EXPECT_NEAR(found->upper[0][2], 4.0, 1e-15);
  EXPECT_FALSE(trend(table, 1, {0.0, 1.0})) << "three runs at each value of b are not many";
}

TEST(Trend, InPartsOfEqualProbabilityOfADraw) {
  const Sweep sweep(Simulation(model()), design({"a=normal(0,1)", "b=uniform(0,1)"}, 1000), {Measure("x")});
  const std::optional<Trend> found = trend(table_of(sweep), 0, {0.05, 0.95});
  ASSERT_TRUE(found);
  ASSERT_THAT(found->x, testing::SizeIs(40));
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    all += found->counts[i];
    EXPECT_LT(found->lower[0][i], found->mean[0][i]);
    EXPECT_LT(found->mean[0][i], found->upper[0][i]);
    EXPECT_NEAR(found->mean[0][i] - found->x[i], 0.5, 0.3);  // mean of b: six deviations of 25 draws
  }
  EXPECT_EQ(all, 1000);
}

TEST(FailureGroups, AreTheSameInWords) {
  const auto [groups, group_of] = group_failures({{2, "m.toml:3:1: \"x1\" leaves 0.25 m at y = -1.5e-03, step 7"},
                                                  {3, "m.toml:3:1: \"x1\" leaves 0.5 m at y = 2, step 7"},
                                                  {4, "m.toml:3:1: \"x2\" leaves 0.5 m at y = 2, step 7"},
                                                  {7, "m.toml:3:1: \"x1\" leaves 1e-3 m at y = 2, step 7"}});
  ASSERT_EQ(groups.size(), 2);
  EXPECT_EQ(groups[0].reason, "m.toml:3:1: \"x1\" leaves … m at y = …, step 7");
  EXPECT_EQ(groups[0].count, 3);
  EXPECT_THAT(groups[0].ranges, ElementsAre(Pair(2, 3), Pair(7, 7)));
  EXPECT_EQ(groups[1].reason, "m.toml:3:1: \"x2\" leaves 0.5 m at y = 2, step 7");
  EXPECT_THAT(group_of, ElementsAre(Pair(2, 0), Pair(3, 0), Pair(4, 1), Pair(7, 0)));
}

TEST(FailureGroups, ThoseWithMostRunsComeFirst) {
  const auto [groups, group_of] = group_failures({{0, "rare"}, {1, "often"}, {2, "often"}, {5, "rare as well"}});
  ASSERT_EQ(groups.size(), 3);
  EXPECT_EQ(groups[0].reason, "often");
  EXPECT_EQ(groups[1].reason, "rare");
  EXPECT_EQ(group_of.at(1), 0);
  EXPECT_EQ(group_of.at(0), 1);
}

}  // namespace
}  // namespace maggi::sweep
