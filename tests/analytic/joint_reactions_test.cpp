// Reactions on each side of a joint whose points move apart, against closed solutions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "io/toml/model_file.hpp"
#include "support/mechanism_run.hpp"
#include "support/reference.hpp"

namespace maggi::test {
namespace {

using Vector3 = Eigen::Vector3d;

constexpr double g = 9.81;
constexpr double exact = 1e-9;  // rtol 1e-13; forces of some 10 N

/// A force or torque; in the plane a torque is one number.
Vector3 vector(const MechanismRun& run, const std::string& name, std::size_t k) {
  if (run.has(name)) return {0.0, 0.0, run[name][k]};
  return {run[name + ".x"][k], run[name + ".y"][k], run.has(name + ".z") ? run[name + ".z"][k] : 0.0};
}

void expect_vector(const MechanismRun& run, const std::string& name, std::size_t k, const Vector3& expected) {
  EXPECT_LT((vector(run, name, k) - expected).norm(), exact * (1.0 + expected.norm()))
      << name << ", state " << k << ": " << vector(run, name, k).transpose() << ", not " << expected.transpose();
}

/// A slide with its load beside it, c from its point, goes along a rail at rest: it has to be held against its weight
/// in c, and the rail against the same weight at the distance s.
TEST(JointReactions, AnOffsetLoadOnARail) {
  const Vector3 c(0.1, 0.3, -0.2), f(0, 0, 2 * g);
  for (const bool loop : {false, true}) {
    Model model = parse_model(R"toml(
      gravity = [0, 0, -9.81]
      [body.load]
      mass = 2
      inertia = [0.1, 0.2, 0.3]
      position = [0.6, 1.3, 0.8]
      [joint]
      rail = { prismatic = ["ground", "load"], at = [0.5, 1, 1], axis = [1, 0, 0], speed = 0.7 }
    )toml",
                              "test.toml");
    model.mechanism.joints[0].loop = loop;
    const MechanismRun run(model, 2.0, 0.5);
    for (std::size_t k = 0; k < run.size(); ++k) {
      const Vector3 s(0.7 * run["t"][k], 0, 0);
      expect_vector(run, "rail.force", k, f);
      expect_vector(run, "rail.torque", k, c.cross(f));
      expect_vector(run, "rail.first.force", k, -f);
      expect_vector(run, "rail.first.torque", k, -(s + c).cross(f));
    }
  }
}

/// The same in the plane, on a slope of 0.6 (3, 4, 5) down which it slides freely: s = g sin β t²/2.
TEST(JointReactions, AnOffsetLoadOnASlope) {
  const Vector3 e(0.8, -0.6, 0), n(0.6, 0.8, 0), c = 0.2 * n + 0.1 * e, f = 2 * g * 0.8 * n;
  const MechanismRun run(parse_model(R"toml(
    dimension = 2
    gravity = [0, -9.81]
    [body.load]
    mass = 2
    inertia = 0.1
    position = ["0.2*0.6 + 0.1*0.8", "0.2*0.8 - 0.1*0.6"]
    [joint]
    rail = { prismatic = ["ground", "load"], at = [0, 0], axis = [0.8, -0.6] }
  )toml",
                                     "test.toml"),
                         1.0, 0.25);
  for (std::size_t k = 0; k < run.size(); ++k) {
    const double t = run["t"][k];
    const Vector3 s = g * 0.6 * t * t / 2 * e;
    expect_vector(run, "rail.force", k, f);
    expect_vector(run, "rail.torque", k, c.cross(f));
    expect_vector(run, "rail.first.force", k, -f);
    expect_vector(run, "rail.first.torque", k, -(s + c).cross(f));
  }
}

/// A bead is driven along a bar that is driven around the vertical: m (−s w², 2 s' w, g) along the axes of the bar, so
/// that the bar bears the opposite, at the distance s. A point on a line has no torque but that one.
TEST(JointReactions, ABeadOnATurningBar) {
  const double m = 2, w = 3, v = 0.3;
  for (const char* joint : {"prismatic", "cylindrical", "point_on_line"})
    for (const bool loop : {false, true}) {
      Model model = parse_model(fmt::format(R"toml(
        gravity = [0, 0, -9.81]
        reaction_frame = "body"
        [body.bar]
        mass = 1
        inertia = [0.1, 0.2, 0.3]
        position = [0, 0, 0]
        [body.bead]
        mass = 2
        inertia = [0.1, 0.1, 0.1]
        position = [0, 0, 0]
        [joint]
        axle = {{ revolute = ["ground", "bar"], at = [0, 0, 0], axis = [0, 0, 1] }}
        slide = {{ {} = ["bar", "bead"], at = [0, 0, 0], axis = [1, 0, 0] }}
        [driver]
        turn = {{ joint = "axle", follows = "3*t" }}
        pull = {{ joint = "slide.distance", follows = "0.5 + 0.3*t" }}
      )toml",
                                            joint),
                                "test.toml");
      model.mechanism.joints[1].loop = loop;
      const MechanismRun run(model, 2.0, 0.5);
      for (std::size_t k = 0; k < run.size(); ++k) {
        const double s = 0.5 + v * run["t"][k];
        const Vector3 f = m * Vector3(-s * w * w, 2 * v * w, g);
        expect_vector(run, "slide.first.force", k, -f);
        expect_vector(run, "slide.first.torque", k, -Vector3(s, 0, 0).cross(f));
        EXPECT_NEAR(vector(run, "slide.force", k).norm(), f.norm(), exact * f.norm());  // the axes of the bead
        EXPECT_EQ(run.has("slide.torque.x"), std::string(joint) != "point_on_line");
        if (run.has("slide.torque.x")) expect_vector(run, "slide.torque", k, Vector3::Zero());
        // what the bearing of the bar bears, about its point
        expect_vector(run, "axle.force", k, f + Vector3(0, 0, g));
        expect_vector(run, "axle.torque", k, Vector3(s, 0, 0).cross(f));
      }
    }
}

/// A weld bears a weight of 10 N along x; its own axes are those of the world after the least turn of z to its axis,
/// and where this is −z after half a turn about y.
TEST(JointReactions, AlongTheAxesOfAJoint) {
  for (const Vector3& axis : {Vector3(0, 0, 1), Vector3(std::sin(1e-3), 0, std::cos(1e-3)), Vector3(0.6, 0, 0.8),
                              Vector3(0.36, 0.48, 0.8), Vector3(0, 0.6, -0.8), Vector3(0, 0, -1)}) {
    const MechanismRun run(parse_model(fmt::format(R"toml(
      reaction_frame = "joint"
      gravity = [-10, 0, 0]
      [body.a]
      shape = "sphere"
      radius = 0.1
      mass = 1
      position = [0, 0, 0]
      [joint]
      h = {{ revolute = ["ground", "a"], at = [0, 0, 0], axis = [{}, {}, {}] }}
    )toml",
                                                   axis[0], axis[1], axis[2]),
                                       "test.toml"),
                           0.0, 1.0);
    const Eigen::AngleAxisd turn(std::acos(axis[2]), axis[2] == -1.0 || axis[2] == 1.0
                                                         ? Vector3(0, 1, 0)
                                                         : Vector3(Vector3(0, 0, 1).cross(axis).normalized()));
    expect_vector(run, "h.force", 0, turn.toRotationMatrix().transpose() * Vector3(10, 0, 0));
  }
}

/// A rod has two ends: the force goes along it, through both of them.
TEST(JointReactions, EachEndOfARod) {
  const MechanismRun run(parse_model(R"toml(
    dimension = 2
    gravity = [0, -9.81]
    [body.bob]
    mass = 2
    inertia = 0.1
    position = [0.6, -0.8]
    [joint]
    rod = { distance = ["ground", "bob"], at = [0, 0], to = [0.6, -0.8] }
  )toml",
                                     "test.toml"),
                         0.0, 1.0);
  const Vector3 pull = 2 * g * 0.8 * Vector3(-0.6, 0.8, 0);  // at rest: only the weight along it
  expect_vector(run, "rod.force", 0, pull);
  expect_vector(run, "rod.first.force", 0, -pull);
  EXPECT_FALSE(run.has("rod.torque") || run.has("rod.first.torque"));
}

}  // namespace
}  // namespace maggi::test
