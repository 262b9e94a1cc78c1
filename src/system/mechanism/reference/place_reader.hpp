#pragma once
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

#include "system/mechanism/reference/drawing.hpp"

namespace maggi::mechanism {

/// Reads what parts of a mechanism say: numbers, and places and directions in the world frame, among the bodies that
/// have been drawn so far. Error in the words of the model's file. `what` names the value in messages.
template <class Real>
class PlaceReader {
 public:
  /// All must outlive it.
  PlaceReader(const Mechanism& mechanism, const NumbersOver<Real>& numbers, const DrawingOver<Real>& drawing);

  /// "at of \"hinge\""
  static std::string of(std::string_view what, const std::string& name);

  Real number(const Formula& formula, const std::string& what, Real otherwise = 0.0) const;
  Real positive(const Formula& formula, const std::string& what) const;
  Real not_negative(const Formula& formula, const std::string& what) const;
  Vector3Over<Real> triple(const Triple& given, const std::string& what) const;
  /// A point in the world, in the frame of a body, or where a marker is.
  Vector3Over<Real> point(const Triple& given, const std::string& what) const;
  Vector3Over<Real> direction(const Triple& given, std::string_view key,
                              const std::string& owner) const;  ///< of length 1
  /// Axes of which the third, in the plane the first, is this direction.
  Matrix3Over<Real> axes_about(const Vector3Over<Real>& axis) const;

  int body(const Reference& reference) const;  ///< among those of the drawing
  /// Two different bodies.
  void between(const std::array<Reference, 2>& bodies, std::string_view kind, const std::string& name, int& a,
               int& b) const;

 private:
  const DrawnBodyOver<Real>& body_drawn(const Reference& reference, const std::string& what) const;
  Vector3Over<Real> marker(const Reference& reference, const std::string& what) const;

  const Mechanism& mechanism_;
  const NumbersOver<Real>& number_;
  const DrawingOver<Real>& drawing_;
  std::unordered_map<std::string, int> numbers_of_bodies_;  // from 1
};

}  // namespace maggi::mechanism
