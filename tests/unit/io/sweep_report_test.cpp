#include "io/report/sweep_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/stored/sweep_files.hpp"
#include "io/toml/model_file.hpp"
#include "support/unpacked.hpp"

namespace maggi {
namespace {

using support::unpacked;
using Json = nlohmann::ordered_json;

const std::vector<double> parts{0.05, 0.5, 0.95};

Sweep sweep(const std::vector<std::string>& over, std::optional<std::uint64_t> draws = std::nullopt) {
  const Model model = parse_model(R"toml(
[parameters]
m = { value = 1.0, unit = "kg" }
c = 4.0
[coordinates]
x = { start = 1.0, speed = 0.0, unit = "m" }
[energy]
kinetic = "m/2*x'^2"
potential = "c/2*x^2"
[simulation]
until = 1.0
)toml",
                                  "oscillator.toml");
  std::vector<Axis> axes;
  for (const std::string& text : over) axes.emplace_back(text, model);
  return {Simulation(model), Design(axes, draws, 1, Design::Sampling::random), {Measure("x"), Measure("max(x)")}};
}

/// Two outputs made of the index and of the first quantity; every hundredth run fails.
SweepTable filled(const Sweep& s) {
  SweepTable table(s);
  for (std::uint64_t run = 0; run < s.design().size(); ++run)
    if (run % 100 == 99)
      table.put({run, {}, "stops at t = 0." + std::to_string(run)});
    else
      table.put({run, {1000.0 + 1e-3 * static_cast<double>(run), s.design().value(run, 0)}});
  return table;
}

Json report(const SweepTable& table) { return Json::parse(sweep_report_json("Oscillator", table, parts)); }

TEST(SweepReport, EveryRunToThirtyTwoBitsOfItsChange) {
  const Sweep s = sweep({"m=1:0.1:3", "c=1:1:10"});  // 210 runs
  const SweepTable table = filled(s);
  const Json json = report(table);
  EXPECT_EQ(json["kind"], "sweep");
  EXPECT_EQ(json["shown"], (Json{{"count", 210}, {"of", 210}, {"text", ""}}));
  ASSERT_EQ(json["columns"].size(), 4);
  EXPECT_EQ(json["columns"][0]["name"], "m");
  EXPECT_EQ(json["columns"][0]["unit"], "kg");
  EXPECT_EQ(json["columns"][3]["name"], "max(x)");
  for (std::size_t i = 0; i < 4; ++i) {
    const std::vector<double> values = unpacked(json["columns"][i], 210);
    const double rounding = 0x1p-24 * json["columns"][i]["scale"].get<double>() + 0x1p-52 * 1000.0;
    for (std::uint64_t run = 0; run < 210; ++run) {
      const double expected = i < 2 ? s.design().value(run, i) : table.values(run)[i - 2];
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(values[run])) << "run " << run;
      else
        EXPECT_NEAR(values[run], expected, rounding);
    }
  }
}

TEST(SweepReport, StatisticsAreThoseOfTheFile) {
  const Sweep s = sweep({"m=1:0.1:3", "c=1:1:10"});
  const SweepTable table = filled(s);
  EXPECT_EQ(report(table)["statistics"], Json::parse(sweep_statistics_json(table, parts)));
}

TEST(SweepReport, FailuresAreGroupedAndPlaced) {
  const Sweep s = sweep({"m=1:0.1:3", "c=1:1:10"});
  const Json json = report(filled(s));
  ASSERT_EQ(json["failures"].size(), 1);
  const Json& failure = json["failures"][0];
  EXPECT_EQ(failure["reason"], "stops at t = …");
  EXPECT_EQ(failure["count"], 2);
  EXPECT_EQ(failure["listed"], 2);
  EXPECT_EQ(failure["runs"], Json::parse("[[99, 99], [199, 199]]"));
  EXPECT_EQ(failure["where"][0], (Json{s.design().value(99, 0), s.design().value(199, 0)}));
  EXPECT_EQ(failure["where"][1], (Json{10.0, 10.0}));
  EXPECT_EQ(json["failed"], Json::parse("[[99, 0], [199, 0]]"));
  EXPECT_EQ(json["other_failures"], 0);
}

TEST(SweepReport, LargeOnesAreThinnedAndSaySo) {
  const Sweep s = sweep({"m=uniform(1,2)"}, 50'000);
  const SweepTable table = filled(s);
  const std::string text = sweep_report_json("Oscillator", table, parts);
  EXPECT_LT(text.size(), 400'000);
  const Json json = Json::parse(text);
  EXPECT_EQ(json["shown"]["count"], 10'000);
  EXPECT_EQ(json["shown"]["of"], 50'000);
  EXPECT_EQ(json["shown"]["text"], "of 50000 draws the first 10000");
  EXPECT_EQ(json["shown"]["runs"].size(), 10'000);
  EXPECT_EQ(json["facts"].back()[1], "10000 of 50000: of 50000 draws the first 10000; sweep.csv has all");
  EXPECT_EQ(json["failures"][0]["count"], 500) << "of all runs";
  EXPECT_EQ(json["failures"][0]["runs"].size(), 100);
  EXPECT_EQ(json["failed"].size(), 100) << "of those shown";
  std::uint64_t counted = 0;
  for (const Json& count : json["histograms"][0]["counts"]) counted += count.get<std::uint64_t>();
  EXPECT_EQ(counted, 49'500) << "histograms are over all runs that did not fail";
  ASSERT_EQ(json["trends"].size(), 1);
  EXPECT_EQ(json["trends"][0]["parts"], (Json{0.05, 0.95}));
  const std::vector<double> x = unpacked(json["trends"][0]["x"], 40),
                            y = unpacked(json["trends"][0]["outputs"][1]["mean"], 40);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(x[i], y[i], 1e-7);  // the output is the quantity; 32 bits
}

TEST(SweepReport, OfRunsThatAllFail) {
  const Sweep s = sweep({"m=1,2,3"});
  SweepTable table(s);
  for (std::uint64_t run = 0; run < 3; ++run) table.put({run, {}, "no <start>"});
  const Json json = report(table);
  EXPECT_EQ(json["histograms"][0]["counts"], Json::array());
  EXPECT_EQ(json["trends"], Json::array());
  EXPECT_EQ(json["failures"][0]["runs"], Json::parse("[[0, 2]]"));
  for (const double value : unpacked(json["columns"][1], 3)) EXPECT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace maggi
