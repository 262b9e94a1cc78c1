#pragma once
#include <vector>

#include "maggi/model.hpp"
#include "model/numbers.hpp"
#include "system/mechanism/kinematics/space.hpp"

namespace maggi::mechanism {

/// A body with its numbers, in the world frame as drawn; a planar one lies in z = 0.
struct DrawnBody {
  const Body* given = nullptr;  ///< null: the ground
  double mass = 0.0;
  Vector3 position = Vector3::Zero();  ///< of the mass centre
  Matrix3 inertia = Matrix3::Zero();   ///< about the mass centre
  std::vector<Vector3> markers{};
  // its shape, to be seen
  double radius = 0.0;                   ///< of what is round
  Vector3 along = Vector3::Zero();       ///< from one end to the other of a rod or cylinder
  Vector3 edges = Vector3::Zero();       ///< of a box
  Matrix3 turned = Matrix3::Identity();  ///< axes of a box, in columns

  const std::string& name() const;
};

struct DrawnJoint {
  const Joint* given = nullptr;
  int a = 0, b = 0;  ///< bodies
  Vector3 at = Vector3::Zero(), to = Vector3::Zero();
  Matrix3 frame = Matrix3::Identity();  ///< axes of the joint, in columns: z along the axis, in a plane x
  double axis_length = 1.0;             ///< of the axis as it is written
  double pitch = 0.0, length = 0.0;
  // of a disc that rolls
  double radius = 0.0;
  Vector3 touches = Vector3::Zero();    ///< where
  Matrix3 plane = Matrix3::Identity();  ///< axes of what it rolls on: z normal to it; in the plane y
};

struct DrawnSpring {
  const Spring* given = nullptr;
  int a = 0, b = 0;
  Vector3 from = Vector3::Zero(), to = Vector3::Zero();
  double stiffness = 0.0, damping = 0.0, force = 0.0, length = 0.0;
};

/// The two points whose distance is driven, if it is a distance.
struct DrawnDriver {
  const Driver* given = nullptr;
  int a = 0, b = 0;
  Vector3 from = Vector3::Zero(), to = Vector3::Zero();
};

struct DrawnForce {
  const BodyForce* given = nullptr;
  int body = 0;
  Vector3 at = Vector3::Zero();
};

struct DrawnBushing {
  const Bushing* given = nullptr;
  int a = 0, b = 0;
  Vector3 at = Vector3::Zero();
  Matrix3 frame = Matrix3::Identity();
  Vector3 stiffness = Vector3::Zero(), damping = Vector3::Zero();
  Vector3 torsion_stiffness = Vector3::Zero(), torsion_damping = Vector3::Zero();  ///< in the plane: the first
};

/// A mechanism understood: names found, formulas evaluated, everything in the world frame. The model has passed
/// validate(); Error in the words of the model's file for names that are not there and numbers that make no sense.
struct Drawing {
  Drawing(const Model& model, const Numbers& numbers);

  bool planar = false;
  Vector3 origin = Vector3::Zero();  ///< of the numbers below, in the coordinates of the model
  Vector3 gravity = Vector3::Zero();
  std::vector<DrawnBody> bodies;  ///< the ground first
  std::vector<DrawnJoint> joints;
  std::vector<DrawnSpring> springs;
  std::vector<DrawnDriver> drivers;
  std::vector<DrawnForce> forces;
  std::vector<DrawnBushing> bushings;
};

/// Refuses what the model says at this place.
[[noreturn]] void fail(const Where& where, std::string what, std::string help);

}  // namespace maggi::mechanism
