// Which vector an angular velocity is: that of a body in the world, that along its own axes, that of a joint.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "io/toml/model_file.hpp"
#include "support/mechanism_run.hpp"

namespace maggi::test {
namespace {

using Vector3 = Eigen::Vector3d;

constexpr double exact = 1e-9;  // rtol 1e-13 over some hundred steps, angular velocities of order one

Vector3 vector(const MechanismRun& run, const std::string& name, std::size_t k) {
  return {run[name + "x"][k], run[name + "y"][k], run[name + "z"][k]};
}
Eigen::Quaterniond orientation(const MechanismRun& run, const std::string& body, std::size_t k) {
  const std::string name = "drawing." + body + ".q";
  return {run[name + "w"][k], run[name + "x"][k], run[name + "y"][k], run[name + "z"][k]};
}
void expect_vector(const Vector3& is, const Vector3& expected) {
  EXPECT_LT((is - expected).norm(), exact) << is.transpose() << ", not " << expected.transpose();
}

/// A ball that floats under a torque in the world: θ ω' = τ whatever its rotation, and its own axes see ω turned back.
TEST(AngularVelocity, OfABodyThatFloats) {
  const MechanismRun run(parse_model(R"toml(
    [body.b]
    shape = "sphere"
    radius = 0.1
    mass = 1
    position = [1, 0, 0]
    axis = [1, 2, 2]
    turned = 0.7
    [force]
    m = { on = "b", torque = ["0.004*cos(3*t)", "0.004*sin(3*t)", 0.004] }
    [output]
    world_x = "b.wx"
    world_y = "b.wy"
    world_z = "b.wz"
    own_x = "b.body.wx"
    own_y = "b.body.wy"
    own_z = "b.body.wz"
  )toml",
                                     "test.toml"),
                         2.0, 0.25);
  ASSERT_GT(run.size(), 5U);
  for (std::size_t k = 0; k < run.size(); ++k) {
    const double t = run["t"][k];
    const Vector3 omega(std::sin(3 * t) / 3, (1 - std::cos(3 * t)) / 3, t);  // θ = 0.4 m r² = 0.004
    expect_vector(vector(run, "b.w", k), omega);
    expect_vector(vector(run, "world_", k), omega);
    const Vector3 own = orientation(run, "b", k).conjugate() * omega;
    expect_vector(vector(run, "b.body.w", k), own);
    expect_vector(vector(run, "own_", k), own);
  }
  EXPECT_NEAR(run["b.wx"].back(), -0.0931, 5e-5);  // four digits
  EXPECT_NEAR(run["b.wx"].back(), std::sin(6.0) / 3, exact);
}

/// A body turned in its reference configuration spins about its own x axis, a principal one.
TEST(AngularVelocity, OfAJointIsAlongTheOwnAxesOfItsSecondBody) {
  for (const char* joint : {"free", "spherical"})
    for (const bool loop : {false, true}) {
      Model model = parse_model(std::string(R"toml(
        [body.a]
        mass = 1
        inertia = [1, 2, 3]
        position = [0, 0, 0]
        axis = [0, 0, 1]
        turned = "pi/2"
        [joint]
        f = { )toml") + joint + R"toml( = ["ground", "a"], at = [0, 0, 0], speed = { wx = 1.0 } }
        [output]
        world_x = "a.wx"
        world_y = "a.wy"
        own_x = "a.body.wx"
        of_joint_x = "f.wx"
      )toml",
                                "test.toml");
      model.mechanism.joints[0].loop = loop;
      const MechanismRun run(model, 2.0, 0.5);
      for (std::size_t k = 0; k < run.size(); ++k) {
        EXPECT_NEAR(run["energy.kinetic"][k], 0.5, exact);  // of xx
        EXPECT_NEAR(run["world_x"][k], 0.0, exact);
        EXPECT_NEAR(run["world_y"][k], 1.0, exact);
        EXPECT_NEAR(run["own_x"][k], 1.0, exact);
        EXPECT_NEAR(run["of_joint_x"][k], 1.0, exact);
      }
    }
}

/// General motions: joints with axes of their own, passed forward and back, from a body that turns too.
TEST(AngularVelocity, OfJointsBetweenTurningBodies) {
  for (const char* joint : {"spherical = [\"a\", \"b\"]", "spherical = [\"b\", \"a\"]",
                            "point_on_line = [\"a\", \"b\"], axis = [0, 0.6, -0.8]",
                            "point_on_plane = [\"b\", \"a\"], axis = [1, 2, 2]", "free = [\"a\", \"b\"]"}) {
    const std::string text = joint;
    const bool a_is_second = text.find("[\"b\", \"a\"]") != std::string::npos;
    const MechanismRun run(parse_model(R"toml(
        gravity = [0, 0, -9.81]
        [body.a]
        mass = 1
        inertia = [0.1, 0.2, 0.25]
        position = [0.3, 0, 0]
        axis = [1, 0, 1]
        turned = 0.4
        [body.b]
        mass = 0.7
        inertia = [0.03, 0.05, 0.06]
        position = [0.6, 0.1, 0.2]
        axis = [0, 1, 2]
        turned = -1.1
        [joint]
        hinge = { revolute = ["ground", "a"], at = [0, 0, 0], axis = [0, 1, 0], speed = 1.5 }
        j = { )toml" + text + R"toml(, at = [0.5, 0, 0.1], speed = { wx = 0.5, wy = -0.4, wz = 2.0 } }
        [output]
        x = "j.wx"
        y = "j.wy"
        z = "j.wz"
        a_x = "a.wx"
        a_y = "a.wy"
        a_z = "a.wz"
        b_x = "b.wx"
        b_y = "b.wy"
        b_z = "b.wz"
      )toml",
                                       "test.toml"),
                           0.5, 0.1);
    expect_vector(vector(run, "", 0), {0.5, -0.4, 2.0});
    for (std::size_t k = 0; k < run.size(); ++k) {
      const Vector3 relative = (a_is_second ? -1.0 : 1.0) * (vector(run, "b_", k) - vector(run, "a_", k));
      expect_vector(orientation(run, a_is_second ? "a" : "b", k) * vector(run, "", k), relative);
    }
  }
}

}  // namespace
}  // namespace maggi::test
