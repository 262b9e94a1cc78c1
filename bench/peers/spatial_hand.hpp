#pragma once
// The articulated-body algorithm (Featherstone, Rigid Body Dynamics Algorithms, 2008, section 7.3) for revolute joints,
// written by hand: axes parallel to the world with the origin at each joint, so that articulated inertias are shifted
// and never turned. All is inlined.
#include <cmath>

#define BENCH_INLINE inline __attribute__((always_inline))

namespace spatial {

struct Vec {
  double x, y, z;
};
BENCH_INLINE Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
BENCH_INLINE Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
BENCH_INLINE Vec operator*(double s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
BENCH_INLINE double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
BENCH_INLINE Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

struct Mat {  // by columns
  Vec a, b, c;
};
BENCH_INLINE Vec operator*(const Mat& m, Vec v) { return v.x * m.a + v.y * m.b + v.z * m.c; }
BENCH_INLINE Mat operator*(const Mat& m, const Mat& n) { return {m * n.a, m * n.b, m * n.c}; }
BENCH_INLINE Mat operator+(const Mat& m, const Mat& n) { return {m.a + n.a, m.b + n.b, m.c + n.c}; }
BENCH_INLINE Vec transposed_times(const Mat& m, Vec v) { return {dot(m.a, v), dot(m.b, v), dot(m.c, v)}; }
constexpr Mat identity{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

struct Sym {
  double xx, xy, xz, yy, yz, zz;
};
BENCH_INLINE Vec operator*(const Sym& s, Vec v) {
  return {s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
          s.xz * v.x + s.yz * v.y + s.zz * v.z};
}
BENCH_INLINE Sym operator+(const Sym& s, const Sym& t) {
  return {s.xx + t.xx, s.xy + t.xy, s.xz + t.xz, s.yy + t.yy, s.yz + t.yz, s.zz + t.zz};
}
/// s − a bᵀ, symmetric because a and b are parallel.
BENCH_INLINE Sym less(const Sym& s, Vec a, Vec b) {
  return {s.xx - a.x * b.x, s.xy - a.x * b.y, s.xz - a.x * b.z, s.yy - a.y * b.y, s.yz - a.y * b.z, s.zz - a.z * b.z};
}
/// R s Rᵀ.
BENCH_INLINE Sym turned(const Mat& R, const Sym& s) {
  const Mat k{s.xx * R.a + s.xy * R.b + s.xz * R.c, s.xy * R.a + s.yy * R.b + s.yz * R.c,
              s.xz * R.a + s.yz * R.b + s.zz * R.c};
  return {k.a.x * R.a.x + k.b.x * R.b.x + k.c.x * R.c.x, k.a.x * R.a.y + k.b.x * R.b.y + k.c.x * R.c.y,
          k.a.x * R.a.z + k.b.x * R.b.z + k.c.x * R.c.z, k.a.y * R.a.y + k.b.y * R.b.y + k.c.y * R.c.y,
          k.a.y * R.a.z + k.b.y * R.b.z + k.c.y * R.c.z, k.a.z * R.a.z + k.b.z * R.b.z + k.c.z * R.c.z};
}

/// A body and the joint that holds it, which turns about its own z.
struct Link {
  Mat placement;  // of the joint in the frame of the parent
  Vec at;         // the same, its origin
  Vec centre;     // of mass
  Sym inertia;    // about the joint
  double mass;
};
/// A thin rod of 1 m and 1 kg along y or x, held at its end.
constexpr double thin = 1e-4;  // about its own axis, so that no inertia vanishes [kg m²]
constexpr Sym rod_along_y{1.0 / 3, 0, 0, thin, 0, 1.0 / 3}, rod_along_x{thin, 0, 0, 1.0 / 3, 0, 1.0 / 3};

/// Of one link at one instant, in axes parallel to the world, at its joint.
struct Work {
  Mat R;              // orientation
  Vec z, r;           // axis; from the joint of the parent
  Vec w, bias, pull;  // angular velocity; velocity-dependent angular and linear acceleration of the joint
  Sym J, M;           // articulated inertia [J H; Hᵀ M]
  Mat H;
  Vec torque, force;  // bias force
  Vec Jz, Hz;         // [J H; Hᵀ M] (z, 0)
  double inverse, u;  // 1/(z·J z), −z·torque
};

/// Orientation, velocity, own inertia and bias force.
BENCH_INLINE void outward(const Link& link, double angle, double speed, const Mat& R, Vec w, Work& k) {
  double s, c;
  sincos(angle, &s, &c);
  const Mat joint = R * link.placement;
  k.R = {c * joint.a + s * joint.b, c * joint.b - s * joint.a, joint.c};
  k.z = joint.c;
  k.r = R * link.at;
  k.bias = speed * cross(w, k.z);
  k.pull = cross(w, cross(w, k.r));
  k.w = w + speed * k.z;
  const Vec h = link.mass * (k.R * link.centre);
  k.J = turned(k.R, link.inertia);
  k.H = {{0, h.z, -h.y}, {-h.z, 0, h.x}, {h.y, -h.x, 0}};
  k.M = {link.mass, 0, 0, link.mass, 0, link.mass};
  k.torque = cross(k.w, k.J * k.w);
  k.force = cross(k.w, cross(k.w, h));
}

/// Eliminates the joint.
BENCH_INLINE void eliminate(Work& k) {
  k.Jz = k.J * k.z;
  k.Hz = transposed_times(k.H, k.z);
  k.inverse = 1 / dot(k.z, k.Jz);
  k.u = -dot(k.z, k.torque);
}

/// Hands what is left to the parent, shifted by r.
BENCH_INLINE void inward(const Work& k, Work& parent) {
  const Vec A = k.inverse * k.Jz, L = k.inverse * k.Hz, r = k.r;
  const Sym J = less(k.J, A, k.Jz), M = less(k.M, L, k.Hz);
  const Mat H{k.H.a - L.x * k.Jz, k.H.b - L.y * k.Jz, k.H.c - L.z * k.Jz};
  const Vec torque = k.torque + J * k.bias + H * k.pull + k.u * A,
            force = k.force + transposed_times(H, k.bias) + M * k.pull + k.u * L;
  // H' = H + [r] M,  J' = J − H [r] + [r] H'ᵀ
  const Mat G{H.a + cross(r, {M.xx, M.xy, M.xz}), H.b + cross(r, {M.xy, M.yy, M.yz}),
              H.c + cross(r, {M.xz, M.yz, M.zz})};
  const Vec h1 = r.z * H.b - r.y * H.c, h2 = r.x * H.c - r.z * H.a, h3 = r.y * H.a - r.x * H.b;
  const Vec g1 = cross(r, {G.a.x, G.b.x, G.c.x}), g2 = cross(r, {G.a.y, G.b.y, G.c.y}),
            g3 = cross(r, {G.a.z, G.b.z, G.c.z});
  parent.J = parent.J + Sym{J.xx - h1.x + g1.x, J.xy - h2.x + g2.x, J.xz - h3.x + g3.x,
                            J.yy - h2.y + g2.y, J.yz - h3.y + g3.y, J.zz - h3.z + g3.z};
  parent.M = parent.M + M;
  parent.H = parent.H + G;
  parent.torque = parent.torque + torque + cross(r, force);
  parent.force = parent.force + force;
}

/// The acceleration of the joint; `angular` and `linear`: of the parent, then of this link, both at their joints.
BENCH_INLINE double accelerate(const Work& k, Vec& angular, Vec& linear) {
  linear = linear + cross(angular, k.r) + k.pull;
  angular = angular + k.bias;
  const double a = k.inverse * (k.u - dot(k.Jz, angular) - dot(k.Hz, linear));
  angular = angular + a * k.z;
  return a;
}

}  // namespace spatial
