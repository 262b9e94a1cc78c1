#include "system/mechanism/reference/origin.hpp"

#include "base/largest.hpp"

namespace maggi::mechanism {

namespace {

constexpr double far_away = 100.0;  // sizes

/// Adds a point that is given in the coordinates of the model.
void add_point(const Triple& given, const Numbers& numbers, std::vector<Vector3>& points) {
  if (!given.given() || !given.frame.name.empty()) return;
  Vector3& point = points.emplace_back(Vector3::Zero());
  for (std::size_t i = 0; i < given.values.size(); ++i)
    point[static_cast<int>(i)] = numbers(given.values[i], "a coordinate");
}

}  // namespace

Vector3 origin_of(const Mechanism& mechanism, const Numbers& numbers) {
  std::vector<Vector3> points;
  for (const Joint& joint : mechanism.joints) add_point(joint.at, numbers, points);
  if (points.empty()) return Vector3::Zero();
  for (const Body& body : mechanism.bodies)
    for (const Triple* given : {&body.position, &body.from, &body.to}) add_point(*given, numbers, points);
  Largest size;
  for (const Vector3& x : points) size.note((x - points.front()).norm());
  const bool far = size.value() > 0.0 && points.front().norm() > far_away * size.value();
  return far ? points.front() : Vector3::Zero();
}

}  // namespace maggi::mechanism
