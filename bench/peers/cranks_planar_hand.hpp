#pragma once
// The chain of four-bars in the plane, written by hand: θ of the cranks (clockwise from the vertical) and α of the
// couplers (clockwise from the horizontal), the mass matrices of the pairs inverted by hand, a block-tridiagonal system
// of the loop forces eliminated in one pass.
//
//     A = [t s], t = (cos θ, −sin θ), s = (−sin α, −cos α): how the tips of a pair move
//     M = [4/3 m; m 1/3], m = t·s/2
#include <cmath>
#include <vector>

#include "parallel_cranks.hpp"

namespace parallel_cranks {

class PlanarHand {
 public:
  explicit PlanarHand(int loops, Motion at = in_motion)
      : theta(loops + 1, at.angle),
        alpha(loops + 1, 0.0),
        theta_dot(loops + 1, at.speed),
        alpha_dot(loops + 1, 0.0),
        theta_ddot(loops + 1),
        alpha_ddot(loops + 1),
        N(loops),
        st(loops + 1),
        ct(loops + 1),
        sa(loops + 1),
        ca(loops + 1),
        blocks(loops + 1) {}

  std::vector<double> theta, alpha, theta_dot, alpha_dot, theta_ddot, alpha_ddot;

  void evaluate() {
    for (int i = 0; i <= N; ++i) st[i] = std::sin(theta[i]), ct[i] = std::cos(theta[i]);
    for (int i = 0; i <= N; ++i) sa[i] = std::sin(alpha[i]), ca[i] = std::cos(alpha[i]);
    forward();
    backward();
  }

 private:
  struct Block {
    double w11, w12, w22;       // W = M⁻¹
    double q1, q2;              // W f
    double x11, x12, x21, x22;  // the upper block, eliminated
    double y1, y2;
  };

  void forward() {
    double p11 = 0, p12 = 0, p22 = 0, y1 = 0, y2 = 0;  // the inverse of the block before, and its solution
    double t1 = ct[0], t2 = -st[0];
    pair(0);
    for (int i = 0; i < N; ++i) {
      Block& b = blocks[i];
      const double s1 = -sa[i], s2 = -ca[i];
      // S = A W Aᵀ, residual A W f + centripetal accelerations
      const double u1 = b.w11 * t1 + b.w12 * s1, u2 = b.w11 * t2 + b.w12 * s2, v1 = b.w12 * t1 + b.w22 * s1,
                   v2 = b.w12 * t2 + b.w22 * s2;
      double S11 = t1 * u1 + s1 * v1, S12 = t1 * u2 + s1 * v2, S22 = t2 * u2 + s2 * v2;
      const double crank = theta_dot[i] * theta_dot[i], coupler = alpha_dot[i] * alpha_dot[i];
      double r1 = t1 * b.q1 + s1 * b.q2 - st[i] * crank - ca[i] * coupler,
             r2 = t2 * b.q1 + s2 * b.q2 - ct[i] * crank + sa[i] * coupler;
      if (i > 0) {  // coupled with the loop before by O = −t uᵀ
        const double o11 = -t1 * u1, o12 = -t1 * u2, o21 = -t2 * u1, o22 = -t2 * u2;
        b.x11 = p11 * o11 + p12 * o21, b.x21 = p12 * o11 + p22 * o21;
        b.x12 = p11 * o12 + p12 * o22, b.x22 = p12 * o12 + p22 * o22;
        S11 -= o11 * b.x11 + o21 * b.x21, S12 -= o11 * b.x12 + o21 * b.x22, S22 -= o12 * b.x12 + o22 * b.x22;
        r1 -= o11 * y1 + o21 * y2, r2 -= o12 * y1 + o22 * y2;
      }
      if (i + 1 < N)
        pair(i + 1);
      else
        blocks[N].w11 = 3, blocks[N].q1 = 3 * gravity / 2 * st[N];  // the last crank alone
      const Block& next = blocks[i + 1];
      t1 = ct[i + 1], t2 = -st[i + 1];
      const double other = theta_dot[i + 1] * theta_dot[i + 1];
      S11 += t1 * t1 * next.w11, S12 += t1 * t2 * next.w11, S22 += t2 * t2 * next.w11;
      r1 += -t1 * next.q1 + st[i + 1] * other, r2 += -t2 * next.q1 + ct[i + 1] * other;
      const double inverse = 1 / (S11 * S22 - S12 * S12);
      p11 = S22 * inverse, p12 = -S12 * inverse, p22 = S11 * inverse;
      b.y1 = y1 = p11 * r1 + p12 * r2;
      b.y2 = y2 = p12 * r1 + p22 * r2;
    }
  }

  /// W and W f of crank i and its coupler.
  void pair(int i) {
    Block& b = blocks[i];
    const double t1 = ct[i], t2 = -st[i], s1 = -sa[i], s2 = -ca[i];
    const double m = 0.5 * (t1 * s1 + t2 * s2), inverse = 1 / (4.0 / 9 - m * m);
    b.w11 = inverse / 3, b.w12 = -m * inverse, b.w22 = 4.0 / 3 * inverse;
    const double cr = 0.5 * (t1 * -ca[i] + t2 * sa[i]), cl = 0.5 * (s1 * -st[i] + s2 * -ct[i]);
    const double f1 = gravity * 1.5 * st[i] - cr * alpha_dot[i] * alpha_dot[i],
                 f2 = gravity * 0.5 * ca[i] - cl * theta_dot[i] * theta_dot[i];
    b.q1 = b.w11 * f1 + b.w12 * f2, b.q2 = b.w12 * f1 + b.w22 * f2;
  }

  void backward() {
    double l1 = blocks[N - 1].y1, l2 = blocks[N - 1].y2;
    theta_ddot[N] = 3 * (gravity / 2 * st[N] + ct[N] * l1 - st[N] * l2);
    for (int i = N - 1; i >= 0; --i) {
      const Block& b = blocks[i];
      const double k1 = l1, k2 = l2;
      l1 = l2 = 0;
      if (i > 0) {
        l1 = blocks[i - 1].y1 - (b.x11 * k1 + b.x12 * k2);
        l2 = blocks[i - 1].y2 - (b.x21 * k1 + b.x22 * k2);
      }
      const double z1 = ct[i] * (k1 - l1) - st[i] * (k2 - l2), z2 = -sa[i] * k1 - ca[i] * k2;
      theta_ddot[i] = b.q1 - (b.w11 * z1 + b.w12 * z2);
      alpha_ddot[i] = b.q2 - (b.w12 * z1 + b.w22 * z2);
    }
  }

  int N;
  std::vector<double> st, ct, sa, ca;
  std::vector<Block> blocks;
};

}  // namespace parallel_cranks
