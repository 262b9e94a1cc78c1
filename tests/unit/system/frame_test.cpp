// The frame about an axis: the least rotation that carries an axis of the world to it.
#include "system/mechanism/reference/frame.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>

#include "base/dual.hpp"
#include "base/largest.hpp"

namespace maggi::test {
namespace {

using mechanism::frame_about;
using mechanism::Matrix3;
using mechanism::Vector3;

constexpr double roundings = 2e-15;  // tens of operations on numbers of order one

Vector3 random_direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Vector3(normal(random), normal(random), normal(random)).normalized();
}

/// Also beside an axis of the world, and beside its opposite.
TEST(Frame, IsOrthonormal) {
  for (const double tilt : {0.0, 1e-18, 1e-12, 1e-9, 1e-6, 1e-5, 4e-5, 1e-4, 0.3, 3.0})
    for (int k = 0; k < 3; ++k)
      for (const double sign : {1.0, -1.0}) {
        const Vector3 e = (sign * Vector3::Unit(k) + tilt * Vector3(0.6, -0.3, 0.8)).normalized();
        const Matrix3 R = frame_about(e, k);
        EXPECT_LE(largest(R.transpose() * R - Matrix3::Identity()), roundings) << tilt;
        EXPECT_NEAR(R.determinant(), 1.0, roundings);
        EXPECT_EQ(largest(R.col(k) - e), 0.0);
      }
}

/// Rodrigues' formula: the turn by the angle between the two about their common normal.
TEST(Frame, IsTheLeastRotation) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial)
    for (int k = 0; k < 3; ++k) {
      const Vector3 e = random_direction(random), from = Vector3::Unit(k), normal = from.cross(e);
      const Matrix3 turn =
          Eigen::AngleAxisd(std::atan2(normal.norm(), from.dot(e)), normal.normalized()).toRotationMatrix();
      EXPECT_LE(largest(frame_about(e, k) - turn), 1e-14 / normal.norm()) << e.transpose();  // of its axis: ε / sine
    }
}

TEST(Frame, OppositeToTheAxisIsHalfATurnAboutTheLastOne) {
  for (int k = 0; k < 3; ++k) {
    const Matrix3 half = Eigen::AngleAxisd(std::numbers::pi, Vector3::Unit((k + 2) % 3)).toRotationMatrix();
    EXPECT_LE(largest(frame_about(Vector3(-Vector3::Unit(k)), k) - half), roundings);
    // as sin and cos of π give it
    const Vector3 typed =
        std::cos(std::numbers::pi) * Vector3::Unit(k) + std::sin(std::numbers::pi) * Vector3::Unit((k + 1) % 3);
    EXPECT_LE(largest(frame_about(typed, k) - half), roundings);
  }
  const Matrix3 about_z = frame_about(Vector3(0, 0, -1), 2);
  EXPECT_EQ(largest(about_z.col(0) - Vector3(-1, 0, 0)), 0.0);
  EXPECT_EQ(largest(about_z.col(1) - Vector3(0, 1, 0)), 0.0);
}

/// By the angle d between two axes the frame changes by at most d (1 + tan(θ/2)), θ from the axis of the world: the
/// turn about the axis itself.
TEST(Frame, IsContinuous) {
  constexpr double d = 1e-7;
  std::mt19937 random(11);
  for (int k = 0; k < 3; ++k)
    for (const double from_opposite : {3.1, 2.0, 1.0, 0.1, 1e-3, 1e-5}) {
      const double angle = std::numbers::pi - from_opposite;
      const Vector3 side = Vector3::Unit(k).cross(random_direction(random)).normalized();
      const Vector3 e = std::cos(angle) * Vector3::Unit(k) + std::sin(angle) * side;
      const Vector3 other = (e + d * e.cross(random_direction(random)).normalized()).normalized();
      const double allowed = 1.01 * d * (1.0 + std::tan(angle / 2)) + roundings / from_opposite;
      EXPECT_LE((frame_about(e, k) - frame_about(other, k)).norm(), std::numbers::sqrt2 * allowed) << from_opposite;
    }
}

/// In the plane k = 0 stays in the plane.
TEST(Frame, StaysInThePlane) {
  for (int i = -20; i <= 20; ++i) {
    const double angle = std::numbers::pi * i / 20;
    const Vector3 e(std::cos(angle), i == -20 || i == 20 ? 0.0 : std::sin(angle), 0.0);
    const Matrix3 turn = Eigen::AngleAxisd(std::atan2(e[1], e[0]), Vector3::UnitZ()).toRotationMatrix();
    EXPECT_LE(largest(frame_about(e, 0) - turn), 1e-14 / (1e-3 + std::abs(1 + e[0])));
  }
}

/// The derivatives along two directions in which a unit vector can change, against differences.
TEST(Frame, HasExactDerivatives) {
  using DualVector = mechanism::Vector3Over<Dual>;
  std::mt19937 random(3);
  for (int trial = 0; trial < 30; ++trial)
    for (int k = 0; k < 3; ++k) {
      Vector3 e = random_direction(random);
      if (trial == 0) e = -Vector3::Unit(k);
      if (trial == 1) e = Vector3::Unit(k);
      const Vector3 change = e.cross(random_direction(random)).normalized();
      DualVector x;
      for (int i = 0; i < 3; ++i) x[i] = e[i], x[i].set_slope(0, change[i]);
      const mechanism::Matrix3Over<Dual> R = frame_about(x, k);
      // Richardson's extrapolation of central differences: error h⁴ / sine⁵
      const auto difference = [&](double h) -> Matrix3 {
        const auto there = [&](double s) { return frame_about(Vector3((std::cos(s) * e + std::sin(s) * change)), k); };
        return (there(h) - there(-h)) / (2 * h);
      };
      const double sine = trial < 2 ? 1.0 : std::hypot(e[(k + 1) % 3], e[(k + 2) % 3]);
      if (sine < 0.05) continue;
      // at −E_k the frame jumps: there the derivative is that of the rotation from −E_k on
      const Matrix3 expected =
          trial == 0 ? Matrix3((change * (-Vector3::Unit(k)).transpose() - -Vector3::Unit(k) * change.transpose()) *
                               frame_about(e, k))
                     : Matrix3((4 * difference(5e-4) - difference(1e-3)) / 3);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          EXPECT_NEAR(R(i, j).value, frame_about(e, k)(i, j), roundings);
          EXPECT_NEAR(R(i, j).slope(0), expected(i, j), 1e-11 * (1 + std::pow(sine, -5))) << trial;
        }
    }
}

}  // namespace
}  // namespace maggi::test
