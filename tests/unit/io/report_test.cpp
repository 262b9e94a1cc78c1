#include "io/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "integration/integrate.hpp"
#include "maggi/simulation.hpp"
#include "simulation/motion_data.hpp"
#include "support/pendulum.hpp"
#include "support/unpacked.hpp"

namespace maggi {
namespace {

namespace fs = std::filesystem;
using support::decoded;
using support::Motion;
using support::pendulum;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

struct Ran {
  maggi::Motion motion;
  const Trajectory& trajectory;

  explicit Ran(Model model, double output = 0.1)
      : motion(Simulation(std::move(model)).run({.until = 1.0, .output = output})),
        trajectory(motion.data().trajectory) {}
};

TEST(Report, EveryValueToThirtyTwoBitsOfItsChange) {
  const Ran ran(pendulum());
  const Json json = Json::parse(run_report_json(ran.motion));
  ASSERT_EQ(json["states"], ran.trajectory.size());
  ASSERT_EQ(json["channels"].size(), ran.trajectory.channels().size());
  for (std::size_t j = 0; j < json["channels"].size(); ++j) {
    const Json& channel = json["channels"][j];
    EXPECT_EQ(channel["name"], ran.trajectory.channels()[j].name);
    EXPECT_EQ(channel["unit"], ran.trajectory.channels()[j].unit);
    const auto base = channel["base"].get<double>(), scale = channel["scale"].get<double>();
    const std::vector<float> x = decoded(channel["values"]);
    for (std::size_t i = 0; i < ran.trajectory.size(); ++i) {
      const double value = x.empty() ? base : base + scale * static_cast<double>(x[i]);
      // half a unit in the last of 24 binary digits, and the rounding of the sum
      EXPECT_NEAR(value, ran.trajectory(i, static_cast<int>(j)), 0x1p-24 * scale + 0x1p-52 * std::abs(base));
    }
  }
}

TEST(Report, ALongMotionIsThinnedAndSaysSo) {
  const Ran ran(pendulum(), 1.0 / 12000);
  const Json json = Json::parse(run_report_json(ran.motion));
  EXPECT_EQ(json["states"], 4001);  // every third of 12001, the last among them
  EXPECT_EQ(json["facts"].back()[1], "4001 of 12001; the files have all");
  EXPECT_EQ(json["channels"][0]["base"].get<double>() + json["channels"][0]["scale"].get<double>(), 1.0);
}

TEST(Report, NamesRowsThatDependOnOthers) {
  const Ran ran(pendulum("again = { position = \"2*x^2 + 2*y^2 = 2\" }\n"));
  const Json json = Json::parse(run_report_json(ran.motion))["certificate"];
  EXPECT_EQ(json["rank"], 1);
  ASSERT_EQ(json["redundant"].size(), 1u);
  const Json& row = json["redundant"][0];
  const bool rod_is_left_out = row["row"] == "rod";  // which of the two is a matter of pivots
  EXPECT_NEAR(row["combination"][rod_is_left_out ? "again" : "rod"].get<double>(), rod_is_left_out ? 0.5 : 2.0, 1e-12);
  EXPECT_EQ(row["permanent"], true);
  EXPECT_EQ(json["reactions"][0],
            Json::parse(R"({"name": "rod", "level": "position", "unique": false, "unique_nearby": false})"));
  EXPECT_EQ(Json::parse(run_report_json(ran.motion))["left_out"].size(), 2u);
}

TEST(Report, TheSceneIsGivenByNamesOfChannels) {
  const Ran ran(parse_model(R"toml(
parameters = { r = 0.25 }
[coordinates]
x = { start = 1, speed = 2 }
[energy]
kinetic = "x'^2"
[drawing]
O = { point = [0, "r", 0] }
A = { point = ["x", "2*t", "x*t"], trace = true }
rod = { line = ["O", "A"] }
coil = { spring = ["A", "O"] }
rim = { circle = "A", radius = "r", axis = [0, "x", 1] }
)toml",
                            "scene.toml"));
  const Json json = Json::parse(run_report_json(ran.motion));
  EXPECT_EQ(json["scene"], Json::parse(R"({"dimension": 3,
    "points": [{"name": "O", "at": ["drawing.O.x", "drawing.O.y", "drawing.O.z"], "trace": false,
                "joint": "", "axis": [], "carrier": "", "force_axes": [], "force_carrier": ""},
               {"name": "A", "at": ["drawing.A.x", "drawing.A.y", "drawing.A.z"], "trace": true,
                "joint": "", "axis": [], "carrier": "", "force_axes": [], "force_carrier": ""}],
    "lines": [{"name": "rod", "through": ["O", "A"], "spring": false},
              {"name": "coil", "through": ["A", "O"], "spring": true}],
    "circles": [{"name": "rim", "about": "A", "radius": "drawing.rim.radius",
                 "axis": ["drawing.rim.axis.x", "drawing.rim.axis.y", "drawing.rim.axis.z"]}],
    "bodies": []})"));
  const Trajectory& motion = ran.trajectory;
  for (std::size_t i = 0; i < motion.size(); ++i) {
    const double t = motion(i, 0), x = motion(i, *motion.find("x"));
    EXPECT_EQ(motion(i, *motion.find("drawing.A.x")), x);
    EXPECT_EQ(motion(i, *motion.find("drawing.A.y")), 2 * t);
    EXPECT_EQ(motion(i, *motion.find("drawing.A.z")), x * t);
    EXPECT_EQ(motion(i, *motion.find("drawing.rim.axis.y")), x);
    EXPECT_EQ(motion(i, *motion.find("drawing.O.y")), 0.25);
  }
}

TEST(Report, WhatCannotBeDrawnEndsTheRunWithItsPlace) {
  Motion motion(
      parse_model("[coordinates]\nx = { start = 0, speed = 1 }\n[energy]\nkinetic = \"x'^2\"\n[drawing]\nA = { point = "
                  "[0, \"sqrt(0.5 - x)\"] }\n",
                  "root.toml"));
  Trajectory trajectory(motion.system);
  try {
    integrate(motion.dynamics, motion.start.state, trajectory, {.until = 1.0, .output = 0.1});
    FAIL() << "the root of a negative number was drawn";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                testing::StartsWith("root.toml:6:20: \"drawing.A.y\" is not a finite number at t = 0.6 s"));
  }
  EXPECT_EQ(trajectory.size(), 6u);
}

TEST(Report, ThePageHoldsTheDataAndNothingCanEndThemEarly) {
  Model model = pendulum();
  model.title = "</script><script>alert(1)</script>";
  const Ran ran(std::move(model));
  const fs::path path = fs::path(testing::TempDir()) / "maggi_report.html";
  const std::string json = run_report_json(ran.motion);
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
