// Published problems against reference solutions, at every sample: ≤ 1e-9 in q and v, ≤ 1e-7 in v̇ and λ, relative to
// the largest magnitude of the column (tests/reference/README.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/largest.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "start/initial_conditions.hpp"
#include "support/measured.hpp"
#include "support/reference.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

constexpr double state_tolerance = 1e-9, force_tolerance = 1e-7;

using Row = std::map<std::string, double>;  // channel → value, at one time

/// Everything a model can be asked for, by name: x, x', x'', lambda.rod, outputs.
class Recorder final : public Sink {
 public:
  Recorder(const System& system, Workspace& workspace) : system_(system), workspace_(workspace) {}

  void accept(const Sample& sample) override {
    const Shape& shape = system_.shape();
    Row row{{"t", sample.state.t}};
    for (int i = 0; i < shape.n(); ++i) {
      const std::string& name = shape.coordinates[i].name;
      row[name] = sample.state.q[i];
      row[name + "'"] = sample.state.v[i];
      row[name + "''"] = sample.acceleration.vdot[i];
    }
    for (int i = 0; i < shape.m(); ++i) row["lambda." + shape.rows[i].name] = sample.acceleration.lambda[i];
    std::vector<double> outputs(shape.outputs.size());
    system_.outputs(sample.state, sample.acceleration, workspace_, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) row[shape.outputs[i].name] = outputs[i];
    rows.push_back(std::move(row));
  }

  std::vector<Row> rows;

 private:
  const System& system_;
  Workspace& workspace_;
};

/// Integrates a model and compares it with reference rows; `reference[k]` has the same channel names, signs included.
void expect_motion(const std::string& model_name, const std::vector<Row>& reference) {
  const EquationSystem system(read_example(model_name));
  Dynamics dynamics(system);
  const InitialConditions start = find_initial_conditions(dynamics, system.start());
  const auto workspace = system.workspace();
  Recorder recorder(system, *workspace);
  IntegrateOptions options;
  options.rtol = 1e-13;
  options.atol = 1e-14;
  options.until = reference.back().at("t");
  options.output = reference[1].at("t") - reference[0].at("t");
  const IntegrationResult run = integrate(dynamics, start.state, recorder, options);
  ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;

  std::map<std::string, Largest> size, error;
  for (const Row& row : reference)
    for (const auto& [name, value] : row) size[name].note(value);
  std::size_t compared = 0;
  for (const Row& row : reference) {
    for (const Row& ours : recorder.rows) {
      if (std::abs(ours.at("t") - row.at("t")) > 1e-12 * std::max(1.0, row.at("t"))) continue;
      ++compared;
      for (const auto& [name, value] : row)
        error[name].note((ours.at(name) - value) / (size[name].value() > 0 ? size[name].value() : 1.0));
      break;
    }
  }
  ASSERT_EQ(compared, reference.size());
  for (const auto& [name, found] : error) {
    const bool force = name.ends_with("''") || name.starts_with("lambda") || name == "tension";
    EXPECT_LE(found.value(), force ? force_tolerance : state_tolerance) << model_name << " " << name;
    record(fmt::format("{}.{}", model_name, name), found.value());
  }
}

/// Rows of a table by position; an empty name leaves a column out, a minus sign in front changes its sign.
std::vector<Row> table(const nlohmann::json& rows, const std::vector<std::string>& names) {
  std::vector<Row> result;
  for (const auto& values : rows) {
    Row row;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].empty()) continue;
      const bool negative = names[i][0] == '-';
      row[negative ? names[i].substr(1) : names[i]] = (negative ? -1.0 : 1.0) * number(values.at(i));
    }
    result.push_back(row);
  }
  return result;
}

TEST(Motions, Pendulum) {
  expect_motion("pendulum", table(read_reference("pendulum.json")["rows"], {"t", "x", "y", "x'", "y'", "tension"}));
}

TEST(Motions, MovingPendulum) {
  expect_motion("moving_pendulum", table(read_reference("moving_pendulum.json")["rows"],
                                         {"t", "x1", "x2", "x3", "x1'", "x2'", "x3'", "", "lambda.guide"}));
}

TEST(Motions, FourBarCutAtTheGround) {
  expect_motion("four_bar_cut_ground", table(read_reference("four_bar.json")["rows"],
                                             {"t", "theta1", "theta2", "theta3", "theta1'", "theta2'", "theta3'",
                                              "theta1''", "theta2''", "theta3''", "lambda.pin_x", "lambda.pin_y"}));
}

TEST(Motions, FourBarCutAtTheCoupler) {
  expect_motion("four_bar_cut_coupler",
                table(read_reference("four_bar.json")["rows"],
                      {"t", "theta1", "theta2", "-theta3", "theta1'", "theta2'", "-theta3'", "theta1''", "theta2''",
                       "-theta3''", "", "", "lambda.pin_x", "lambda.pin_y"}));
}

TEST(Motions, SpatialFourBar) {
  expect_motion("spatial_four_bar", table(read_reference("spatial_four_bar.json")["rows"],
                                          {"t", "q1", "q2", "q1'", "q2'", "q1''", "q2''", "-lambda.link"}));
}

TEST(Motions, ChaplyginSleigh) {
  expect_motion("chaplygin_sleigh",
                table(read_reference("chaplygin_sleigh.json")["rows"],
                      {"t", "blade_x", "blade_y", "theta", "blade_speed", "theta'", "x", "y", "lambda.blade"}));
}

TEST(Motions, SkateOnIncline) {
  expect_motion("skate_on_incline", table(read_reference("skate_on_incline.json")["rows"],
                                          {"t", "x", "y", "theta", "blade_speed", "lambda.blade"}));
}

TEST(Motions, AccelerationLevel) {
  const auto r = read_reference("acceleration_level.json");
  const std::vector<Row> rows{
      {{"t", 0.0}, {"lambda.tie", number(r["lam"])}, {"x''", number(r["xdd"])}, {"y''", number(r["ydd"])}},
      {{"t", 2.0},
       {"x", number(r["x2"])},
       {"y", number(r["y2"])},
       {"lambda.tie", number(r["lam"])},
       {"x''", number(r["xdd"])},
       {"y''", number(r["ydd"])}}};
  expect_motion("acceleration_level", rows);
}

std::vector<Row> samples(const nlohmann::json& list, const std::vector<std::string>& coordinates, const char* q,
                         const std::vector<std::string>& multipliers, double sign) {
  std::vector<Row> result;
  for (const auto& sample : list) {
    Row row{{"t", number(sample["t"])}};
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      row[coordinates[i]] = number(sample[q][i]);
      row[coordinates[i] + "'"] = number(sample["v"][i]);
      if (sample.contains("a")) row[coordinates[i] + "''"] = number(sample["a"][i]);
    }
    for (std::size_t i = 0; i < multipliers.size(); ++i)
      row["lambda." + multipliers[i]] = sign * number(sample["lam"][i]);
    result.push_back(row);
  }
  return result;
}

TEST(Motions, CarAxis) {
  expect_motion("car_axis", samples(read_reference("car_axis.json")["samples"], {"xl", "yl", "xr", "yr"}, "p",
                                    {"strut", "bar"}, 1.0));
}

TEST(Motions, AndrewsSqueezer) {
  const auto r = read_reference("andrews_squeezer.json");
  std::vector<Row> rows = samples(r["samples"], {"beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"}, "q",
                                  {"loop1_x", "loop1_y", "loop2_x", "loop2_y", "loop3_x", "loop3_y"}, -1.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i]["xF"] = number(r["samples"][i]["xF"]);
    rows[i]["yF"] = number(r["samples"][i]["yF"]);
  }
  expect_motion("andrews_squeezer", rows);
}

}  // namespace
}  // namespace maggi::test
