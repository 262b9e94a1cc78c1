#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

namespace maggi::mechanism {

using Vector2 = Eigen::Vector2d;
using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

/// The plane x, y: three numbers a body. turn = w × x, moment = x × f, spin = w × w.
struct Planar {
  static constexpr int axes = 2;   ///< directions
  static constexpr int turns = 1;  ///< axes of rotation
  using Angular = double;
  using Linear = Vector2;
  using Rotational = double;  ///< moment of inertia

  struct Rotation {
    double c = 1.0, s = 0.0;
    Vector2 col(int k) const { return k == 0 ? Vector2(c, s) : Vector2(-s, c); }
    Angular turn_axis(int /*k*/) const { return 1.0; }
    Vector2 operator*(const Vector2& x) const { return {c * x[0] - s * x[1], s * x[0] + c * x[1]}; }
    Rotation operator*(const Rotation& b) const { return {c * b.c - s * b.s, s * b.c + c * b.s}; }
    Rotation transpose() const { return {c, -s}; }
    double turn_about(int /*axis*/, double angle) {
      *this = *this * Rotation{std::cos(angle), std::sin(angle)};
      return 1.0;
    }
  };

  static double spin(double, double) { return 0.0; }
  static Vector2 turn(double w, const Vector2& x) { return {-w * x[1], w * x[0]}; }
  static double moment(const Vector2& x, const Vector2& f) { return x[0] * f[1] - x[1] * f[0]; }
  static double dot(double n, double w) { return n * w; }
  static double zero() { return 0.0; }
  /// Moment of inertia in the world frame, and of a point of mass 1 at c; their rates.
  static double turned(const Rotation&, double I) { return I; }
  static double turned_rate(double, double) { return 0.0; }
  static double of_point(const Vector2& c) { return c.squaredNorm(); }
  static double of_point_rate(const Vector2& c, const Vector2& cdot) { return 2.0 * c.dot(cdot); }
};

struct Spatial {
  static constexpr int axes = 3;
  static constexpr int turns = 3;
  using Angular = Vector3;
  using Linear = Vector3;
  using Rotational = Matrix3;

  struct Rotation {
    Matrix3 R = Matrix3::Identity();
    auto col(int k) const { return R.col(k); }
    auto turn_axis(int k) const { return R.col(k); }
    Vector3 operator*(const Vector3& x) const { return R * x; }
    Rotation operator*(const Rotation& b) const { return {R * b.R}; }
    Rotation transpose() const { return {R.transpose()}; }
    /// Its axis, around which it then turns; where the columns are is known to the compiler.
    Vector3 turn_about(int axis, double angle) {
      const double c = std::cos(angle), s = std::sin(angle);
      switch (axis) {
        case 0: return turn_columns<0>(c, s);
        case 1: return turn_columns<1>(c, s);
        default: return turn_columns<2>(c, s);
      }
    }

   private:
    template <int axis>
    Vector3 turn_columns(double c, double s) {
      constexpr int i = (axis + 1) % 3, j = (axis + 2) % 3;
      const Vector3 x = R.col(i), y = R.col(j);
      R.col(i) = c * x + s * y;
      R.col(j) = c * y - s * x;
      return R.col(axis);
    }
  };

  static Vector3 spin(const Vector3& a, const Vector3& b) { return a.cross(b); }
  static Vector3 turn(const Vector3& w, const Vector3& x) { return w.cross(x); }
  static Vector3 moment(const Vector3& x, const Vector3& f) { return x.cross(f); }
  static double dot(const Vector3& n, const Vector3& w) { return n.dot(w); }
  static Vector3 zero() { return Vector3::Zero(); }
  static Matrix3 turned(const Rotation& R, const Matrix3& I) {  // R I Rᵀ, symmetric
    const Matrix3 K = R.R * I;
    Matrix3 result;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) result(i, j) = result(j, i) = K.row(i).dot(R.R.row(j));
    return result;
  }
  static Matrix3 turned_rate(const Vector3& w, const Matrix3& I) {  // [w] I − I [w]
    Matrix3 W;
    W << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
    const Matrix3 A = W * I;
    return A + A.transpose();
  }
  static Matrix3 of_point(const Vector3& c) { return c.squaredNorm() * Matrix3::Identity() - c * c.transpose(); }
  static Matrix3 of_point_rate(const Vector3& c, const Vector3& cdot) {
    const Matrix3 A = c * cdot.transpose();
    return 2.0 * c.dot(cdot) * Matrix3::Identity() - A - A.transpose();
  }
};

/// A frame: x_world = R x + p.
template <class Space>
struct Pose {
  typename Space::Rotation R{};
  typename Space::Linear p = Space::Linear::Zero();

  Pose operator*(const Pose& b) const { return {R * b.R, p + R * b.p}; }
  typename Space::Linear operator*(const typename Space::Linear& x) const { return p + R * x; }
  Pose inverse() const {
    const auto Rt = R.transpose();
    return {Rt, -(Rt * p)};
  }
};

/// What is drawn in the world, in the numbers of a space.
inline Vector2 linear(const Vector3& x, const Planar&) { return x.head<2>(); }
inline Vector3 linear(const Vector3& x, const Spatial&) { return x; }
inline Planar::Rotation rotation(const Matrix3& R, const Planar&) { return {R(0, 0), R(1, 0)}; }
inline Spatial::Rotation rotation(const Matrix3& R, const Spatial&) { return {R}; }

template <class Space>
Pose<Space> pose(const Matrix3& R, const Vector3& p) {
  return {rotation(R, Space()), linear(p, Space())};
}

/// Velocity (or acceleration) of a rigid body: w, and v of the point of the body that is in the origin.
template <class Space>
struct Motion {
  typename Space::Angular w = Space::zero();
  typename Space::Linear v = Space::Linear::Zero();

  typename Space::Linear at(const typename Space::Linear& x) const { return v + Space::turn(w, x); }  ///< of point x
  Motion& operator+=(const Motion& b) { return w += b.w, v += b.v, *this; }
  Motion operator+(const Motion& b) const { return {w + b.w, v + b.v}; }
  Motion operator-(const Motion& b) const { return {w - b.w, v - b.v}; }
  Motion operator*(double a) const { return {a * w, a * v}; }
  /// Rate of b, fixed in a body that moves with this velocity.
  Motion cross(const Motion& b) const { return {Space::spin(w, b.w), Space::turn(w, b.v) - Space::turn(b.w, v)}; }
};

/// Force f and its moment n about the origin.
template <class Space>
struct Wrench {
  typename Space::Angular n = Space::zero();
  typename Space::Linear f = Space::Linear::Zero();

  /// Force f in the point x.
  static Wrench in(const typename Space::Linear& x, const typename Space::Linear& f) {
    return {Space::moment(x, f), f};
  }
  Wrench& operator+=(const Wrench& b) { return n += b.n, f += b.f, *this; }
  Wrench& operator-=(const Wrench& b) { return n -= b.n, f -= b.f, *this; }
  Wrench operator+(const Wrench& b) const { return {n + b.n, f + b.f}; }
  Wrench operator-(const Wrench& b) const { return {n - b.n, f - b.f}; }
  Wrench operator*(double a) const { return {a * n, a * f}; }
  double dot(const Motion<Space>& V) const { return Space::dot(n, V.w) + f.dot(V.v); }  ///< its power
  /// Moment about the point x.
  typename Space::Angular about(const typename Space::Linear& x) const { return n - Space::moment(x, f); }
};

/// Rate of a wrench that is fixed in a body with velocity V.
template <class Space>
Wrench<Space> cross(const Motion<Space>& V, const Wrench<Space>& F) {
  return {Space::spin(V.w, F.n) + Space::moment(V.v, F.f), Space::turn(V.w, F.f)};
}

/// Mass, first moment, and moment of inertia about the origin; bodies that move together add up.
template <class Space>
struct Inertia {
  double m = 0.0;
  typename Space::Linear mc = Space::Linear::Zero();
  typename Space::Rotational I = typename Space::Rotational(Space::of_point(Space::Linear::Zero()));

  Inertia& operator+=(const Inertia& b) { return m += b.m, mc += b.mc, I += b.I, *this; }
  Wrench<Space> operator*(const Motion<Space>& V) const {  // momentum
    return {I * V.w + Space::moment(mc, V.v), m * V.v + Space::turn(V.w, mc)};
  }
};

}  // namespace maggi::mechanism
