#pragma once
#include <string>
#include <vector>

#include "system/mechanism/kinematics/joint_kind.hpp"
#include "system/mechanism/kinematics/space.hpp"

namespace maggi::mechanism {

enum class OutputFunctionKind {
  coordinate,  ///< of a joint, of which it has the name
  angle,       ///< of a body against the drawing, in the plane, counted on over many turns
  row,         ///< what a row of a joint would hold between two frames
};

/// A scalar function s(q) of a mechanism with a name that formulas may use: a joint coordinate, a coordinate of a
/// marker, the length of a spring. Points and frames are given in the reference configuration.
template <class Real>
struct OutputFunctionOver {
  using Kind = OutputFunctionKind;
  std::string name;  ///< "crank.angle", "arm.tip.x", "shock.length"
  std::string unit;
  bool rate_only = false;  ///< only its rate has a value
  Kind kind = Kind::row;
  int a = 0, b = 0;  ///< bodies; of an angle: b
  Vector3Over<Real> at_a = Vector3Over<Real>::Zero(), at_b = Vector3Over<Real>::Zero();
  Matrix3Over<Real> frame_a = Matrix3Over<Real>::Identity(), frame_b = Matrix3Over<Real>::Identity();
  JointRow row{Holds::along, 0, ""};
  Real length = 0.0;    ///< taken off a distance; the radius of what rolls
  Where where{};        ///< the formula that asked for it
  std::string joint{};  ///< whose own it is: a force along it belongs to the reaction of the joint
};
using OutputFunction = OutputFunctionOver<double>;

}  // namespace maggi::mechanism
