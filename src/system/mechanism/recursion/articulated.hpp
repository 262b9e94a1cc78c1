#pragma once
#include "system/mechanism/kinematics/space.hpp"

namespace maggi::mechanism {

/// What resists the acceleration of a body whose joints beyond are free to yield: the force that gives it the
/// acceleration A is I A, about a point that moves with it (Featherstone 2008, section 7.2).
template <class Space>
struct Articulated;

///     n = J w + H·v      f = H w + M v
template <>
struct Articulated<Planar> {
  double J = 0.0;
  Vector2 H = Vector2::Zero();
  double xx = 0.0, xy = 0.0, yy = 0.0;  ///< M

  /// A rigid body: moment of inertia about its mass centre, which is at c.
  static Articulated rigid(double m, const Vector2& c, double I) {
    return {I + m * c.squaredNorm(), {-m * c[1], m * c[0]}, m, 0.0, m};
  }
  Wrench<Planar> turning(double w) const { return {J * w, H * w}; }  ///< I (w, 0)
  Wrench<Planar> sliding(const Vector2& v) const {                   ///< I (0, v)
    return {H.dot(v), {xx * v[0] + xy * v[1], xy * v[0] + yy * v[1]}};
  }
  Articulated& operator+=(const Articulated& b) {
    J += b.J, H += b.H;
    xx += b.xx, xy += b.xy, yy += b.yy;
    return *this;
  }
  /// I + k U Uᵀ
  void add(double k, const Wrench<Planar>& U) {
    const double kn = k * U.n, kx = k * U.f[0], ky = k * U.f[1];
    J += kn * U.n;
    H += kn * U.f;
    xx += kx * U.f[0], xy += kx * U.f[1], yy += ky * U.f[1];
  }
  /// Adds b, known about the point that is at r from here: v_b = v + w × r, n = n_b + r × f.
  void add_from(const Articulated& b, const Vector2& r) {
    const Vector2 t(-r[1], r[0]);
    const Vector2 Mt(b.xx * t[0] + b.xy * t[1], b.xy * t[0] + b.yy * t[1]);
    J += b.J + 2.0 * b.H.dot(t) + t.dot(Mt);
    H += b.H + Mt;
    xx += b.xx, xy += b.xy, yy += b.yy;
  }
};

///     n = J w + H v      f = Hᵀw + M v
template <>
struct Articulated<Spatial> {
  Symmetric3 J, M;
  Vector3 H[3] = {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};  ///< columns

  static Articulated rigid(double m, const Vector3& c, const Symmetric3& I) {
    const Vector3 h = m * c;
    const double x = h[0] * c[0], y = h[1] * c[1], z = h[2] * c[2];
    Articulated A;
    A.J = {I.xx + y + z, I.xy - h[0] * c[1], I.xz - h[0] * c[2], I.yy + x + z, I.yz - h[1] * c[2], I.zz + x + y};
    A.H[0] = {0.0, h[2], -h[1]}, A.H[1] = {-h[2], 0.0, h[0]}, A.H[2] = {h[1], -h[0], 0.0};
    A.M = {m, 0.0, 0.0, m, 0.0, m};
    return A;
  }
  Wrench<Spatial> turning(const Vector3& w) const { return {J * w, {H[0].dot(w), H[1].dot(w), H[2].dot(w)}}; }
  Wrench<Spatial> sliding(const Vector3& v) const { return {H[0] * v[0] + H[1] * v[1] + H[2] * v[2], M * v}; }
  Articulated& operator+=(const Articulated& b) {
    J += b.J, M += b.M;
    for (int c = 0; c < 3; ++c) H[c] += b.H[c];
    return *this;
  }
  void add(double k, const Wrench<Spatial>& U) {
    J.add(k, U.n);
    M.add(k, U.f);
    for (int c = 0; c < 3; ++c) H[c] += (k * U.f[c]) * U.n;
  }
  /// H' = H + [r] M,   J' = J − H [r] + [r] H'ᵀ
  void add_from(const Articulated& b, const Vector3& r) {
    const Vector3 G0 = b.H[0] + r.cross(Vector3(b.M.xx, b.M.xy, b.M.xz)),
                  G1 = b.H[1] + r.cross(Vector3(b.M.xy, b.M.yy, b.M.yz)),
                  G2 = b.H[2] + r.cross(Vector3(b.M.xz, b.M.yz, b.M.zz));
    const Vector3 h0 = r[2] * b.H[1] - r[1] * b.H[2], h1 = r[0] * b.H[2] - r[2] * b.H[0],
                  h2 = r[1] * b.H[0] - r[0] * b.H[1];  // columns of H [r]
    const Vector3 g0 = r.cross(Vector3(G0[0], G1[0], G2[0])), g1 = r.cross(Vector3(G0[1], G1[1], G2[1])),
                  g2 = r.cross(Vector3(G0[2], G1[2], G2[2]));
    J.xx += b.J.xx - h0[0] + g0[0], J.xy += b.J.xy - h1[0] + g1[0], J.xz += b.J.xz - h2[0] + g2[0];
    J.yy += b.J.yy - h1[1] + g1[1], J.yz += b.J.yz - h2[1] + g2[1], J.zz += b.J.zz - h2[2] + g2[2];
    H[0] += G0, H[1] += G1, H[2] += G2;
    M += b.M;
  }
};

}  // namespace maggi::mechanism
