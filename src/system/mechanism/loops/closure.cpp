#include "system/mechanism/loops/closure.hpp"

#include <cmath>
#include <numbers>

#include "base/dual.hpp"
#include "system/mechanism/kinematics/symbol.hpp"

namespace maggi::mechanism {

namespace {

using std::atan2, std::remainder;

/// The joint frames A and B, and how they move: w of B against A, in the world frame.
template <class Space>
struct Frames {
  Pose<Space> A, B;
  typename Space::Linear d;  // from A to B
  typename Space::Angular wA, wB, w;
  typename Space::Linear vA, vB;  // of their origins

  Frames(const Closure<Space>& c, const LinkState<Space>& s, bool moving)
      : A(s.pose[c.a] * c.on_a), B(s.pose[c.b] * c.on_b), d(B.p - A.p) {
    const Motion<Space> still;
    const Motion<Space>&VA = moving ? s.V[c.a] : still, &VB = moving ? s.V[c.b] : still;
    wA = VA.w, wB = VB.w, w = wB - wA;
    vA = VA.at(A.p), vB = VB.at(B.p);
  }
};

/// A force along n through B, and its rate.
template <class Space>
void force_in_B(const Frames<Space>& F, const typename Space::Linear& n, const typename Space::Linear& ndot,
                ClosureRow<Space>& row) {
  row.W = Wrench<Space>::in(F.B.p, n);
  row.Wdot = {Space::moment(F.vB, n) + Space::moment(F.B.p, ndot), ndot};
}

template <class Space>
void along(const Frames<Space>& F, int axis, ClosureRow<Space>& row) {
  const typename Space::Linear n = F.A.R.col(axis);
  row.f = n.dot(F.d);
  force_in_B<Space>(F, n, Space::turn(F.wA, n), row);
}

template <class Space>
void distance(const Frames<Space>& F, const typename Space::Real& length, ClosureRow<Space>& row) {
  const typename Space::Real l = F.d.norm();
  const typename Space::Linear n = F.d / l, rate = F.vB - F.vA;
  row.f = l - length;
  force_in_B<Space>(F, n, (rate - n * n.dot(rate)) / l, row);
}

template <class Real>
void about(const Frames<PlanarOver<Real>>& F, int /*axis*/, ClosureRow<PlanarOver<Real>>& row) {
  const typename PlanarOver<Real>::Rotation R = F.A.R.transpose() * F.B.R;
  const Real g = R.s / (1.0 + R.c);  // tan(θ/2)
  row.f = 2.0 * g;
  row.W.n = 1.0 + g * g;
  row.Wdot.n = g * (1.0 + g * g) * F.w;
}

template <class Real>
void about(const Frames<SpatialOver<Real>>& F, int axis, ClosureRow<SpatialOver<Real>>& row) {
  using Vector3 = Vector3Over<Real>;
  using Matrix3 = Matrix3Over<Real>;
  // g = tan(θ/2) u in A:  2ġ = ω + ω × g + g (g·ω)
  const Matrix3 R = F.A.R.R.transpose() * F.B.R.R;
  const Vector3 g = Vector3(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)) / (1.0 + R.trace());
  const Vector3 omega = F.A.R.R.transpose() * F.w, e = Vector3::Unit(axis);
  const Vector3 gdot = (omega + omega.cross(g) + g * g.dot(omega)) / 2.0;
  row.f = 2.0 * g[axis];
  row.W.n = F.A.R.R * (e + g.cross(e) + g[axis] * g);
  row.Wdot.n = F.wA.cross(row.W.n) + F.A.R.R * (gdot.cross(e) + gdot[axis] * g + g[axis] * gdot);
}

template <class Real>
void tilt(const Frames<SpatialOver<Real>>& F, int axis, ClosureRow<SpatialOver<Real>>& row) {
  using Vector3 = Vector3Over<Real>;
  // c = z_B turns with ω against A, where e and a = z_A rest;  n = (2 c × (e × a) − f c × a) / (1 + a·c)
  const Vector3 a = F.A.R.col(2), c = F.B.R.col(2), ea = F.A.R.col(axis).cross(a), ca = c.cross(a);
  const Real s = 1.0 + a.dot(c);
  row.f = -2.0 * F.A.R.col(axis).dot(ca) / s;
  const Vector3 n = (2.0 * c.cross(ea) - row.f * ca) / s;
  const Vector3 cdot = F.w.cross(c);
  row.W.n = n;
  row.Wdot.n = F.wA.cross(n) + (2.0 * cdot.cross(ea) - n.dot(F.w) * ca - row.f * cdot.cross(a) - n * a.dot(cdot)) / s;
}

template <class Real>
void cross_axes(const Frames<SpatialOver<Real>>& F, ClosureRow<SpatialOver<Real>>& row) {
  using Vector3 = Vector3Over<Real>;
  const Vector3 x = F.A.R.col(0), y = F.B.R.col(1);
  row.f = -x.dot(y);
  row.W.n = x.cross(y);
  row.Wdot.n = F.wA.cross(x).cross(y) + x.cross(F.wB.cross(y));
}

template <class Real>
void thread(const Frames<SpatialOver<Real>>& F, const Real& pitch, ClosureRow<SpatialOver<Real>>& row) {
  using Vector3 = Vector3Over<Real>;
  // θ = 2 atan2(q_z, q_w) of the quaternion (q_w, u) of B in A:  2q̇_w = −ω·u,  2u̇ = q_w ω + ω × u
  along(F, 2, row);
  const Eigen::Quaternion<Real> quaternion(Matrix3Over<Real>(F.A.R.R.transpose() * F.B.R.R));
  const Vector3 u = quaternion.vec(), z = Vector3::UnitZ(), omega = F.A.R.R.transpose() * F.w;
  const Real q = quaternion.w(), size = q * q + u[2] * u[2];
  const Real qdot = -omega.dot(u) / 2.0;
  const Vector3 udot = (q * omega + omega.cross(u)) / 2.0;
  const Vector3 n = (q * q * z + q * u.cross(z) + u[2] * u) / size;  // θ̇ = n · ω
  const Vector3 ndot = (2.0 * q * qdot * z + qdot * u.cross(z) + q * udot.cross(z) + udot[2] * u + u[2] * udot -
                        2.0 * (q * qdot + u[2] * udot[2]) * n) /
                       size;
  const Vector3 n_world = F.A.R.R * n;
  row.f = remainder(row.f - pitch * 2.0 * atan2(u[2], q), 2.0 * std::numbers::pi * pitch);
  row.W.n -= pitch * n_world;
  row.Wdot.n -= pitch * (F.wA.cross(n_world) + F.A.R.R * ndot);
}

template <class Space>
void turning(const Frames<Space>& F, int axis, ClosureRow<Space>& row) {
  row.W.n = F.A.R.turn_axis(axis);
  row.Wdot.n = Space::spin(F.wA, row.W.n);
}

template <class Space>
void carried_along(const Frames<Space>& F, int axis, ClosureRow<Space>& row) {
  const typename Space::Linear n = F.B.R.col(axis);
  force_in_B<Space>(F, n, Space::turn(F.wB, n), row);
}

template <class Space>
void carried_about(const Frames<Space>& F, int axis, ClosureRow<Space>& row) {
  row.W.n = F.B.R.turn_axis(axis);
  row.Wdot.n = Space::spin(F.wB, row.W.n);
}

/// A force along n in the contact c, and its rate; c moves over both bodies.
template <class Space>
void force_in_contact(const typename Space::Linear& c, const typename Space::Linear& cdot,
                      const typename Space::Linear& n, const typename Space::Linear& ndot, ClosureRow<Space>& row) {
  row.W = Wrench<Space>::in(c, n);
  row.Wdot = {Space::moment(cdot, n) + Space::moment(c, ndot), ndot};
}

/// Rolling on the plane whose normal is the last axis of A.
template <class Space>
void ball(const Frames<Space>& F, const typename Space::Real& radius, int axis, ClosureRow<Space>& row) {
  const typename Space::Linear n = F.A.R.col(Space::axes - 1), ndot = Space::turn(F.wA, n), e = F.A.R.col(axis);
  row.f = n.dot(F.d) - radius;
  force_in_contact<Space>(F.B.p - radius * n, F.vB - radius * ndot, e, Space::turn(F.wA, e), row);
}

/// A unit vector along x, and its rate.
template <class Real>
std::pair<Vector3Over<Real>, Vector3Over<Real>> direction(const Vector3Over<Real>& x, const Vector3Over<Real>& xdot) {
  const Real length = x.norm();
  const Vector3Over<Real> e = x / length;
  return {e, (xdot - e * e.dot(xdot)) / length};
}

/// The disc touches where it reaches farthest against n: c = p − r u/|u|, u = n − (n·e) e.
template <class Real>
void disc(const Frames<SpatialOver<Real>>& F, const Real& radius, bool height, int axis,
          ClosureRow<SpatialOver<Real>>& row) {
  using Space = SpatialOver<Real>;
  using Vector3 = Vector3Over<Real>;
  const Vector3 n = F.A.R.col(2), e = F.B.R.col(2), ndot = F.wA.cross(n), edot = F.wB.cross(e);
  const Real ne = n.dot(e);
  const Vector3 u = n - ne * e, udot = ndot - (ndot.dot(e) + n.dot(edot)) * e - ne * edot;
  const auto [up, updot] = direction<Real>(u, udot);
  const Vector3 c = F.B.p - radius * up, cdot = F.vB - radius * updot;
  row.f = n.dot(F.d) - radius * u.norm();
  if (height) return force_in_contact<Space>(c, cdot, n, ndot, row);
  const auto [track, trackdot] = direction<Real>(n.cross(e), ndot.cross(e) + n.cross(edot));
  if (axis == 0) return force_in_contact<Space>(c, cdot, track, trackdot, row);
  force_in_contact<Space>(c, cdot, n.cross(track), ndot.cross(track) + n.cross(trackdot), row);
}

}  // namespace

template <class Space>
void Closure<Space>::evaluate(const LinkState<Space>& s, bool rates, ClosureRow<Space>* values) const {
  const Frames<Space> F(*this, s, rates);
  for (const Comparisons::Comparison& row : rows) {
    ClosureRow<Space>& value = *values++;
    value.W = value.Wdot = {};
    if (row.holds == Holds::along) along<Space>(F, row.axis, value);
    if (row.holds == Holds::distance) distance<Space>(F, length, value);
    if (row.holds == Holds::about) about(F, row.axis, value);
    if (row.holds == Holds::turning) turning<Space>(F, row.axis, value);
    if (row.holds == Holds::carried_along) carried_along<Space>(F, row.axis, value);
    if (row.holds == Holds::carried_about) carried_about<Space>(F, row.axis, value);
    if (row.holds == Holds::ball_height) ball<Space>(F, length, Space::axes - 1, value);
    if (row.holds == Holds::ball_slip) ball<Space>(F, length, row.axis, value);
    if constexpr (Space::turns == 3) {
      if (row.holds == Holds::tilt) tilt(F, row.axis, value);
      if (row.holds == Holds::cross) cross_axes(F, value);
      if (row.holds == Holds::thread) thread(F, pitch, value);
      if (row.holds == Holds::disc_height) disc(F, length, true, 0, value);
      if (row.holds == Holds::disc_slip) disc(F, length, false, row.axis, value);
    }
  }
}

template class Closure<Planar>;
template class Closure<Spatial>;
template class Closure<PlanarOver<Dual>>;
template class Closure<SpatialOver<Dual>>;
template class Closure<PlanarOver<Symbol>>;
template class Closure<SpatialOver<Symbol>>;

}  // namespace maggi::mechanism
