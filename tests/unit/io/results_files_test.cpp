#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "integration/integrate.hpp"
#include "io/csv/csv.hpp"
#include "io/csv/csv_field.hpp"
#include "io/json/json.hpp"
#include "io/npz/npz.hpp"
#include "maggi/files.hpp"
#include "maggi/simulation.hpp"
#include "support/pendulum.hpp"

namespace maggi {
namespace {

namespace fs = std::filesystem;
using support::Motion;
using support::pendulum;
using testing::ElementsAre;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

fs::path temporary(const std::string& name) { return fs::path(testing::TempDir()) / ("maggi_results_" + name); }

std::vector<std::string> lines(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> result;
  for (std::string line; std::getline(file, line);) result.push_back(line);
  return result;
}

std::vector<std::string> keys(const Json& json) {
  std::vector<std::string> result;
  for (const auto& [key, value] : json.items()) result.push_back(key);
  return result;
}

TEST(Csv, NamesUnitsAndTheSameNumbers) {
  Motion motion(pendulum("", "thirds = { formula = \"x/3\", unit = \"m\" }\n"));
  Trajectory trajectory(motion.system);
  integrate(motion.dynamics, motion.start.state, trajectory, {.until = 1.0, .output = 0.1});
  const fs::path path = temporary("a.csv");
  write_csv(path, trajectory);
  const std::vector<std::string> text = lines(path);
  fs::remove(path);
  ASSERT_EQ(text.size(), 12u);
  EXPECT_EQ(text[0],
            "t [s],x [m],y [m],x' [m/s],y' [m/s],x'' [m/s^2],y'' [m/s^2],lambda.rod [N/m],reaction.x [N],reaction.y "
            "[N],energy.kinetic [J],energy.potential [J],energy.total [J],thirds [m],"
            "residual.position,residual.velocity,distance.singularity");
  for (std::size_t i = 0; i < trajectory.size(); ++i) {
    std::stringstream line(text[i + 1]);
    std::string field;
    for (std::size_t j = 0; j < trajectory.channels().size(); ++j) {
      ASSERT_TRUE(std::getline(line, field, ','));
      double value = 0.0;
      std::from_chars(field.data(), field.data() + field.size(), value);
      EXPECT_EQ(value, trajectory(i, static_cast<int>(j)));
    }
  }
}

TEST(Csv, QuotesWhatWouldEndAField) {
  EXPECT_EQ(io::csv_field("x [m]"), "x [m]");
  EXPECT_EQ(io::csv_field("failed: \"x\", late"), "\"failed: \"\"x\"\", late\"");
}

TEST(SummaryJson, HasExactlyTheseKeys) {
  Motion motion(pendulum());
  Trajectory trajectory(motion.system);
  const maggi::IntegrationResult run =
      integrate(motion.dynamics, motion.start.state, trajectory, {.until = 1.0, .output = 0.1});
  const Summary summary = summarise(motion.dynamics, run, trajectory, 0.1);
  const Json json = Json::parse(summary_json(summary));
  EXPECT_THAT(keys(json), ElementsAre("format_version", "dof", "rank", "formulation", "reason", "formulas", "outcome",
                                      "t", "steps", "evaluations", "restarts", "seconds", "residual_position",
                                      "residual_velocity", "energy_drift", "notes", "events", "final"));
  EXPECT_THAT(keys(json["final"]), ElementsAre("q", "v", "lambda", "reaction", "controls", "forces"));
  EXPECT_THAT(keys(json["final"]["v"]), ElementsAre("x", "y"));
  EXPECT_EQ(json["seconds"].get<double>(), 0.1);  // 17 digits where needed: the same number
  EXPECT_EQ(json["final"]["lambda"]["rod"].get<double>(), summary.lambda[0].second);
  EXPECT_EQ(json["energy_drift"].get<double>(), *summary.energy_drift);
  EXPECT_TRUE(json["events"].is_array() && json["events"].empty());

  const fs::path path = temporary("summary.json");
  write_summary(path, summary);
  EXPECT_EQ(Json::parse(std::ifstream(path)), json);
  fs::remove(path);
}

TEST(SummaryJson, SaysWhatIsMissingAndWhy) {
  Summary summary;
  summary.explanation = "why";
  summary.energy_note = "a force acts";
  const Json json = Json::parse(summary_json(summary));
  EXPECT_TRUE(json["energy_drift"].is_null());
  EXPECT_EQ(json["energy_note"], "a force acts");
  EXPECT_EQ(json["explanation"], "why");
}

TEST(SummaryJson, TellsEvents) {
  Summary summary;
  summary.events.push_back({.t = 0.25,
                            .name = "hit",
                            .what = "switches on \"couple\"",
                            .on = {"couple"},
                            .off = {},
                            .impulses = {{"couple", -6.0}},
                            .energy_lost = 12.0});
  EXPECT_EQ(Json::parse(summary_json(summary))["events"],
            Json::parse(R"([{"t": 0.25, "name": "hit", "text": "switches on \"couple\"", "on": ["couple"], "off": [],
                             "impulses": {"couple": -6.0}, "energy_lost": 12.0}])"));
}

TEST(SummaryJson, RefusesWhatIsNotANumber) {
  Summary summary;
  summary.q = {{"x", std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_THAT([&] { summary_json(summary); }, testing::ThrowsMessage<Error>("\"x\" is not a finite number"));
}

TEST(InitialConditionsJson, ByName) {
  Motion motion(pendulum());
  const Json json = Json::parse(initial_conditions_json(motion.system.shape(), motion.start));
  EXPECT_THAT(keys(json), ElementsAre("format_version", "t", "q", "v", "vdot", "lambda", "reaction", "controls",
                                      "forces", "contacts", "free", "found", "residuals", "conditions", "method"));
  EXPECT_EQ(json["q"]["x"], 0.6);
  EXPECT_EQ(json["q"]["y"].get<double>(), motion.start.state.q[1]);
  EXPECT_EQ(json["vdot"]["y"].get<double>(), motion.start.acceleration.vdot[1]);
  EXPECT_EQ(json["reaction"]["x"].get<double>(), motion.start.acceleration.reaction[0]);
  EXPECT_EQ(json["free"], Json::parse(R"({"q": ["x"], "v": ["x"]})"));
  EXPECT_EQ(json["found"], Json::parse(R"({"q": ["y"], "v": ["y"]})"));
  EXPECT_THAT(keys(json["lambda"]), ElementsAre("rod"));
}

TEST(InitialConditionsJson, LeavesOutMultipliersThatAreNotUnique) {
  Motion motion(pendulum("again = { position = \"y^2 = 1 - x^2\" }\n"));
  const Matrix undetermined = motion.undetermined();
  const Json json = Json::parse(initial_conditions_json(motion.system.shape(), motion.start, undetermined));
  EXPECT_TRUE(json["lambda"].empty());
}

TEST(EquationsJson, NumbersAndFormulas) {
  Simulation simulation(pendulum());
  const Json json = Json::parse(to_json(simulation.equations({.formulas = true})));
  EXPECT_EQ(json["coordinates"], Json::parse(R"(["x", "y"])"));
  EXPECT_EQ(json["constraints"], Json::parse(R"(["rod"])"));
  EXPECT_EQ(json["M"], Json::parse("[[2.0, 0.0], [0.0, 2.0]]"));
  constexpr double rounding = 1e-15;  // of y = -0.8, which is found
  EXPECT_EQ(json["C"][0][0], 1.2);
  EXPECT_NEAR(json["C"][0][1].get<double>(), -1.6, 2 * rounding);
  EXPECT_EQ(json["basis"], "lu");
  EXPECT_EQ(json["D"][0][0], 1.0);
  EXPECT_NEAR(json["D"][1][0].get<double>(), 0.75, 2 * rounding);  // 1.2 x' = 1.6 y'
  EXPECT_EQ(json["symbolic"]["D"], Json::parse(R"([["1"], ["-x/y"]])"));
  EXPECT_EQ(json["symbolic"]["M"], Json::parse(R"([["2", "0"], ["0", "2"]])"));
  EXPECT_EQ(json["symbolic"]["C"], Json::parse(R"([["2*x", "2*y"]])"));
  EXPECT_EQ(json["symbolic"]["h"][0], "0");
  EXPECT_EQ(keys(json["latex"]), keys(json["symbolic"]));
  EXPECT_FALSE(Json::parse(to_json(simulation.equations())).contains("symbolic"));
}

}  // namespace
}  // namespace maggi
