#pragma once
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/largest.hpp"
#include "maggi/model.hpp"

/// Linkages with redundant constraints that move because their data fit exactly, and their models with numbers as
/// people type them.
namespace maggi::test {

using V = Eigen::Vector3d;

/// A joint between two bodies, 0 the ground, in the reference configuration.
struct Pin {
  int a, b;
  V at, axis;
  JointType type = JointType::revolute;
};

struct Linkage {
  std::vector<Pin> pins;
  int freedom = 1;
};

inline Linkage loop(const std::vector<V>& at, const std::vector<V>& axes, int freedom = 1) {
  Linkage result{{}, freedom};
  const auto n = static_cast<int>(at.size());
  for (int k = 0; k < n; ++k) result.pins.push_back({k, (k + 1) % n, at[k], axes[k]});
  return result;
}

inline Linkage four_bar() {
  return loop({{0, 0, 0}, {0.3, 0.7, 0.2}, {1.2, 0.9, -0.1}, {1.5, 0.1, 0.4}}, std::vector<V>(4, V::UnitZ()));
}
inline Linkage five_bar() {
  return loop({{0, 0, 0}, {-0.2, 0.6, 0}, {0.5, 1.2, 0.1}, {1.1, 0.7, 0}, {0.9, 0, 0.2}}, std::vector<V>(5, V::UnitZ()),
              2);
}
inline Linkage slider_crank() {
  Linkage result =
      loop({{0, 0, 0}, {0.3, 0.4, 0}, {1.3, 0, 0.1}, {1.3, 0, 0}}, {V::UnitZ(), V::UnitZ(), V::UnitZ(), V::UnitX()});
  result.pins[3].type = JointType::prismatic;
  return result;
}
inline Linkage spherical_four_bar() {
  const V centre(0.2, -0.1, 0.3);
  const std::vector<V> axes{V(1, 0.1, 0.2).normalized(), V(0.5, 0.9, 0.1).normalized(), V(-0.2, 0.6, 0.8).normalized(),
                            V(0.4, -0.2, 1).normalized()};
  std::vector<V> at;
  for (std::size_t k = 0; k < axes.size(); ++k) at.push_back(centre + (0.6 + 0.2 * static_cast<double>(k)) * axes[k]);
  return loop(at, axes);
}
/// Lengths a, b and twists α, β with a sin β = b sin α, each twice in turn [Bennett].
inline Linkage bennett() {
  const double alpha = 0.7, beta = 1.3, a = 0.8, b = a * std::sin(beta) / std::sin(alpha), first = 1.1;
  const double second =
      2.0 * std::atan(std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2) / std::tan(first / 2));
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  std::vector<V> at, axes;
  const double angles[4] = {first, second, -first, -second};
  for (int k = 0; k < 4; ++k) {
    at.emplace_back(T.translation());
    axes.emplace_back(T.linear().col(2));
    T = T * Eigen::AngleAxisd(angles[k], V::UnitZ()) * Eigen::Translation3d(k % 2 == 0 ? a : b, 0, 0) *
        Eigen::AngleAxisd(k % 2 == 0 ? alpha : beta, V::UnitX());
  }
  return loop(at, axes);
}
inline Linkage door(int hinges) {
  Linkage result;
  for (int k = 0; k < hinges; ++k) result.pins.push_back({0, 1, V(0.1, 0.2, 0.3 + 0.7 * k), V::UnitZ()});
  return result;
}
/// A beam on parallel cranks of equal lengths.
inline Linkage cranks(int count) {
  Linkage result;
  const V crank(0.4, 0.7, 0.1);
  for (int k = 0; k < count; ++k) {
    const V foot(1.1 * k, 0.15 * k * k, 0.05 * k);
    result.pins.push_back({0, k + 1, foot, V::UnitZ()});
    result.pins.push_back({k + 1, count + 1, foot + crank, V::UnitZ()});
  }
  return result;
}
/// Sarrus' linkage with legs in planes that are not parallel: the plate moves along a line.
inline Linkage sarrus(int legs) {
  Linkage result;
  const int plate = 2 * legs + 1;
  for (int k = 0; k < legs; ++k) {
    const Eigen::AngleAxisd turn(2.0 * k, V::UnitZ());
    const V axis = turn * V::UnitY();
    result.pins.push_back({0, 2 * k + 1, turn * V(1, 0, 0), axis});
    result.pins.push_back({2 * k + 1, 2 * k + 2, turn * V(1.8, 0, 0.5), axis});
    result.pins.push_back({2 * k + 2, plate, turn * V(1, 0, 1.1), axis});
  }
  return result;
}

/// Bricard's line-symmetric linkage: three axes, and the same after half a turn about a line.
inline Linkage bricard_line() {
  std::vector<V> at{{1.0, 0.1, 0.2}, {0.7, 0.9, -0.3}, {-0.2, 1.1, 0.4}};
  std::vector<V> axes{V(0.3, 0.5, 1.0).normalized(), V(-0.6, 0.4, 0.7).normalized(), V(0.2, -0.8, 0.5).normalized()};
  for (int k = 0; k < 3; ++k) {
    at.emplace_back(-at[k][0], -at[k][1], at[k][2]);
    axes.emplace_back(-axes[k][0], -axes[k][1], axes[k][2]);
  }
  return loop(at, axes);
}
/// Bricard's trihedral linkage with three equal parts: neighbours are perpendicular, axes meet in turn in two points.
inline Linkage trihedral() {
  const double beta = 0.9, gamma = std::numbers::pi - std::atan(2.0 / std::tan(beta));
  std::vector<V> at, axes;
  for (int k = 0; k < 6; ++k) {
    const double tilt = k % 2 == 0 ? beta : gamma, turn = std::numbers::pi / 3 * k;
    axes.emplace_back(std::sin(tilt) * std::cos(turn), std::sin(tilt) * std::sin(turn), std::cos(tilt));
    at.push_back(V(0, 0, k % 2 == 0 ? -0.5 : 0.8) + (k % 2 == 0 ? 0.9 : 1.1) * axes.back());
  }
  return loop(at, axes);
}
/// A carriage on parallel rails.
inline Linkage rails(int count) {
  Linkage result;
  for (int k = 0; k < count; ++k)
    result.pins.push_back({0, 1, V(0.2 * k, 0.7 * k, 0.1 * k * k), V::UnitX(), JointType::prismatic});
  return result;
}
/// Two four-bars in a row: the rocker of the first one drives the second.
inline Linkage six_bar() {
  Linkage result = four_bar();
  result.pins.push_back({3, 4, V(1.8, 0.9, 0.3), V::UnitZ()});
  result.pins.push_back({4, 5, V(2.4, 1.1, -0.2), V::UnitZ()});
  result.pins.push_back({5, 0, V(2.6, 0.2, 0.1), V::UnitZ()});
  return result;
}

using Family = std::pair<const char*, std::function<Linkage()>>;

inline const std::vector<Family>& families() {
  static const std::vector<Family> all{{"four_bar", four_bar},
                                       {"five_bar", five_bar},
                                       {"slider_crank", slider_crank},
                                       {"spherical_four_bar", spherical_four_bar},
                                       {"bennett", bennett},
                                       {"door_2", [] { return door(2); }},
                                       {"door_4", [] { return door(4); }},
                                       {"cranks_3", [] { return cranks(3); }},
                                       {"cranks_4", [] { return cranks(4); }},
                                       {"sarrus_2", [] { return sarrus(2); }},
                                       {"sarrus_3", [] { return sarrus(3); }},
                                       {"bricard_line", bricard_line},
                                       {"trihedral", trihedral},
                                       {"door_3", [] { return door(3); }},
                                       {"rails_3", [] { return rails(3); }},
                                       {"six_bar", six_bar}};
  return all;
}

inline double uniform(std::mt19937& random, double from, double to) {
  return from + (to - from) * static_cast<double>(random()) / 4294967296.0;  // the same on every platform
}

inline V direction(std::mt19937& random) {
  return V(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1)).normalized();
}

/// The linkage in another attitude, place and size, with axes of any length.
inline Linkage moved(Linkage linkage, double place, double size, std::mt19937& random) {
  const Eigen::AngleAxisd turn(uniform(random, 0, 3), direction(random));
  const V shift = place * direction(random);
  for (Pin& pin : linkage.pins) {
    pin.at = shift + size * (turn * pin.at);
    pin.axis = uniform(random, 0.5, 2.0) * (turn * pin.axis);
  }
  return linkage;
}

inline Triple typed(const V& x, int decimals) {
  Triple result;
  for (const double value : x)
    result.values.emplace_back(decimals == 0 ? Formula(value)
                                             : Formula(std::stod(fmt::format("{:.{}f}", value, decimals))));
  return result;
}

/// With the numbers of the joints rounded; 0 decimals: all digits. The bodies are the same in both.
inline Model model_of(const Linkage& linkage, int decimals) {
  Model model;
  model.mechanism.gravity = typed({0, 0, -9.81}, 0);
  std::vector<std::vector<V>> points;
  for (const Pin& pin : linkage.pins) {
    points.resize(std::max<std::size_t>(points.size(), static_cast<std::size_t>(std::max(pin.a, pin.b)) + 1));
    points[pin.a].push_back(pin.at), points[pin.b].push_back(pin.at);
  }
  for (std::size_t b = 1; b < points.size(); ++b) {
    Body body;
    body.name = fmt::format("b{}", b);
    body.mass = Formula(1.0 + 0.3 * static_cast<double>(b));
    V centre = V::Zero();
    Largest size;
    for (const V& point : points[b]) centre += point / static_cast<double>(points[b].size());
    for (const V& point : points[b]) size.note((point - points[b].front()).norm());
    const double inertia = 0.1 * size.value() * size.value();
    body.inertia = {Formula(inertia), Formula(1.2 * inertia), Formula(1.1 * inertia)};
    body.position = typed(centre + V(0.2, 0.1, 0.05) * size.value(), 0);
    model.mechanism.bodies.push_back(body);
  }
  const auto name = [](int body) { return body == 0 ? std::string("ground") : fmt::format("b{}", body); };
  for (std::size_t k = 0; k < linkage.pins.size(); ++k) {
    const Pin& pin = linkage.pins[k];
    Joint joint;
    joint.name = fmt::format("J{}", k);
    joint.type = pin.type;
    joint.bodies = {Reference{name(pin.a)}, Reference{name(pin.b)}};
    joint.at = typed(pin.at, decimals);
    joint.axis = typed(pin.axis, decimals);
    model.mechanism.joints.push_back(joint);
  }
  return model;
}

}  // namespace maggi::test
