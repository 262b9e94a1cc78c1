#pragma once
#include <vector>

#include "maggi/model.hpp"
#include "system/mechanism/kinematics/power_or_zero.hpp"
#include "system/mechanism/reference/dual_numbers.hpp"

namespace maggi::mechanism {

extern const std::string ground_name;  ///< that of what stands still

/// A body with its numbers, in the world frame and the reference configuration; a planar one lies in z = 0.
template <class Real>
struct DrawnBodyOver {
  const Body* given = nullptr;  ///< null: the ground
  Real mass = 0.0;
  Vector3Over<Real> position = Vector3Over<Real>::Zero();  ///< of the mass centre
  Matrix3Over<Real> inertia = Matrix3Over<Real>::Zero();   ///< about the mass centre
  std::vector<Vector3Over<Real>> markers{};
  // its shape, to be seen
  Real radius = 0.0;                                         ///< of what is round
  Vector3Over<Real> along = Vector3Over<Real>::Zero();       ///< from one end to the other of a rod or cylinder
  Vector3Over<Real> edges = Vector3Over<Real>::Zero();       ///< of a box
  Matrix3Over<Real> turned = Matrix3Over<Real>::Identity();  ///< axes of a box, in columns

  const std::string& name() const;
};

template <class Real>
struct DrawnJointOver {
  const Joint* given = nullptr;
  int a = 0, b = 0;  ///< bodies
  Vector3Over<Real> at = Vector3Over<Real>::Zero(), to = Vector3Over<Real>::Zero();
  Matrix3Over<Real> frame =
      Matrix3Over<Real>::Identity();  ///< axes of the joint, in columns: z along the axis, in a plane x
  double axis_length = 1.0;           ///< of the axis as it is written
  NaturalScale scale;                 ///< of the loops that lead through it
  Real pitch = 0.0, length = 0.0;
  // of a disc that rolls
  Real radius = 0.0;
  Vector3Over<Real> touches = Vector3Over<Real>::Zero();  ///< where
  Matrix3Over<Real> plane =
      Matrix3Over<Real>::Identity();  ///< axes of what it rolls on: z normal to it; in the plane y
};

template <class Real>
struct DrawnSpringOver {
  const Spring* given = nullptr;
  int a = 0, b = 0;
  Vector3Over<Real> from = Vector3Over<Real>::Zero(), to = Vector3Over<Real>::Zero();
  Real stiffness = 0.0, damping = 0.0, force = 0.0, length = 0.0;
};

/// The two points whose distance is driven, if it is a distance.
template <class Real>
struct DrawnDriverOver {
  const Driver* given = nullptr;
  int a = 0, b = 0;
  Vector3Over<Real> from = Vector3Over<Real>::Zero(), to = Vector3Over<Real>::Zero();
};

/// Bodies, joints and springs understood: names found, formulas evaluated, everything in the world frame. Forces that
/// are formulas are read where they are written, in functions/force_formulas.cpp. The model has passed
/// validate(); Error in the words of the model's file for names that are not there and numbers that make no sense.
template <class Real>
struct DrawingOver {
  DrawingOver(const Model& model, const NumbersOver<Real>& numbers);

  bool planar = false;
  Vector3Over<Real> origin = Vector3Over<Real>::Zero();  ///< of the numbers below, in the coordinates of the model
  Vector3Over<Real> gravity = Vector3Over<Real>::Zero();
  std::vector<DrawnBodyOver<Real>> bodies;  ///< the ground first
  std::vector<DrawnJointOver<Real>> joints;
  std::vector<DrawnSpringOver<Real>> springs;
  std::vector<DrawnDriverOver<Real>> drivers;
};

using DrawnBody = DrawnBodyOver<double>;
using DrawnJoint = DrawnJointOver<double>;
using DrawnSpring = DrawnSpringOver<double>;
using Drawing = DrawingOver<double>;

/// Refuses what the model says at this place.
[[noreturn]] void fail(const Where& where, std::string what, std::string help);

/// The geometry of joints as it was repaired, with the derivatives by parameters that it has as it is written: what was
/// repaired is rounding, and is held.
void hold_repaired(const Drawing& repaired, DrawingOver<Dual>& drawing);

}  // namespace maggi::mechanism
