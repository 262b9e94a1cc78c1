#pragma once
// The chain of four-bars in space, by the steps that a general engine would take, written by hand: articulated bodies
// on each tree of two (crank, coupler), what unit forces in its loops do to it, and a block-tridiagonal system of the
// loop forces. Two rows a loop, those in the plane.
//
//     tip of coupler i = tip of crank i + 1:   S λ = g_{i+1} − f_i,   S block-tridiagonal, 2 × 2
#include <vector>

#include "parallel_cranks.hpp"
#include "spatial_hand.hpp"

namespace parallel_cranks {

class SpatialHand {
 public:
  explicit SpatialHand(int loops, Motion at = in_motion) : trees_(loops + 1) {
    for (Tree& tree : trees_) tree.q[0] = -at.angle, tree.q[1] = at.angle, tree.v[0] = -at.speed, tree.v[1] = at.speed;
  }

  double acceleration(int crank) const { return -trees_[crank].a[0]; }

  void evaluate() {
    const int loops = static_cast<int>(trees_.size()) - 1;
    for (int i = 0; i < loops; ++i) free_motion<2>(trees_[i]);
    free_motion<1>(trees_[loops]);
    Two inverse{};
    double y[2] = {};
    for (int i = 0; i < loops; ++i) {
      Tree &left = trees_[i], &right = trees_[i + 1];
      Two S = left.far + right.near;
      double r[2] = {right.crank_tip[0] - left.coupler_tip[0], right.crank_tip[1] - left.coupler_tip[1]};
      if (i > 0) {  // the lower block is −across, the upper one of the row before its transpose
        const Two& L = left.across;
        const Two X = -(inverse * transposed(L));
        S = S + L * X;
        r[0] += L.a * y[0] + L.b * y[1];
        r[1] += L.c * y[0] + L.d * y[1];
        left.upper = X;
      }
      inverse = inverted(S);
      y[0] = inverse.a * r[0] + inverse.b * r[1];
      y[1] = inverse.c * r[0] + inverse.d * r[1];
      left.y[0] = y[0], left.y[1] = y[1];
    }
    double here[2], before[2] = {};
    for (int i = loops; i >= 0; --i) {
      Tree& tree = trees_[i];
      here[0] = before[0], here[1] = before[1];
      before[0] = before[1] = 0;
      if (i > 0) {
        before[0] = trees_[i - 1].y[0], before[1] = trees_[i - 1].y[1];
        if (i < loops) {
          before[0] -= tree.upper.a * here[0] + tree.upper.b * here[1];
          before[1] -= tree.upper.c * here[0] + tree.upper.d * here[1];
        }
      }
      for (int j = 0; j < 2; ++j)
        tree.a[j] += tree.response[2][j] * here[0] + tree.response[3][j] * here[1] - tree.response[0][j] * before[0] -
                     tree.response[1][j] * before[1];
    }
  }

 private:
  struct Two {  // [a b; c d]
    double a = 0, b = 0, c = 0, d = 0;
    Two operator+(const Two& o) const { return {a + o.a, b + o.b, c + o.c, d + o.d}; }
    Two operator-() const { return {-a, -b, -c, -d}; }
    Two operator*(const Two& o) const {
      return {a * o.a + b * o.c, a * o.b + b * o.d, c * o.a + d * o.c, c * o.b + d * o.d};
    }
  };
  static Two transposed(const Two& m) { return {m.a, m.c, m.b, m.d}; }
  static Two inverted(const Two& m) {
    const double k = 1 / (m.a * m.d - m.b * m.c);
    return {m.d * k, -m.b * k, -m.c * k, m.a * k};
  }

  struct Tree {
    double q[2], v[2], a[2];
    double crank_tip[2], coupler_tip[2];  // accelerations without forces in the loops
    double response[4][2];                // of the joints to unit forces x, y at the tip of the crank, of the coupler
    Two near, across, far;                // of the tips: crank to crank, crank to coupler, coupler to coupler
    Two upper;
    double y[2];
  };

  template <int bodies>
  void free_motion(Tree& tree) {
    using namespace spatial;
    static constexpr Link links[2] = {{identity, {0, 0, 0}, {0, 0.5, 0}, rod_along_y, 1.0},
                                      {identity, {0, 1, 0}, {0.5, 0, 0}, rod_along_x, 1.0}};
    static constexpr Vec tips[2] = {{0, 1, 0}, {1, 0, 0}}, axes[2] = {{1, 0, 0}, {0, 1, 0}};
    Work k[2];
    Vec tip[2], tip_acceleration[2];
    outward(links[0], tree.q[0], tree.v[0], identity, {0, 0, 0}, k[0]);
    if (bodies > 1) {
      outward(links[1], tree.q[1], tree.v[1], k[0].R, k[0].w, k[1]);
      eliminate(k[1]);
      inward(k[1], k[0]);
    }
    eliminate(k[0]);
    Vec angular{0, 0, 0}, linear{0, gravity, 0};
    for (int i = 0; i < bodies; ++i) {
      tip[i] = k[i].R * tips[i];
      tree.a[i] = accelerate(k[i], angular, linear);
      tip_acceleration[i] = linear + cross(angular, tip[i]) + cross(k[i].w, cross(k[i].w, tip[i]));
    }
    tree.crank_tip[0] = tip_acceleration[0].x, tree.crank_tip[1] = tip_acceleration[0].y;
    if (bodies > 1) tree.coupler_tip[0] = tip_acceleration[1].x, tree.coupler_tip[1] = tip_acceleration[1].y;

    Vec crank[4], coupler[4];
    for (int c = 0; c < 2 * bodies; ++c) {
      const Vec force = axes[c & 1];
      double outer = 0, inner;
      if (c < 2) {
        inner = dot(k[0].z, cross(tip[0], force));
      } else {
        const Vec torque = cross(tip[1], force);
        outer = dot(k[1].z, torque);
        const Vec left_torque = torque - (outer * k[1].inverse) * k[1].Jz,
                  left_force = force - (outer * k[1].inverse) * k[1].Hz;
        inner = dot(k[0].z, left_torque + cross(k[1].r, left_force));
      }
      const double a0 = inner * k[0].inverse;
      const Vec turning = a0 * k[0].z;
      crank[c] = cross(turning, tip[0]);
      tree.response[c][0] = a0;
      tree.response[c][1] = 0;
      if (bodies > 1) {
        const Vec at = cross(turning, k[1].r);
        const double a1 = k[1].inverse * (outer - dot(k[1].Jz, turning) - dot(k[1].Hz, at));
        coupler[c] = at + cross(turning + a1 * k[1].z, tip[1]);
        tree.response[c][1] = a1;
      }
    }
    tree.near = {crank[0].x, crank[1].x, crank[0].y, crank[1].y};
    if (bodies > 1) {
      tree.far = {coupler[2].x, coupler[3].x, coupler[2].y, coupler[3].y};
      tree.across = {coupler[0].x, coupler[1].x, coupler[0].y, coupler[1].y};
    }
  }

  std::vector<Tree> trees_;
};

}  // namespace parallel_cranks
