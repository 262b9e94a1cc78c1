// Mass and inertia of bodies given by shape, with a mass or a density, against their integrals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "io/toml/model_file.hpp"
#include "system/make_system.hpp"

namespace maggi::test {
namespace {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using std::numbers::pi;

constexpr double rounding = 1e-14;

/// What resists the only motion that a joint at its mass centre leaves to a body.
double resistance(const std::string& body, const std::string& joint, bool planar) {
  const auto system = make_system(
      parse_model(fmt::format("{}\n[body.b]\n{}\n[joint]\nj = {{ {} = [\"ground\", \"b\"], at = \"b.centre\"{} }}\n",
                              planar ? "dimension = 2" : "", body, joint.substr(0, joint.find(' ')),
                              joint.substr(std::min(joint.size(), joint.find(' ')))),
                  "test.toml"));
  const auto w = system->workspace();
  system->position(State{0.0, Vector::Zero(1), Vector::Zero(1)}, *w);
  return w->terms.M[0];
}

double mass(const std::string& body, bool planar) {
  return resistance(body, planar ? "prismatic , axis = [1, 0]" : "prismatic , axis = [1, 0, 0]", planar);
}

void expect_solid(const std::string& body, double m, const Matrix3& I) {
  EXPECT_NEAR(mass(body, false), m, rounding * m) << body;
  for (const Vector3& e :
       {Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(1, 1, 0), Vector3(1, 0, 1), Vector3(0, 1, -1)}) {
    const double about = e.dot(I * e) / e.squaredNorm();
    EXPECT_NEAR(resistance(body, fmt::format("revolute , axis = [{}, {}, {}]", e[0], e[1], e[2]), false), about,
                10 * rounding * I.norm())
        << body << e.transpose();
  }
}

void expect_flat(const std::string& body, double m, double I) {
  EXPECT_NEAR(mass(body, true), m, rounding * m) << body;
  EXPECT_NEAR(resistance(body, "revolute", true), I, 10 * rounding * I) << body;
}

/// Along d and across it.
Matrix3 about_axis(const Vector3& d, double along, double across) {
  const Matrix3 P = d * d.transpose() / d.squaredNorm();
  return along * P + across * (Matrix3::Identity() - P);
}

TEST(Shapes, Box) {
  const double a = 0.3, b = 0.5, c = 0.2, rho = 700, m = rho * a * b * c;
  const Matrix3 I = m / 12 * Vector3(b * b + c * c, a * a + c * c, a * a + b * b).asDiagonal().toDenseMatrix();
  const std::string box = "shape = \"box\"\nsize = [0.3, 0.5, 0.2]\nposition = [1, 2, 3]\n";
  expect_solid(box + "density = 700", m, I);
  expect_solid(box + "mass = 4", 4, 4 / m * I);
  const Matrix3 R = Eigen::AngleAxisd(0.7, Vector3(1, 2, 2) / 3).toRotationMatrix();
  expect_solid(box + "density = 700\naxis = [1, 2, 2]\nturned = 0.7", m, R * I * R.transpose());
}

TEST(Shapes, CylinderAndRod) {
  const Vector3 d(0.2, -0.3, 0.6);
  const double L = 0.7, r = 0.1, rho = 7800, m = rho * pi * r * r * L;
  const std::string ends = "from = [1, 2, 3]\nto = [1.2, 1.7, 3.6]\n";
  const std::string cylinder = "shape = \"cylinder\"\nradius = 0.1\n" + ends;
  const Matrix3 I = about_axis(d, r * r / 2, (3 * r * r + L * L) / 12);
  expect_solid(cylinder + "density = 7800", m, m * I);
  expect_solid(cylinder + "mass = 2", 2, 2 * I);
  expect_solid("shape = \"rod\"\nmass = 2\n" + ends, 2, 2 * about_axis(d, 0.0, L * L / 12));
}

TEST(Shapes, Sphere) {
  const double r = 0.15, rho = 2000, m = rho * 4 * pi / 3 * r * r * r;
  const std::string sphere = "shape = \"sphere\"\nradius = 0.15\nposition = [1, 2, 3]\n";
  expect_solid(sphere + "density = 2000", m, 2 * m / 5 * r * r * Matrix3::Identity());
  expect_solid(sphere + "mass = 3", 3, 6.0 / 5 * r * r * Matrix3::Identity());
}

/// In the plane the density is that of an area.
TEST(Shapes, InThePlane) {
  const double a = 0.3, b = 0.5, r = 0.15, rho = 50;
  const std::string box = "shape = \"box\"\nsize = [0.3, 0.5]\nposition = [1, 2]\n";
  expect_flat(box + "density = 50", rho * a * b, rho * a * b * (a * a + b * b) / 12);
  expect_flat(box + "density = 50\nturned = 0.4", rho * a * b, rho * a * b * (a * a + b * b) / 12);
  expect_flat(box + "mass = 3", 3, 3 * (a * a + b * b) / 12);
  const std::string disc = "shape = \"disc\"\nradius = 0.15\nposition = [1, 2]\n";
  expect_flat(disc + "density = 50", rho * pi * r * r, rho * pi * r * r * r * r / 2);
  expect_flat(disc + "mass = 3", 3, 3 * r * r / 2);
  expect_flat("shape = \"rod\"\nmass = 3\nfrom = [1, 2]\nto = [1.3, 1.6]", 3, 3 * 0.25 / 12);
}

/// A body of a shape, and one with the same numbers written down, swing alike about a point beside the mass centre.
TEST(Shapes, AsIfItsInertiaWereGiven) {
  const std::string joint = "\n[joint]\nj = { revolute = [\"ground\", \"b\"], at = [0, 0, 0], axis = [0, 1, 0] }\n";
  const auto inertia = [&](const std::string& body) {
    const auto system = make_system(parse_model("[body.b]\n" + body + joint, "test.toml"));
    const auto w = system->workspace();
    system->position(State{0.0, Vector::Zero(1), Vector::Zero(1)}, *w);
    return w->terms.M[0];
  };
  const double shape = inertia("shape = \"box\"\nsize = [0.3, 0.5, 0.2]\nposition = [1, 2, 3]\nmass = 12");
  const double given = inertia("mass = 12\ninertia = [0.29, 0.13, 0.34]\nposition = [1, 2, 3]");
  EXPECT_NEAR(shape, given, 1e-13 * given);
  EXPECT_NEAR(shape, 0.13 + 12 * 10, 1e-13 * given);  // Steiner
}

}  // namespace
}  // namespace maggi::test
