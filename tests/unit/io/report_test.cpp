#include "maggi/io/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/pendulum.hpp"

namespace maggi {
namespace {

namespace fs = std::filesystem;
using support::Motion;
using support::pendulum;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

std::vector<float> decode(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    bits = bits << 6u | static_cast<unsigned>(digits.find(c));
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255u);
  }
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

struct Ran {
  Motion motion;
  Trajectory trajectory;
  Summary summary;

  explicit Ran(const Model& model, double output = 0.1)
      : motion(model), trajectory(motion.system, motion.undetermined()) {
    const maggi::Run run = integrate(motion.dynamics, motion.start.state, trajectory, {.until = 1.0, .output = output});
    summary = summarise(motion.dynamics, run, trajectory, 0.1);
  }
  RunReport report() const { return {"Pendulum", {{"name", "text"}}, summary, trajectory}; }
};

TEST(Report, EveryValueToThirtyTwoBitsOfItsChange) {
  const Ran ran(pendulum());
  const Json json = Json::parse(run_report_json(ran.report()));
  ASSERT_EQ(json["states"], ran.trajectory.size());
  ASSERT_EQ(json["channels"].size(), ran.trajectory.channels().size());
  for (std::size_t j = 0; j < json["channels"].size(); ++j) {
    const Json& channel = json["channels"][j];
    EXPECT_EQ(channel["name"], ran.trajectory.channels()[j].name);
    EXPECT_EQ(channel["unit"], ran.trajectory.channels()[j].unit);
    const auto base = channel["base"].get<double>(), scale = channel["scale"].get<double>();
    const std::vector<float> x = decode(channel["values"]);
    for (std::size_t i = 0; i < ran.trajectory.size(); ++i) {
      const double value = x.empty() ? base : base + scale * static_cast<double>(x[i]);
      // half a unit in the last of 24 binary digits, and the rounding of the sum
      EXPECT_NEAR(value, ran.trajectory(i, static_cast<int>(j)), 0x1p-24 * scale + 0x1p-52 * std::abs(base));
    }
  }
}

TEST(Report, ALongMotionIsThinnedAndSaysSo) {
  const Ran ran(pendulum(), 1.0 / 12000);
  const Json json = Json::parse(run_report_json(ran.report()));
  EXPECT_EQ(json["states"], 4001);  // every third of 12001, the last among them
  EXPECT_EQ(json["facts"].back()[1], "4001 of 12001; the files have all");
  EXPECT_EQ(json["channels"][0]["base"].get<double>() + json["channels"][0]["scale"].get<double>(), 1.0);
}

TEST(Report, NamesRowsThatDependOnOthers) {
  Ran ran(pendulum("again = { position = \"2*x^2 + 2*y^2 = 2\" }\n"));
  const Redundancy certificate = find_redundancy(ran.motion.dynamics, ran.motion.start.state);
  RunReport report = ran.report();
  report.certificate = &certificate;
  const Json json = Json::parse(run_report_json(report))["certificate"];
  EXPECT_EQ(json["rank"], 1);
  ASSERT_EQ(json["redundant"].size(), 1u);
  const Json& row = json["redundant"][0];
  const bool rod_is_left_out = row["row"] == "rod";  // which of the two is a matter of pivots
  EXPECT_NEAR(row["combination"][rod_is_left_out ? "again" : "rod"].get<double>(), rod_is_left_out ? 0.5 : 2.0, 1e-12);
  EXPECT_EQ(row["permanent"], true);
  EXPECT_EQ(json["reactions"][0], Json::parse(R"({"name": "rod", "level": "position", "unique": false})"));
  EXPECT_EQ(Json::parse(run_report_json(report))["left_out"].size(), 2u);
}

TEST(Report, ThePageHoldsTheDataAndNothingCanEndThemEarly) {
  Ran ran(pendulum());
  RunReport report = ran.report();
  report.title = "</script><script>alert(1)</script>";
  const fs::path path = fs::path(testing::TempDir()) / "maggi_report.html";
  const std::string json = run_report_json(report);
  write_report(path, json);
  std::stringstream content;
  content << std::ifstream(path).rdbuf();
  fs::remove(path);
  const std::string page = content.str();
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  const std::string open = "id=\"report\">";
  const std::size_t begin = page.find(open) + open.size(), end = page.find("</script>", begin);
  EXPECT_EQ(Json::parse(page.substr(begin, end - begin)), Json::parse(json));
}

}  // namespace
}  // namespace maggi
