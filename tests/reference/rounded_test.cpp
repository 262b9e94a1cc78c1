// Models with typed, rounded numbers: natural scale, decision and repair against another implementation, and the motion
// against that of the same mechanism with all digits (tests/reference/rounded/expected.json).
#include <gtest/gtest.h>

#include <cmath>

#include "base/largest.hpp"
#include "maggi/simulation.hpp"
#include "model/numbers.hpp"
#include "support/measured.hpp"
#include "support/reference.hpp"
#include "system/make_system.hpp"
#include "system/mechanism/rounding/blocks.hpp"
#include "system/mechanism/rounding/decision.hpp"
#include "system/mechanism/rounding/followed_way.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::test {
namespace {

using mechanism::Drawing;
using mechanism::LoopBlock;
using mechanism::Spatial;
using Loop = MechanismSystem::RoundedLoop;

Model rounded_model(const std::string& name) {
  return read_model(source_path("tests/reference/rounded/" + name + ".toml"));
}

const nlohmann::json& expected() {
  static const nlohmann::json all = read_reference("rounded/expected.json");
  return all;
}

class Rounded : public testing::TestWithParam<std::string> {};

TEST_P(Rounded, SingularValuesInNaturalScale) {
  const nlohmann::json& reference = expected()[GetParam()];
  const Model model = rounded_model(GetParam());
  const Numbers numbers(model);
  const Drawing drawing(model, numbers);
  const auto blocks = mechanism::loop_blocks(drawing);
  ASSERT_EQ(blocks.size(), 1u);
  LoopBlock<Spatial> block(drawing, blocks[0]);
  EXPECT_NEAR(block.size(), reference["size"].get<double>(), 1e-9);  // of 1 to 3 m, at up to 1e5 m
  ASSERT_EQ(block.m(), reference["rows"].get<int>());
  ASSERT_EQ(block.n(), reference["columns"].get<int>());
  block.evaluate(block.reference());
  const Vector sigma = SingularValues(block.C()).sigma;
  const std::vector<double> values = reference["singular_values"];
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_NEAR(sigma[static_cast<Eigen::Index>(k)], values[k], 1e-9) << k;  // 1e5 m: 1.5e-11 m, and rows of size 1
}

/// Derivatives by the data against differences, at a configuration away from the reference.
TEST_P(Rounded, DerivativesByTheData) {
  const Model model = rounded_model(GetParam());
  const Numbers numbers(model);
  const Drawing drawing(model, numbers);
  LoopBlock<Spatial> block(drawing, mechanism::loop_blocks(drawing)[0]);
  auto q = block.reference();
  Vector away(block.n());
  for (int i = 0; i < block.n(); ++i) away[i] = 0.3 * std::sin(1.0 + i);
  block.move(q, away);
  block.evaluate(q);
  const Matrix F = block.f_by_changes();
  constexpr double h = 1e-5;
  for (int k = 0; k < block.changes(); ++k) {
    const Vector p = h * Vector::Unit(block.changes(), k);
    block.change(p);
    block.evaluate(q);
    const Vector ahead = block.f();
    block.change(-p);
    block.evaluate(q);
    EXPECT_LE(largest((ahead - block.f()) / (2 * h) - F.col(k)), 1e-8) << k;  // h² of the third derivative, and ε/h
  }
}

TEST_P(Rounded, DecisionAndDistance) {
  const nlohmann::json& reference = expected()[GetParam()];
  const auto system = make_system(rounded_model(GetParam()));
  const auto& loops = dynamic_cast<const MechanismSystem&>(*system).rounded_loops();
  ASSERT_EQ(loops.size(), 1u);
  const Loop& loop = loops[0];
  const std::string kind = reference["kind"];
  EXPECT_EQ(loop.freedom, reference["dof"].get<int>());
  const Loop::Finding found = kind == "regular"                             ? Loop::Finding::moves
                              : kind == "singular"                          ? Loop::Finding::moves_from_singular
                              : reference["distance_to_mobility"].is_null() ? Loop::Finding::shaky
                                                                            : Loop::Finding::locked;
  EXPECT_EQ(loop.finding, found);
  if (!reference.contains("change")) return;
  // the same least squares problem from other configurations along the way, with conditions on the axes besides: the
  // same within a factor, or within the rounding of the data
  const double unit = kind == "regular" ? 0.5 * std::pow(10.0, -reference["decimals"].get<int>()) : 0.0;
  EXPECT_LE(loop.change, std::max(2.0 * reference["change"].get<double>(), 1.5 * unit));
  EXPECT_GE(loop.change, 0.3 * reference["change"].get<double>());
  EXPECT_LE(loop.misfit_left, 1e-11);  // the other implementation leaves 1e-16 to 1e-12
  record("change", loop.change);
}

TEST_P(Rounded, MotionOfExactData) {
  const nlohmann::json& reference = expected()[GetParam()];
  if (reference["dof"] == 0 || !reference.contains("end_exact_data")) return;
  Simulation simulation(rounded_model(GetParam()));
  RunOptions options;
  options.rtol = 1e-10;
  options.atol = 1e-12;
  const Motion motion = simulation.run(options);
  ASSERT_EQ(motion.outcome(), Outcome::reached_end) << motion.explanation();
  EXPECT_EQ(motion.summary().dof, reference["dof"].get<int>());
  const std::vector<std::string> joints = reference["coordinates"];
  const std::vector<double> end = reference["end_exact_data"];
  const double unit = 0.5 * std::pow(10.0, -reference["decimals"].get<int>());
  Largest error;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const std::string name = joints[k] + ".angle";
    const auto names = motion.names();
    if (std::ranges::find(names, name) == names.end()) continue;
    error.note(std::remainder(motion[name].back() - end[k], 2.0 * M_PI));
  }
  EXPECT_GT(error.value(), 0.0);  // a coordinate was compared
  EXPECT_LE(error.value(), 10.0 * unit);
  record("error in units of the last decimal", error.value() / unit);
}

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const auto& [name, value] : expected().items()) names.push_back(name);
  return names;
}

std::string plain(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, Rounded, testing::ValuesIn(cases()), plain);

}  // namespace
}  // namespace maggi::test
