// What is seen of mechanisms: where it is, by hand and by the positions of markers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <map>

#include "io/toml/model_file.hpp"
#include "support/source_tree.hpp"
#include "system/make_system.hpp"

namespace maggi {
namespace {

using testing::ElementsAre;

/// Numbers of the scene at coordinates q.
struct Seen {
  std::unique_ptr<System> system;
  std::vector<double> values;

  Seen(const std::string& model, const std::vector<double>& q)
      : Seen(make_system(parse_model(model, "model.toml")), q) {}
  Seen(std::unique_ptr<System> made, const std::vector<double>& q) : system(std::move(made)) {
    const Shape& shape = system->shape();
    const Vector v = Vector::Zero(shape.n());
    values.resize(shape.drawing.size());
    const auto w = system->workspace();
    system->drawing({0.0, q.data(), v.data()}, *w, values);
  }

  const Scene& scene() const { return system->shape().scene; }
  std::vector<double> at(const std::vector<int>& places) const {
    std::vector<double> result;
    for (const int place : places) result.push_back(values[place]);
    return result;
  }
  std::vector<double> point(const std::string& name) const {
    for (const Scene::Point& point : scene().points)
      if (point.name == name) return at(point.at);
    ADD_FAILURE() << "no point " << name;
    return {};
  }
};

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-14);  // a few roundings of numbers about 1
}

TEST(MechanismScene, ADoorIsABoxInItsFrame) {
  const double angle = 0.7;
  const Seen seen(R"toml(
[body.door]
shape = "box"
size = [1.0, 0.04, 2.0]
mass = 20.0
position = [0.5, 0, 1]
markers = { handle = [0.95, 0, 1] }
[joint]
hinge = { revolute = ["ground", "door"], at = [0, 0, 0.2], axis = [0, 0, 1] }
)toml",
                  {angle});
  EXPECT_EQ(seen.scene().dimension, 3);
  expect_near(seen.point("hinge"), {0, 0, 0.2});
  expect_near(seen.point("door.handle"), {0.95 * std::cos(angle), 0.95 * std::sin(angle), 1});
  ASSERT_EQ(seen.scene().bodies.size(), 1u);
  const Scene::Body& door = seen.scene().bodies[0];
  EXPECT_EQ(door.shape, "box");
  EXPECT_THAT(door.size, ElementsAre(1.0, 0.04, 2.0));
  expect_near(seen.at(door.frame),
              {0.5 * std::cos(angle), 0.5 * std::sin(angle), 1, std::cos(angle / 2), 0, 0, std::sin(angle / 2)});
}

TEST(MechanismScene, InThePlaneAFrameHasAnAngleAndBodiesWithoutShapeConnectTheirPoints) {
  const double a = 0.4, b = -1.1;
  const Seen seen(R"toml(
dimension = 2
[body.arm]
mass = 1
inertia = 0.1
position = [0.5, 0]
[body.plate]
shape = "box"
size = [0.4, 0.2]
mass = 1
position = [1.2, 0]
turned = 0.3
[joint]
shoulder = { revolute = ["ground", "arm"], at = [0, 0] }
elbow = { revolute = ["arm", "plate"], at = [1, 0] }
)toml",
                  {a, b});
  expect_near(seen.point("elbow"), {std::cos(a), std::sin(a)});
  ASSERT_EQ(seen.scene().lines.size(), 1u);
  EXPECT_EQ(seen.scene().lines[0].name, "arm");
  EXPECT_THAT(seen.scene().lines[0].through, ElementsAre(0, 1));
  ASSERT_EQ(seen.scene().bodies.size(), 2u);
  EXPECT_EQ(seen.scene().bodies[0].shape, "sphere");  // of the arm: a small ball at its mass centre
  expect_near(seen.at(seen.scene().bodies[0].frame), {0.5 * std::cos(a), 0.5 * std::sin(a), a});
  EXPECT_LT(seen.scene().bodies[0].size[0], 0.05);
  expect_near(seen.at(seen.scene().bodies[1].frame),
              {std::cos(a) + 0.2 * std::cos(a + b), std::sin(a) + 0.2 * std::sin(a + b), a + b + 0.3});
}

TEST(MechanismScene, AWheelWithoutShapeIsAsLargeAsItRolls) {
  const Seen seen(R"toml(
gravity = [0, 0, -9.81]
[body.wheel]
mass = 2
inertia = [0.1, 0.2, 0.1]
position = [0, 0, 0.3]
[joint]
tyre = { rolling = ["ground", "wheel"], at = [0, 0, 0.3], radius = 0.3, axis = [0, 1, 0] }
)toml",
                  {0, 0, 0, 1, 0, 0, 0});
  ASSERT_EQ(seen.scene().bodies.size(), 1u);
  EXPECT_EQ(seen.scene().bodies[0].shape, "cylinder");
  EXPECT_EQ(seen.scene().bodies[0].size[0], 0.3);
  expect_near(seen.scene().bodies[0].axis, {0, 1, 0});
}

TEST(MechanismScene, JointsHaveTheirKindAndAnAxisThatABodyCarries) {
  const Seen seen(R"toml(
[body.arm]
shape = "box"
size = [1.0, 0.1, 0.1]
mass = 1
position = [0.5, 0, 0]
axis = [0, 0, 1]
turned = 0.5
[body.slider]
shape = "sphere"
radius = 0.1
mass = 1
position = [1, 0, 0]
[body.bare]
mass = 1
inertia = [1, 1, 1]
position = [2, 0, 0]
[joint]
hinge = { revolute = ["ground", "arm"], at = [0, 0, 0], axis = [0, 3, 0] }
guide = { prismatic = ["arm", "slider"], at = [1, 0, 0], axis = [1, 0, 0] }
ball = { spherical = ["slider", "bare"], at = [2, 0, 0] }
)toml",
                  {0.0, 0.0, 1.0, 0.0, 0.0, 0.0});
  std::map<std::string, Scene::Point> points;
  for (const Scene::Point& point : seen.scene().points) points[point.name] = point;
  EXPECT_EQ(points["hinge"].joint, "revolute");
  EXPECT_EQ(points["hinge"].carrier, "");
  expect_near(points["hinge"].axis, {0, 1, 0});
  EXPECT_EQ(points["guide"].joint, "prismatic");
  EXPECT_EQ(points["guide"].carrier, "arm");
  expect_near(points["guide"].axis, {std::cos(0.5), -std::sin(0.5), 0});  // in the frame of the arm, which is turned
  EXPECT_EQ(points["ball"].joint, "spherical");
  EXPECT_TRUE(points["ball"].axis.empty());
}

TEST(MechanismScene, FramesCarryMarkersInEveryModel) {
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_path("models"))) {
    if (entry.path().extension() != ".toml") continue;
    const Model model = read_model(entry.path());
    if (!model.mechanism.given()) continue;
    auto system = make_system(model);
    const Shape& shape = system->shape();
    std::vector<double> drawn_q(shape.nq(), 0.0), q(shape.nq());
    if (system->start().origin.size() > 0) drawn_q.assign(system->start().origin.begin(), system->start().origin.end());
    Vector delta(shape.n());
    for (int i = 0; i < shape.n(); ++i) delta[i] = 0.3 * std::sin(1.7 * i + 1);
    q = drawn_q;
    system->move(q.data(), delta.data());
    const Seen before(make_system(model), drawn_q), now(std::move(system), q);
    for (const Scene::Body& body : now.scene().bodies)
      for (const Scene::Point& point : now.scene().points) {
        if (!point.name.starts_with(body.name + ".") || now.scene().dimension != 3) continue;
        const auto in_frame = [&](const Seen& seen) -> Eigen::Vector3d {
          const std::vector<double> f = seen.at(body.frame), p = seen.at(point.at);
          const Eigen::Quaterniond turn(f[3], f[4], f[5], f[6]);
          return turn.inverse() * (Eigen::Vector3d(p[0], p[1], p[2]) - Eigen::Vector3d(f[0], f[1], f[2]));
        };
        EXPECT_LT((in_frame(now) - in_frame(before)).norm(), 1e-13) << entry.path() << " " << point.name;
        ++compared;
      }
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace maggi
