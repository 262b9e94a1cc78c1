#include "maggi/sweep/design.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "maggi/sweep/spread.hpp"

namespace maggi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Model model() {
  Model model;
  model.file = "slider.toml";
  model.parameters = {{"m", 2.0}, {"length", 1.0}, {"twice", "2*length"}};
  model.coordinates = {{.name = "x", .start = Formula(0.5), .speed = Formula(0.0)}, {.name = "y"}};
  return model;
}

Design grid(std::vector<std::string> texts) {
  std::vector<Axis> axes;
  for (const std::string& text : texts) axes.emplace_back(text, model());
  return {axes, std::nullopt, 1, Design::Sampling::random};
}

Design drawn(const std::string& text, std::uint64_t draws, std::uint64_t seed = 1,
             Design::Sampling sampling = Design::Sampling::random) {
  return {{Axis(text, model())}, draws, seed, sampling};
}

std::vector<double> column(const Design& design, std::size_t axis) {
  std::vector<double> result;
  for (std::uint64_t run = 0; run < design.size(); ++run) result.push_back(design.value(run, axis));
  return result;
}

template <class Action>
std::string message(Action&& action) {
  try {
    action();
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

TEST(Axis, RangeHasBothEndsAsTheyAreWritten) {
  EXPECT_THAT(column(grid({"m=1:0.25:2"}), 0), ElementsAre(1, 1.25, 1.5, 1.75, 2));
  const std::vector<double> tenths = column(grid({"m=0:0.1:1"}), 0);
  ASSERT_EQ(tenths.size(), 11U) << "although 10 · 0.1 and 1/0.1 are not exact";
  EXPECT_EQ(tenths.back(), 1.0);
  EXPECT_EQ(tenths[3], 3 * 0.1);
  EXPECT_THAT(column(grid({"m=2:-0.5:0.9"}), 0), ElementsAre(2, 1.5, 1)) << "the last is not beyond the end";
  EXPECT_THAT(column(grid({"m=3:1:3"}), 0), ElementsAre(3));
}

TEST(Axis, NumbersAreFormulas) {
  EXPECT_THAT(column(grid({"m=length/2, sqrt(4*length), max(3,m)"}), 0), ElementsAre(0.5, 2, 3));
}

TEST(Axis, StartValuesAndDependentParametersCanBeVaried) {
  EXPECT_THAT(column(grid({"x=0,1"}), 0), ElementsAre(0, 1));
  EXPECT_THAT(column(grid({"x'=0,1"}), 0), ElementsAre(0, 1));
  EXPECT_THAT(column(grid({"twice=5"}), 0), ElementsAre(5));
}

TEST(Axis, RefusesWhatMakesNoSense) {
  const auto refusal = [](const std::string& text) { return message([&] { grid({text}); }); };
  EXPECT_THAT(refusal("lenght=1,2"), HasSubstr("did you mean \"length\"?"));
  EXPECT_THAT(refusal("y=1,2"), HasSubstr("no value given at the start named \"y\""));
  EXPECT_THAT(refusal("m=1:-0.1:2"), HasSubstr("its step -0.1 leads away from there (write m=1:0.1:2)"));
  EXPECT_THAT(refusal("m=1:0:2"), HasSubstr("the step of \"m\" is 0"));
  EXPECT_THAT(refusal("m=1:2"), HasSubstr("has 2 numbers, expected 3"));
  EXPECT_THAT(refusal("m=1,,2"), HasSubstr("a value is missing"));
  EXPECT_THAT(refusal("m="), HasSubstr("not of the form name=values"));
  EXPECT_THAT(refusal("m"), HasSubstr("not of the form name=values"));
  EXPECT_THAT(refusal("m=uniform(2,1)"), HasSubstr("the range of \"m\" is empty"));
  EXPECT_THAT(refusal("m=normal(2,-1)"), HasSubstr("the deviation of \"m\" is -1"));
  EXPECT_THAT(refusal("m=normal(2)"), HasSubstr("has 1 numbers, expected 2"));
  EXPECT_THAT(refusal("m=0:1e-300:1"), HasSubstr("more values than can be counted"));
  EXPECT_THAT(refusal("m=1,oops"), HasSubstr("oops"));
}

TEST(Axis, NormalQuantileInvertsTheDistribution) {
  for (const double x : {-8.0, -3.0, -1.0, -1e-3, 0.0, 0.5, 2.0, 6.0}) {
    const double part = 0.5 * std::erfc(-x / std::sqrt(2.0));
    // part has an error of ε/2, in x as much as by the slope of Φ: dx = ε/φ(x); 4 for the errors of erfc and exp
    const double slope = std::exp(-0.5 * x * x) / std::sqrt(2 * M_PI);
    EXPECT_NEAR(normal_quantile(part), x, 4 * 2.2e-16 * (1 + std::abs(x) + std::max(part, 1e-16) / slope)) << x;
  }
}

TEST(Design, GridIsEveryCombinationTheLastAxisFastest) {
  const Design design = grid({"m=1,2", "length=10:10:30"});
  EXPECT_EQ(design.size(), 6U);
  EXPECT_THAT(column(design, 0), ElementsAre(1, 1, 1, 2, 2, 2));
  EXPECT_THAT(column(design, 1), ElementsAre(10, 20, 30, 10, 20, 30));
}

TEST(Design, DrawsAreTheSameAtEveryPointOfTheGrid) {
  const Design design({Axis("m=1,2", model()), Axis("length=uniform(0,1)", model())}, 5, 7, Design::Sampling::random);
  EXPECT_EQ(design.size(), 10U);
  for (std::uint64_t k = 0; k < 5; ++k) EXPECT_EQ(design.value(k, 1), design.value(5 + k, 1));
}

TEST(Design, DrawsDependOnSeedAndNameOnly) {
  const Design one = drawn("m=uniform(0,1)", 100), same = drawn("m=uniform(0,1)", 200),
               other = drawn("m=uniform(0,1)", 100, 2);
  const Design two({Axis("length=uniform(0,1)", model()), Axis("m=uniform(0,1)", model())}, 100, 1,
                   Design::Sampling::random);
  for (std::uint64_t k = 0; k < 100; ++k) {
    EXPECT_EQ(one.value(k, 0), same.value(k, 0));
    EXPECT_EQ(one.value(k, 0), two.value(k, 1));
    EXPECT_NE(one.value(k, 0), other.value(k, 0));
    EXPECT_NE(two.value(k, 0), two.value(k, 1));
  }
}

// the mean of N draws has the deviation σ/√N, the deviation itself σ/√(2N), a quantile √(p(1−p)/N)/density; five times
// that is exceeded once in two million: with a fixed seed never
TEST(Design, DrawsHaveTheDistributionAskedFor) {
  constexpr std::uint64_t N = 20000;
  constexpr double five = 5.0, root = 141.42;
  const std::vector<double> parts{0.25, 0.5, 0.975};
  const Spread uniform = spread(column(drawn("m=uniform(1,3)", N), 0), parts);
  EXPECT_NEAR(uniform.mean, 2.0, five * std::sqrt(4.0 / 12) / root);
  EXPECT_NEAR(uniform.deviation, std::sqrt(4.0 / 12), five * std::sqrt(4.0 / 12) / root);
  EXPECT_NEAR(uniform.quantiles[0].second, 1.5, five * 2 * std::sqrt(0.25 * 0.75) / root);
  EXPECT_GT(uniform.least, 1.0);
  EXPECT_LT(uniform.greatest, 3.0);
  const Spread normal = spread(column(drawn("m=normal(5,0.1)", N), 0), parts);
  EXPECT_NEAR(normal.mean, 5.0, five * 0.1 / root);
  EXPECT_NEAR(normal.deviation, 0.1, five * 0.1 / root);
  EXPECT_NEAR(normal.quantiles[2].second, 5.0 + 1.959964 * 0.1, five * 0.1 * std::sqrt(0.025 * 0.975) / 0.0584 / root);
}

TEST(Design, LatinHypercubeDrawsOnceFromEachPart) {
  for (const std::uint64_t N : {1U, 2U, 3U, 10U, 64U, 1000U}) {
    std::vector<double> values = column(drawn("m=uniform(0,1)", N, 3, Design::Sampling::latin_hypercube), 0);
    if (N >= 10) { EXPECT_FALSE(std::ranges::is_sorted(values)) << "the parts come in another order"; }
    std::ranges::sort(values);
    for (std::uint64_t k = 0; k < N; ++k) {
      EXPECT_GE(values[k], static_cast<double>(k) / static_cast<double>(N));
      EXPECT_LT(values[k], static_cast<double>(k + 1) / static_cast<double>(N));
    }
  }
}

TEST(Design, RefusesWhatMakesNoSense) {
  const auto make = [](const std::string& text, std::optional<std::uint64_t> runs, Design::Sampling sampling) {
    return message([&] { Design({Axis(text, model())}, runs, 1, sampling); });
  };
  EXPECT_THAT(message([] { grid({"m=1", "m=2"}); }), HasSubstr("\"m\" is varied twice"));
  EXPECT_THAT(make("m=uniform(0,1)", std::nullopt, Design::Sampling::random), HasSubstr("how many values"));
  EXPECT_THAT(make("m=1,2", 10, Design::Sampling::random), HasSubstr("nothing is drawn"));
  EXPECT_THAT(make("m=1,2", std::nullopt, Design::Sampling::latin_hypercube), HasSubstr("nothing is drawn"));
  EXPECT_THAT(make("m=uniform(0,1)", 0, Design::Sampling::random), HasSubstr("no run is asked for"));
  EXPECT_THAT(message([] { grid({"m=0:1e-9:1", "length=0:1e-9:1"}); }), HasSubstr("too many to count"));
}

TEST(Spread, OfAFewValues) {
  const std::vector<double> values{4, 1, 3, 2}, parts{0, 0.5, 0.9, 1};
  const Spread d = spread(values, parts);
  EXPECT_EQ(d.count, 4U);
  EXPECT_EQ(d.mean, 2.5);
  EXPECT_DOUBLE_EQ(d.deviation, std::sqrt(5.0 / 3));
  EXPECT_EQ(d.least, 1);
  EXPECT_EQ(d.greatest, 4);
  EXPECT_EQ(d.quantiles[0].second, 1);
  EXPECT_EQ(d.quantiles[1].second, 2.5);
  EXPECT_DOUBLE_EQ(d.quantiles[2].second, 3.7);  // place 0.9 · 3 = 2.7
  EXPECT_EQ(d.quantiles[3].second, 4);
  EXPECT_EQ(spread(std::vector<double>{7}, parts).deviation, 0);
  EXPECT_EQ(spread(std::vector<double>{}, parts).count, 0U);
}

}  // namespace
}  // namespace maggi
