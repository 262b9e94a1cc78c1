#pragma once
#include <set>
#include <string>
#include <vector>

#include "maggi/error.hpp"
#include "system/mechanism/quantities/quantity.hpp"
#include "system/mechanism/reference/drawing.hpp"

namespace maggi::mechanism {

/// Finds what the names in formulas mean in a drawing, and collects the quantities in which formulas are written.
class QuantityFinder {
 public:
  /// `with_coordinates`: joints whose coordinates were asked for.
  QuantityFinder(const Drawing& drawing, std::vector<Quantity>& quantities, std::set<std::string>& with_coordinates)
      : drawing_(drawing), quantities_(quantities), with_coordinates_(with_coordinates) {}

  /// Takes the quantity of a name, if it is one of the mechanism; Error if it is almost one.
  void find(const std::string& name, const Where& where);
  /// "crank" or "crank.angle" as the full name of a joint coordinate, which is taken.
  std::string coordinate_name(const Reference& reference, const std::string& component = "");

  bool is_taken(const std::string& name) const;
  void take(Quantity quantity);
  void take_distance(const std::string& name, int a, int b, const Vector3& from, const Vector3& to);
  void take_any();  ///< for formulas over time alone

  /// A quantity between the frames of a joint, of which it is a part.
  Quantity between(const std::string& name, const DrawnJoint& joint) const;
  JointKind kind(const DrawnJoint& joint) const;
  std::string unit_of_quantity(const std::string& name) const;

 private:
  void find_of_joint(const DrawnJoint& joint, const std::string& part, const Where& where);
  void find_of_spring(const DrawnSpring& spring, const std::string& part, const Where& where);
  void find_of_body(int b, const std::string& part, const Where& where);
  void take_coordinate(const DrawnJoint& joint, const std::string& part, const std::string& unit, bool rate_only,
                       const Where& where);
  void take_place(int b, const Vector3& at, const std::string& name, int axis);

  const Drawing& drawing_;
  std::vector<Quantity>& quantities_;
  std::set<std::string>& with_coordinates_;
};

}  // namespace maggi::mechanism
