#pragma once
#include <string>
#include <vector>

namespace maggi {

/// What is seen of a system: points that move, what is drawn between them, and bodies. The numbers are places in
/// Shape::drawing, whose values System::drawing() gives.
struct Scene {
  struct Point {
    std::string name;
    std::vector<int> at;  ///< x, y or x, y, z
    bool trace = false;   ///< its path is shown
    std::string joint{};  ///< "revolute" ...: what kind of joint it is; empty: none
    /// Direction of that joint: in the frame of a body of the scene, or without one in the world; empty: none is known.
    std::vector<double> axis{};
    std::string carrier{};
    /// Axes along which its force is given, x, y and z one after the other, in the frame of a body of the scene or
    /// without one in the world; empty: those of the world.
    std::vector<double> force_axes{};
    std::string force_carrier{};
  };
  struct Line {
    std::string name;
    std::vector<int> through;  ///< points, two or more; an area if it ends where it began
    bool spring = false;
  };
  struct Circle {
    std::string name;
    int about = 0;  ///< point
    int radius = 0;
    std::vector<int> axis;  ///< x, y, z of its normal; empty: z
  };
  struct Body {
    std::string name;
    std::vector<int> frame;    ///< x, y and angle; in space x, y, z and a unit quaternion w, x, y, z
    std::string shape;         ///< "box", "cylinder", "sphere"
    std::vector<double> size;  ///< edges; radius (0: a rod, thin) and length; radius [m]
    std::vector<double> axis;  ///< of a cylinder, in the frame of the body
  };
  int dimension = 0;  ///< 2 or 3; 0: there is nothing to see
  std::vector<Point> points;
  std::vector<Line> lines;
  std::vector<Circle> circles;
  std::vector<Body> bodies;
};

}  // namespace maggi
