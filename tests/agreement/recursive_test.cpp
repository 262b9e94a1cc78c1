// The recursion along the joints gives the accelerations and multipliers of the matrices: in all shipped mechanisms,
// along their motion, with rows of joints, drivers, couplings and formulas, and where loops hang on moving bodies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>
#include <random>

#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "io/toml/model_file.hpp"
#include "start/initial_conditions.hpp"
#include "support/four_bar_chain.hpp"
#include "support/mechanism_run.hpp"
#include "support/source_tree.hpp"
#include "system/make_system.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::test {
namespace {

/// States along a motion.
struct States : Sink {
  void accept(const Sample& sample) override { all.push_back(sample.state); }
  std::vector<State> all;
};

/// v̇, λ and the reaction of both ways at a state, where both have decided on the rows.
void expect_equal(Dynamics& recursive, Dynamics& matrices, const State& at, const std::string& what) {
  Acceleration a, b;
  ASSERT_TRUE(recursive.solve(at, a)) << what << ": " << recursive.explain(at);
  ASSERT_TRUE(matrices.solve(at, b)) << what << ": " << matrices.explain(at);
  // ε times the condition of M and C, which is below 1e6 in these
  EXPECT_LT((a.vdot - b.vdot).norm(), 1e-9 * (1.0 + b.vdot.norm())) << what << " at " << at.t;
  EXPECT_LT((a.lambda - b.lambda).norm(), 1e-9 * (1.0 + b.lambda.norm())) << what << " at " << at.t;
  EXPECT_LT((a.reaction - b.reaction).norm(), 1e-9 * (1.0 + b.reaction.norm())) << what << " at " << at.t;
}

void compare(const Model& model, double until, const std::string& what) {
  const auto system = make_system(model);
  Dynamics recursive(*system, "recursive"), matrices(*system, "null-space");
  const InitialConditions start = find_initial_conditions(matrices, system->start());
  States states;
  integrate(matrices, start.state, states, {.until = until, .output = until / 4, .rtol = 1e-9, .atol = 1e-10});
  ASSERT_FALSE(states.all.empty()) << what;
  for (const State& state : states.all) {
    recursive.decide_rows(state);
    matrices.decide_rows(state);
    expect_equal(recursive, matrices, state, what);
  }
}

TEST(Recursive, ShippedMechanisms) {
  int compared = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_path("models"))) {
    if (file.path().extension() != ".toml") continue;
    const Model model = read_model(file.path());
    if (model.mechanism.bodies.empty()) continue;
    const auto system = make_system(model);
    const Shape& shape = system->shape();
    if (!shape.ideal() || shape.s_a > 0) continue;
    if (!Dynamics(*system).recursion()) continue;
    compare(model, 0.01, file.path().filename());
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

TEST(Recursive, ChainsOfLoops) {
  for (const int loops : {1, 2, 7, 30}) compare(four_bar_chain_of_bodies(loops), 0.2, fmt::format("{} loops", loops));
}

/// Loops that hang on moving bodies and on each other: a pantograph whose scissors carry the next ones.
TEST(Recursive, LoopsOnMovingBodies) {
  std::string text = "title = \"Scissors\"\ndimension = 2\ngravity = [0, -9.81]\n", joints = "[joint]\n";
  constexpr int stages = 5;
  for (int k = 0; k < stages; ++k) {
    text += fmt::format(
        "[body.rise_{0}]\nshape = \"rod\"\nmass = 1.0\nfrom = [0, {0}]\nto = [2, {1}]\n"
        "[body.fall_{0}]\nshape = \"rod\"\nmass = 1.5\nfrom = [2, {0}]\nto = [0, {1}]\n",
        k, k + 1);
    joints += fmt::format("cross_{0} = {{ revolute = [\"rise_{0}\", \"fall_{0}\"], at = [1, {1}] }}\n", k, k + 0.5);
    if (k == 0) {
      joints +=
          "foot = { revolute = [\"ground\", \"rise_0\"], at = [0, 0] }\n"
          "shoe = { point_on_line = [\"ground\", \"fall_0\"], at = [2, 0], axis = [1, 0] }\n";
    } else {
      joints += fmt::format(
          "left_{0} = {{ revolute = [\"fall_{1}\", \"rise_{0}\"], at = [0, {0}] }}\n"
          "right_{0} = {{ revolute = [\"rise_{1}\", \"fall_{0}\"], at = [2, {0}] }}\n",
          k, k - 1);
    }
  }
  compare(parse_model(text + joints, "scissors.toml"), 0.1, "scissors");
}

/// A row on a joint coordinate, on a sum of them and on a distance, all at once.
TEST(Recursive, RowsOfFormulas) {
  compare(parse_model(R"toml(
title = "Arm"
gravity = [0, 0, -9.81]
[body]
upper = { shape = "rod", mass = 2.0, from = [0, 0, 0], to = [1, 0, 0] }
lower = { shape = "rod", mass = 1.0, from = [1, 0, 0], to = [1, 1, 0] }
hand = { shape = "box", mass = 0.5, size = [0.2, 0.1, 0.1], position = [1, 1.2, 0.1] }
[joint]
shoulder = { spherical = ["ground", "upper"], at = [0, 0, 0] }
elbow = { revolute = ["upper", "lower"], at = [1, 0, 0], axis = [0, 0, 1] }
wrist = { universal = ["lower", "hand"], at = [1, 1, 0], axis = [1, 0, 0], second_axis = [0, 0, 1] }
[driver]
bend = { joint = "elbow", follows = "0.3*sin(2*t)" }
[constraint]
tied = { position = "lower.centre.x + 0.5*lower.centre.y - 1.0 - 0.1*t" }
slow = { velocity = "hand.wx - 0.2*lower.wz" }
)toml",
                      "arm.toml"),
          0.1, "arm");
}

/// A point mass at the end of two links without mass falls freely, as long as these are not in line: J v̇ = (0, −g).
Model massless_links() {
  return parse_model(R"toml(
title = "Massless links"
dimension = 2
gravity = [0, -9.81]
[body]
link_1 = { mass = 0, inertia = 0, position = [0.5, 0] }
link_2 = { mass = 0, inertia = 0, position = [1, 0.5] }
bob = { shape = "point", mass = 1.0, position = [1, 1] }
[joint]
pin = { revolute = ["ground", "link_1"], at = [0, 0] }
elbow = { revolute = ["link_1", "link_2"], at = [1, 0] }
tip = { fixed = ["link_2", "bob"], at = [1, 1] }
)toml",
                     "massless.toml");
}

TEST(Recursive, MasslessLinks) {
  const auto system = make_system(massless_links());
  Dynamics dynamics(*system, "recursive");
  const InitialConditions start = find_initial_conditions(dynamics, system->start());
  ASSERT_TRUE(dynamics.solved_recursively());
  EXPECT_NEAR(start.acceleration.vdot[0], -9.81, 1e-13);  // rounding
  EXPECT_NEAR(start.acceleration.vdot[1], 9.81, 1e-13);
}

/// The same with the links in line, where nothing resists across: a pivot is lost, and the next pose is none the worse.
TEST(Recursive, LostPivotLeavesNothingBehind) {
  const auto system = make_system(massless_links());
  const auto w = system->workspace();
  w->matrices = false;
  const auto recursion = system->recursion(), fresh = system->recursion();
  const Vector v = Vector::Constant(2, 0.3), in_line{{0.0, -std::numbers::pi / 2.0}}, drawn{{0.0, 0.0}};
  Vector once = Vector::Zero(2), anew = Vector::Zero(2);

  system->acceleration({0.0, in_line.data(), v.data()}, *w);
  EXPECT_FALSE(recursion->factorise_and_solve(*w, w->terms.h.data(), nullptr, once.data(), nullptr));

  system->acceleration({0.0, drawn.data(), v.data()}, *w);
  ASSERT_TRUE(recursion->factorise_and_solve(*w, w->terms.h.data(), nullptr, once.data(), nullptr));
  ASSERT_TRUE(fresh->factorise(*w));
  fresh->solve(w->terms.h.data(), nullptr, anew.data(), nullptr);
  EXPECT_EQ(once, anew);  // the same operations in the same order
}

TEST(Recursive, IsForMechanismsOnly) {
  const auto system = make_system(read_model(source_path("models/pendulum.toml")));
  try {
    Dynamics dynamics(*system, "recursive");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("goes along the joints of a mechanism"), std::string::npos);
  }
}

}  // namespace
}  // namespace maggi::test
