#pragma once
#include <set>
#include <string>
#include <vector>

#include "maggi/error.hpp"
#include "system/mechanism/functions/output_function.hpp"
#include "system/mechanism/reference/drawing.hpp"

namespace maggi::mechanism {

/// Finds the output functions that the names in formulas stand for, and collects them.
template <class Real>
class FunctionFinderOver {
 public:
  using OutputFunction = OutputFunctionOver<Real>;
  using DrawnJoint = DrawnJointOver<Real>;
  using DrawnSpring = DrawnSpringOver<Real>;
  using Vector3 = Vector3Over<Real>;

  /// `with_coordinates`: joints whose coordinates were asked for.
  FunctionFinderOver(const DrawingOver<Real>& drawing, std::vector<OutputFunction>& functions,
                     std::set<std::string>& with_coordinates)
      : drawing_(drawing), functions_(functions), with_coordinates_(with_coordinates) {}

  /// Takes the output function with this name if the mechanism has one; Error if its owner exists but has no such part.
  void find(const std::string& name, const Where& where);
  /// "crank" or "crank.angle" as the full name of a joint coordinate, which is taken.
  std::string coordinate_name(const Reference& reference, const std::string& component = "");

  /// Takes all coordinates of the marker of which one is taken by this name, "arm.tip.x"; nothing of any other name.
  void find_whole_point(const std::string& name);

  bool is_taken(const std::string& name) const;
  void take(OutputFunction function);
  void take_distance(const std::string& name, int a, int b, const Vector3& from, const Vector3& to);
  void take_any();  ///< some output function, for formulas that depend on time only

  /// An output function between the two frames of a joint, which owns it.
  OutputFunction between(const std::string& name, const DrawnJoint& joint) const;
  const JointKind& kind(const DrawnJoint& joint) const;
  std::string unit_of_function(const std::string& name) const;

 private:
  void find_of_joint(const DrawnJoint& joint, const std::string& part, const Where& where);
  void find_of_spring(const DrawnSpring& spring, const std::string& part, const Where& where);
  void find_of_body(int b, const std::string& part, const Where& where);
  void take_coordinate(const DrawnJoint& joint, const std::string& part, const std::string& unit, bool rate_only,
                       const Where& where);
  void take_spin(int b, const std::string& name, const JointRow& row);
  void take_place(int b, const Vector3& at, const std::string& name, int axis);

  const DrawingOver<Real>& drawing_;
  std::vector<OutputFunction>& functions_;
  std::set<std::string>& with_coordinates_;
};

}  // namespace maggi::mechanism
