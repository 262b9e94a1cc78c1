#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

namespace maggi::mechanism {

template <class Real>
using Vector2Over = Eigen::Matrix<Real, 2, 1, Eigen::DontAlign>;  // no gaps around them
template <class Real>
using Vector3Over = Eigen::Matrix<Real, 3, 1>;
template <class Real>
using Matrix3Over = Eigen::Matrix<Real, 3, 3>;
using Vector2 = Vector2Over<double>;
using Vector3 = Vector3Over<double>;
using Matrix3 = Matrix3Over<double>;

/// The plane x, y: three numbers a body. turn = w × x, moment = x × f, spin = w × w. `Scalar` is double, or a number
/// that knows its derivatives.
template <class Scalar>
struct PlanarOver {
  static constexpr int axes = 2;   ///< directions
  static constexpr int turns = 1;  ///< axes of rotation
  using Real = Scalar;
  using Angular = Real;
  using Linear = Vector2Over<Real>;
  using Rotational = Real;  ///< moment of inertia

  struct Rotation {
    Real c = 1.0, s = 0.0;
    Linear col(int k) const { return k == 0 ? Linear(c, s) : Linear(-s, c); }
    Angular turn_axis(int /*k*/) const { return 1.0; }
    Linear operator*(const Linear& x) const { return {c * x[0] - s * x[1], s * x[0] + c * x[1]}; }
    Rotation operator*(const Rotation& b) const { return {c * b.c - s * b.s, s * b.c + c * b.s}; }
    Rotation transpose() const { return {c, -s}; }
    Real turn_about(int /*axis*/, const Real& cosine, const Real& sine) {
      *this = *this * Rotation{cosine, sine};
      return 1.0;
    }
  };

  static Real spin(const Real&, const Real&) { return 0.0; }
  static Linear turn(const Real& w, const Linear& x) { return {-w * x[1], w * x[0]}; }
  static Real moment(const Linear& x, const Linear& f) { return x[0] * f[1] - x[1] * f[0]; }
  static Real dot(const Real& n, const Real& w) { return n * w; }
  static Real zero() { return 0.0; }
  /// Moment of inertia in the world frame, and of a point of mass 1 at c; their rates.
  static Real turned(const Rotation&, const Real& I) { return I; }
  static Real turned_rate(const Real&, const Real&) { return 0.0; }
  static Real of_point(const Linear& c) { return c.squaredNorm(); }
  static Real of_point_rate(const Linear& c, const Linear& cdot) { return 2.0 * c.dot(cdot); }
};
using Planar = PlanarOver<double>;

template <class Real>
struct Symmetric3Over {
  using Vector = Vector3Over<Real>;
  Real xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;

  Symmetric3Over() = default;
  Symmetric3Over(const Real& a, const Real& b, const Real& c, const Real& d, const Real& e, const Real& f)
      : xx(a), xy(b), xz(c), yy(d), yz(e), zz(f) {}
  Symmetric3Over(const Matrix3Over<Real>& A) : Symmetric3Over(A(0, 0), A(0, 1), A(0, 2), A(1, 1), A(1, 2), A(2, 2)) {}
  Vector operator*(const Vector& v) const {
    return {xx * v[0] + xy * v[1] + xz * v[2], xy * v[0] + yy * v[1] + yz * v[2], xz * v[0] + yz * v[1] + zz * v[2]};
  }
  Symmetric3Over operator*(const Real& k) const { return {k * xx, k * xy, k * xz, k * yy, k * yz, k * zz}; }
  Symmetric3Over operator/(double k) const { return *this * (1.0 / k); }
  Symmetric3Over& operator+=(const Symmetric3Over& b) {
    xx += b.xx, xy += b.xy, xz += b.xz, yy += b.yy, yz += b.yz, zz += b.zz;
    return *this;
  }
  Symmetric3Over operator+(Symmetric3Over b) const { return b += *this; }
  /// + k u uᵀ
  void add(const Real& k, const Vector& u) {
    const Real x = k * u[0], y = k * u[1], z = k * u[2];
    xx += x * u[0], xy += x * u[1], xz += x * u[2], yy += y * u[1], yz += y * u[2], zz += z * u[2];
  }
};
using Symmetric3 = Symmetric3Over<double>;

template <class Scalar>
struct SpatialOver {
  static constexpr int axes = 3;
  static constexpr int turns = 3;
  using Real = Scalar;
  using Angular = Vector3Over<Real>;
  using Linear = Vector3Over<Real>;
  using Rotational = Symmetric3Over<Real>;

  struct Rotation {
    Matrix3Over<Real> R = Matrix3Over<Real>::Identity();
    auto col(int k) const { return R.col(k); }
    auto turn_axis(int k) const { return R.col(k); }
    Linear operator*(const Linear& x) const { return R * x; }
    /// Written out, since Eigen's product of this size becomes calls for single entries where the compiler has much to
    /// inline; the sums have Eigen's order, a pair of rows and the last one.
    Rotation operator*(const Rotation& b) const {
      Matrix3Over<Real> product;
      const Real *x = R.data(), *y = b.R.data();
      Real* z = product.data();
      for (int j = 0; j < 3; ++j, y += 3, z += 3) {
        z[0] = (x[0] * y[0] + x[3] * y[1]) + x[6] * y[2];
        z[1] = (x[1] * y[0] + x[4] * y[1]) + x[7] * y[2];
        z[2] = x[2] * y[0] + (x[5] * y[1] + x[8] * y[2]);
      }
      return {product};
    }
    Rotation transpose() const { return {R.transpose()}; }
    /// Its axis, around which it then turns; where the columns are is known to the compiler.
    Linear turn_about(int axis, const Real& cosine, const Real& sine) {
      switch (axis) {
        case 0: return turn_columns<0>(cosine, sine);
        case 1: return turn_columns<1>(cosine, sine);
        default: return turn_columns<2>(cosine, sine);
      }
    }

   private:
    template <int axis>
    Linear turn_columns(const Real& c, const Real& s) {
      constexpr int i = (axis + 1) % 3, j = (axis + 2) % 3;
      const Linear x = R.col(i), y = R.col(j);
      R.col(i) = c * x + s * y;
      R.col(j) = c * y - s * x;
      return R.col(axis);
    }
  };

  static Linear spin(const Linear& a, const Linear& b) { return a.cross(b); }
  static Linear turn(const Linear& w, const Linear& x) { return w.cross(x); }
  static Linear moment(const Linear& x, const Linear& f) { return x.cross(f); }
  static Real dot(const Linear& n, const Linear& w) { return n.dot(w); }
  static Linear zero() { return Linear::Zero(); }
  static Rotational turned(const Rotation& R, const Rotational& I) {  // R I Rᵀ = K Rᵀ
    const Linear a = R.R.col(0), b = R.R.col(1), c = R.R.col(2);
    const Linear Ka = I.xx * a + I.xy * b + I.xz * c, Kb = I.xy * a + I.yy * b + I.yz * c,
                 Kc = I.xz * a + I.yz * b + I.zz * c;
    const auto entry = [&](int i, int j) { return Real(Ka[i] * a[j] + Kb[i] * b[j] + Kc[i] * c[j]); };
    return {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
  }
  static Rotational turned_rate(const Linear& w, const Rotational& I) {  // [w] I − I [w]
    const Linear a = w.cross(Linear(I.xx, I.xy, I.xz)), b = w.cross(Linear(I.xy, I.yy, I.yz)),
                 c = w.cross(Linear(I.xz, I.yz, I.zz));  // columns of [w] I
    return {2.0 * a[0], a[1] + b[0], a[2] + c[0], 2.0 * b[1], b[2] + c[1], 2.0 * c[2]};
  }
  static Rotational of_point(const Linear& c) {  // |c|² − c cᵀ
    const Real x = c[0] * c[0], y = c[1] * c[1], z = c[2] * c[2];
    return {y + z, -c[0] * c[1], -c[0] * c[2], x + z, -c[1] * c[2], x + y};
  }
  static Rotational of_point_rate(const Linear& c, const Linear& cdot) {
    const Real x = 2.0 * c[0] * cdot[0], y = 2.0 * c[1] * cdot[1], z = 2.0 * c[2] * cdot[2];
    return {y + z, -c[0] * cdot[1] - c[1] * cdot[0], -c[0] * cdot[2] - c[2] * cdot[0],
            x + z, -c[1] * cdot[2] - c[2] * cdot[1], x + y};
  }
};
using Spatial = SpatialOver<double>;

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
template <class Real>
Vector2Over<Real> linear(const Vector3Over<Real>& x, const PlanarOver<Real>&) {
  return x.template head<2>();
}
template <class Real>
Vector3Over<Real> linear(const Vector3Over<Real>& x, const SpatialOver<Real>&) {
  return x;
}
template <class Real>
typename PlanarOver<Real>::Rotation rotation(const Matrix3Over<Real>& R, const PlanarOver<Real>&) {
  return {R(0, 0), R(1, 0)};
}
template <class Real>
typename SpatialOver<Real>::Rotation rotation(const Matrix3Over<Real>& R, const SpatialOver<Real>&) {
  return {R};
}

template <class Space>
Pose<Space> pose(const Matrix3Over<typename Space::Real>& R, const Vector3Over<typename Space::Real>& p) {
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
  Motion operator*(const typename Space::Real& a) const { return {a * w, a * v}; }
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
  Wrench operator*(const typename Space::Real& a) const { return {a * n, a * f}; }
  typename Space::Real dot(const Motion<Space>& V) const { return Space::dot(n, V.w) + f.dot(V.v); }  ///< its power
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
  typename Space::Real m = 0.0;
  typename Space::Linear mc = Space::Linear::Zero();
  typename Space::Rotational I = typename Space::Rotational(Space::of_point(Space::Linear::Zero()));

  Inertia& operator+=(const Inertia& b) { return m += b.m, mc += b.mc, I += b.I, *this; }
  Wrench<Space> operator*(const Motion<Space>& V) const {  // momentum
    return {I * V.w + Space::moment(mc, V.v), m * V.v + Space::turn(V.w, mc)};
  }
};

}  // namespace maggi::mechanism
