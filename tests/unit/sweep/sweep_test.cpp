#include "maggi/sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/toml/model_file.hpp"
#include "maggi/sweep/table.hpp"

namespace maggi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A mass on a spring, x = cos(√(c/m) t): the closed form of every measure is at hand.
Model oscillator() {
  return parse_model(R"toml(
[parameters]
m = { value = 1.0, unit = "kg" }
c = 4.0
[coordinates]
x = { start = 1.0, speed = 0.0, unit = "m" }
[energy]
kinetic = "m/2*x'^2"
potential = "c/2*x^2"
[output]
pull = { formula = "c*x", unit = "N" }
[simulation]
until = 3.0
output = 0.01
rtol = 1e-10
atol = 1e-12
)toml",
                     "oscillator.toml");
}

Sweep sweep(const std::vector<std::string>& over, const std::vector<std::string>& keep,
            const Model& model = oscillator(), LaneUse lanes = LaneUse::automatic) {
  std::vector<Axis> axes;
  for (const std::string& text : over) axes.emplace_back(text, model);
  std::vector<Measure> measures;
  for (const std::string& text : keep) measures.emplace_back(text);
  return {Simulation(model), Design(axes, std::nullopt, 1, Design::Sampling::random), measures, lanes};
}

SweepTable table_of(const Sweep& s, int threads = 1, std::vector<bool> done = {}) {
  SweepTable table(s);
  done.resize(s.design().size(), false);
  RunQueue queue(s, done);
  run_all(s, queue, threads, [&](std::vector<RunResult> results) {
    for (RunResult& result : results) table.put(std::move(result));
  });
  return table;
}

template <class Action>
std::string message(Action&& action) {
  try {
    action();
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

TEST(Sweep, MeasuresAreThoseOfTheClosedForm) {
  const Sweep s =
      sweep({"m=1,2.5"}, {"x", "pull", "max(x')", "min(x)", "mean(x)", "rms(x)", "at(x, 1.27)", "at(x, m/2)"});
  const SweepTable table = table_of(s);
  for (std::uint64_t run = 0; run < 2; ++run) {
    const double m = s.design().value(run, 0), w = std::sqrt(4.0 / m), T = 3.0;
    const auto values = table.values(run);
    constexpr double integration = 1e-8;  // 100 times rtol for the error that 3 s collect
    EXPECT_NEAR(values[0], std::cos(w * T), integration);
    EXPECT_NEAR(values[1], 4 * std::cos(w * T), 4 * integration);
    // a maximum lies within half of 0.01 s of a stored state: w (w dt)²/2
    const double fastest = w * T > 1.5 * M_PI ? w : -w * std::sin(w * T);
    EXPECT_NEAR(values[2], fastest, w * w * w * 0.005 * 0.005 / 2 + integration);
    EXPECT_NEAR(values[3], -1.0, w * w * 0.005 * 0.005 / 2 + integration);
    const double trapezoids = 0.01 * 0.01 / 12 * 4 * w * w;  // error of the rule: h²/12 max|f''|, of x² 2 w²
    EXPECT_NEAR(values[4], std::sin(w * T) / (w * T), trapezoids);
    EXPECT_NEAR(values[5], std::sqrt(0.5 + std::sin(2 * w * T) / (4 * w * T)), trapezoids);
    EXPECT_NEAR(values[6], std::cos(w * 1.27), integration);
    EXPECT_NEAR(values[7], std::cos(w * m / 2), integration);
  }
  EXPECT_EQ(s.columns()[1].unit, "N");
}

/// A pendulum on a rod: constraints, so that lanes project.
Model pendulum() {
  return parse_model(R"toml(
[parameters]
l = 1.0
g = 9.81
[coordinates]
x = { guess = -1.0 }
y = { start = 0.0, speed = 0.0 }
[energy]
kinetic = "1/2*(x'^2 + y'^2)"
potential = "g*y"
[constraint]
rod = { position = "x^2 + y^2 = l^2" }
[simulation]
until = 2.0
output = 0.01
)toml",
                     "pendulum.toml");
}

TEST(Sweep, SideBySideIsTheSameMotion) {
  const std::vector<std::string> keep{"x", "lambda.rod", "rms(y)", "energy.total", "at(y', 0.5)"};
  const Sweep lanes = sweep({"l=0.5:0.05:1.5"}, keep, pendulum(), LaneUse::always);
  const Sweep single = sweep({"l=0.5:0.05:1.5"}, keep, pendulum(), LaneUse::never);
  EXPECT_TRUE(lanes.in_lanes());
  EXPECT_EQ(single.why_no_lanes(), "not wanted");
  const SweepTable one = table_of(lanes), other = table_of(single), again = table_of(lanes, 3);
  EXPECT_TRUE(one.failures().empty());
  for (std::uint64_t run = 0; run < one.count(); ++run)
    for (std::size_t k = 0; k < keep.size(); ++k) {
      EXPECT_EQ(one.values(run)[k], again.values(run)[k]) << "on other threads";
      // the same steps, so that they differ by rounding only; 1e-8 is what a step may be wrong by (rtol)
      EXPECT_NEAR(one.values(run)[k], other.values(run)[k], 1e-8) << keep[k] << " of run " << run;
    }
}

/// Parameters, positions, speeds and weights that are formulas over what varies.
Model derived_numbers() {
  Model model = pendulum();
  model.parameters.push_back({.name = "depth", .value = Formula("l*sin(0.3) + 1e-30/(l - 0.75)")});
  model.coordinates[0].weight = Formula("2 - l");
  model.coordinates[1].start = Formula("-depth");
  model.coordinates[1].speed = Formula("l^2/7");
  return model;
}

TEST(Sweep, FormulasOverWhatVariesAreThoseOfTheModel) {
  const std::vector<std::string> over{"l=0.5:0.125:1.875"}, keep{"at(x, 0)", "at(y, 0)", "at(y', 0)", "y"};
  for (const LaneUse lanes : {LaneUse::always, LaneUse::never}) {
    const SweepTable table = table_of(sweep(over, keep, derived_numbers(), lanes));
    ASSERT_EQ(table.failures().size(), 1U);
    const auto& [failed, why] = *table.failures().begin();
    EXPECT_EQ(failed, 2U) << "l = 0.75: no number";
    EXPECT_THAT(why, HasSubstr("parameter \"depth\" is not a finite number"));
    for (std::uint64_t run = 0; run < table.count(); ++run) {
      if (run == failed) continue;
      const double l = 0.5 + 0.125 * static_cast<double>(run);  // without rounding
      const auto values = table.values(run);
      constexpr double found = 1e-12;  // Newton's method stops at 1e-13 (1 + |x|); the projection moves what is left
      EXPECT_NEAR(values[0], -l * std::cos(0.3), found);
      EXPECT_NEAR(values[1], -l * std::sin(0.3), found);
      EXPECT_NEAR(values[2], l * l / 7, found);
    }
  }
}

TEST(Sweep, ANumberThatIsRefusedFailsItsRunOnly) {
  const SweepTable table = table_of(sweep({"l=1.5,2,2.5"}, {"y"}, derived_numbers(), LaneUse::always));
  ASSERT_EQ(table.failures().size(), 2U);
  EXPECT_THAT(table.failures().at(1), HasSubstr("weights are positive"));
  EXPECT_THAT(table.failures().at(2), HasSubstr("weights are positive"));
}

TEST(Sweep, ResultsOfAGroupComeTogetherIfTheyComeQuickly) {
  const Sweep s = sweep({"l=0.5:0.001:1.499"}, {"x"}, pendulum(), LaneUse::always);
  std::vector<std::uint64_t> runs;
  std::size_t handed_over = 0;
  RunQueue queue(s, std::vector<bool>(s.design().size(), false));
  run_all(s, queue, 1, [&](const std::vector<RunResult>& results) {
    ++handed_over;
    for (const RunResult& result : results) runs.push_back(result.run);
  });
  std::ranges::sort(runs);
  ASSERT_EQ(runs.size(), s.design().size());
  EXPECT_EQ(std::ranges::adjacent_find(runs), runs.end()) << "each once";
  EXPECT_LT(handed_over, runs.size()) << "1000 runs of less than 0.1 ms";
}

TEST(Sweep, SideBySideLeavesTheRestToTheOtherWay) {
  Model model = pendulum();
  model.simulation.until = Formula("2*l");  // lanes have one end for all
  const Sweep s = sweep({"l=0.5,1,-0.5,2"}, {"x"}, model, LaneUse::always);
  const SweepTable table = table_of(s), other = table_of(sweep({"l=0.5,1,-0.5,2"}, {"x"}, model, LaneUse::never));
  EXPECT_EQ(table.count(), 4U);
  EXPECT_EQ(table.failures(), other.failures());
  EXPECT_EQ(table.values(1)[0], other.values(1)[0]) << "the same method";
  EXPECT_NEAR(table.values(0)[0], other.values(0)[0], 1e-8);
}

TEST(Sweep, SaysWhyRunsAreNotSideBySide) {
  EXPECT_THAT(sweep({"l=1,2"}, {"reaction.x"}, pendulum()).why_no_lanes(),
              HasSubstr("reaction.x is one of the reactions"));
  EXPECT_THAT(message([] { sweep({"l=1,2"}, {"reaction.x"}, pendulum(), LaneUse::always); }),
              HasSubstr("--lanes auto computes them one at a time"));
}

TEST(Sweep, RedundantConstraintsAreNoMatterForLanes) {
  Model model = pendulum();
  Constraint twice = model.constraints[0];
  twice.name = "twice";
  twice.formula = Formula("2*x^2 + 2*y^2 = 2*l^2");
  model.constraints.push_back(twice);
  const Sweep s = sweep({"l=0.5,1,1.5"}, {"x"}, model);
  EXPECT_THAT(s.why_no_lanes(), HasSubstr("depend on each other"));
  const SweepTable table = table_of(s), single = table_of(sweep({"l=0.5,1,1.5"}, {"x"}, pendulum(), LaneUse::never));
  // the same motion to what a step may be wrong by (rtol): the multiplier of least norm changes rounding only
  for (std::uint64_t run = 0; run < 3; ++run) EXPECT_NEAR(table.values(run)[0], single.values(run)[0], 1e-8);
}

TEST(Sweep, KeepsTheOutputsOfTheModelIfNothingElseIsAskedFor) {
  EXPECT_EQ(sweep({"m=1"}, {}).columns().size(), 1U);
  EXPECT_EQ(sweep({"m=1"}, {}).columns()[0].name, "pull");
}

TEST(Sweep, StartValuesAreVaried) {
  const SweepTable table = table_of(sweep({"x=1,2", "x'=0,1"}, {"at(x, 0)", "at(x', 0)"}));
  EXPECT_THAT(table.values(0), ElementsAre(1, 0));
  EXPECT_THAT(table.values(3), ElementsAre(2, 1));
}

TEST(Sweep, IsTheSameOnAnyNumberOfThreadsAndWhenRunsAreMissing) {
  const Sweep s = sweep({"m=1:0.05:3", "c=1,4"}, {"x", "rms(pull)"});
  const SweepTable one = table_of(s), three = table_of(s, 3);
  std::vector<bool> done(s.design().size(), false);
  for (std::size_t k = 0; k < done.size(); ++k)
    done[k] = k < 64 || k % 3 != 0;  // the first groups, and parts of others
  const SweepTable rest = table_of(s, 2, done);
  EXPECT_EQ(one.count(), s.design().size());
  EXPECT_FALSE(rest.has(0));
  for (std::uint64_t run = 0; run < s.design().size(); ++run) {
    EXPECT_TRUE(std::ranges::equal(one.values(run), three.values(run))) << run;
    EXPECT_TRUE(done[run] || rest.has(run)) << run;  // a group is run as a whole: what is done may come again
    if (rest.has(run)) { EXPECT_TRUE(std::ranges::equal(one.values(run), rest.values(run))) << run; }
  }
}

/// Equations derived once give what a model that is read with the other numbers gives, to the last bit.
TEST(Sweep, SharedEquationsChangeNothing) {
  const Sweep s = sweep({"m=1,3"}, {"x", "mean(x)"});
  Model other = oscillator();
  other.parameters[0].value = Formula("3");
  const Sweep alone = sweep({"m=3"}, {"x", "mean(x)"}, other);
  EXPECT_TRUE(std::ranges::equal(table_of(s).values(1), table_of(alone).values(0)));
}

TEST(Sweep, NumbersThatDecideWhatTheEquationsAreWork) {
  Model ball = parse_model(R"toml(
[parameters]
e = 0.5
[coordinates]
y = { start = 1.0, speed = 0.0 }
[energy]
kinetic = "y'^2/2"
potential = "10*y"
[constraint]
floor = { position = "y", one_sided = true, restitution = "e" }
[simulation]
until = 0.6
)toml",
                           "ball.toml");
  const SweepTable table = table_of(sweep({"e=0,0.5,1"}, {"y'"}, ball));
  const double impact = std::sqrt(2 / 10.0), v = std::sqrt(2 * 10.0);  // when, how fast
  constexpr double integration = 1e-6;                                 // rtol 1e-8, and the time of the impact
  EXPECT_NEAR(table.values(0)[0], 0, integration);
  EXPECT_NEAR(table.values(1)[0], 0.5 * v - 10 * (0.6 - impact), integration);
  EXPECT_NEAR(table.values(2)[0], v - 10 * (0.6 - impact), integration);
}

TEST(Sweep, FailedRunsHaveTheirReason) {
  const SweepTable table = table_of(sweep({"c=4,-1e9,1"}, {"x"}));
  EXPECT_EQ(table.count(), 3U);
  ASSERT_EQ(table.failures().size(), 1U);
  EXPECT_EQ(table.failures().begin()->first, 1U);
  EXPECT_FALSE(table.failures().begin()->second.empty());
  EXPECT_TRUE(std::isnan(table.values(1)[0]));
  EXPECT_EQ(table.spread(0, {}).count, 2U);
}

TEST(Sweep, RefusesWhatItCannotKeep) {
  const auto refusal = [](const std::string& keep) { return message([&] { sweep({"m=1"}, {keep}); }); };
  EXPECT_THAT(refusal("max(pul)"), HasSubstr("did you mean \"pull\"?"));
  EXPECT_THAT(refusal("at(x)"), HasSubstr("at which time?"));
  EXPECT_THAT(refusal("max()"), HasSubstr("no channel is named"));
  EXPECT_THAT(refusal("at(x, y)"), HasSubstr("--keep at(x, y)"));
  const SweepTable late = table_of(sweep({"m=1"}, {"at(x, 99)"}));
  EXPECT_THAT(late.failures().begin()->second, HasSubstr("the run goes from t = 0 to 3 s"));
}

TEST(Sweep, CanBeInterrupted) {
  const Sweep s = sweep({"m=1:0.01:3"}, {"x"});
  std::atomic<bool> interrupt = false;
  std::uint64_t count = 0;
  RunQueue queue(s, std::vector<bool>(s.design().size(), false));
  const auto accept = [&](const std::vector<RunResult>& results) { interrupt = (count += results.size()) >= 5; };
  run_all(s, queue, 2, accept, &interrupt);
  EXPECT_GE(count, 5U);
  EXPECT_LT(count, s.design().size());
}

}  // namespace
}  // namespace maggi
