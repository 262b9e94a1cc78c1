#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

namespace maggi::mechanism {

using Vector2 = Eigen::Matrix<double, 2, 1, Eigen::DontAlign>;  // no gaps around them
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
    double turn_about(int /*axis*/, double cosine, double sine) {
      *this = *this * Rotation{cosine, sine};
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

struct Symmetric3 {
  double xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;

  Symmetric3() = default;
  Symmetric3(double a, double b, double c, double d, double e, double f) : xx(a), xy(b), xz(c), yy(d), yz(e), zz(f) {}
  Symmetric3(const Matrix3& A) : Symmetric3(A(0, 0), A(0, 1), A(0, 2), A(1, 1), A(1, 2), A(2, 2)) {}
  Vector3 operator*(const Vector3& v) const {
    return {xx * v[0] + xy * v[1] + xz * v[2], xy * v[0] + yy * v[1] + yz * v[2], xz * v[0] + yz * v[1] + zz * v[2]};
  }
  Symmetric3 operator*(double k) const { return {k * xx, k * xy, k * xz, k * yy, k * yz, k * zz}; }
  Symmetric3 operator/(double k) const { return *this * (1.0 / k); }
  Symmetric3& operator+=(const Symmetric3& b) {
    xx += b.xx, xy += b.xy, xz += b.xz, yy += b.yy, yz += b.yz, zz += b.zz;
    return *this;
  }
  Symmetric3 operator+(Symmetric3 b) const { return b += *this; }
  /// + k u uᵀ
  void add(double k, const Vector3& u) {
    const double x = k * u[0], y = k * u[1], z = k * u[2];
    xx += x * u[0], xy += x * u[1], xz += x * u[2], yy += y * u[1], yz += y * u[2], zz += z * u[2];
  }
};

struct Spatial {
  static constexpr int axes = 3;
  static constexpr int turns = 3;
  using Angular = Vector3;
  using Linear = Vector3;
  using Rotational = Symmetric3;

  struct Rotation {
    Matrix3 R = Matrix3::Identity();
    auto col(int k) const { return R.col(k); }
    auto turn_axis(int k) const { return R.col(k); }
    Vector3 operator*(const Vector3& x) const { return R * x; }
    Rotation operator*(const Rotation& b) const { return {R * b.R}; }
    Rotation transpose() const { return {R.transpose()}; }
    /// Its axis, around which it then turns; where the columns are is known to the compiler.
    Vector3 turn_about(int axis, double cosine, double sine) {
      switch (axis) {
        case 0: return turn_columns<0>(cosine, sine);
        case 1: return turn_columns<1>(cosine, sine);
        default: return turn_columns<2>(cosine, sine);
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
  static Symmetric3 turned(const Rotation& R, const Symmetric3& I) {  // R I Rᵀ = K Rᵀ
    const Vector3 a = R.R.col(0), b = R.R.col(1), c = R.R.col(2);
    const Vector3 Ka = I.xx * a + I.xy * b + I.xz * c, Kb = I.xy * a + I.yy * b + I.yz * c,
                  Kc = I.xz * a + I.yz * b + I.zz * c;
    const auto entry = [&](int i, int j) { return Ka[i] * a[j] + Kb[i] * b[j] + Kc[i] * c[j]; };
    return {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
  }
  static Symmetric3 turned_rate(const Vector3& w, const Symmetric3& I) {  // [w] I − I [w]
    const Vector3 a = w.cross(Vector3(I.xx, I.xy, I.xz)), b = w.cross(Vector3(I.xy, I.yy, I.yz)),
                  c = w.cross(Vector3(I.xz, I.yz, I.zz));  // columns of [w] I
    return {2.0 * a[0], a[1] + b[0], a[2] + c[0], 2.0 * b[1], b[2] + c[1], 2.0 * c[2]};
  }
  static Symmetric3 of_point(const Vector3& c) {  // |c|² − c cᵀ
    const double x = c[0] * c[0], y = c[1] * c[1], z = c[2] * c[2];
    return {y + z, -c[0] * c[1], -c[0] * c[2], x + z, -c[1] * c[2], x + y};
  }
  static Symmetric3 of_point_rate(const Vector3& c, const Vector3& cdot) {
    const double x = 2.0 * c[0] * cdot[0], y = 2.0 * c[1] * cdot[1], z = 2.0 * c[2] * cdot[2];
    return {y + z, -c[0] * cdot[1] - c[1] * cdot[0], -c[0] * cdot[2] - c[2] * cdot[0],
            x + z, -c[1] * cdot[2] - c[2] * cdot[1], x + y};
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
