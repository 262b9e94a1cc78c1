#pragma once
// Andrews' squeezer written by hand: what a person with time would code, as the limit that derived terms are measured
// by. q = (beta, theta, gamma, phi, delta, omega, epsilon), names of the IVP test set [MazziaMagherini2008]; M q'' = f
// − Gᵀλ, g(q) = 0, so its λ is −λ of maggi.
#include <cmath>

namespace andrews {
constexpr double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706, m7 = .05498,
                 xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072, c0 = 4530, i1 = 2.194e-6,
                 i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5, i6 = 5.667e-7, i7 = 1.912e-5, d = 28e-3,
                 da = 115e-4, e = 2e-2, ea = 1421e-5, rr = 7e-3, ra = 92e-5, l0 = 7785e-5, ss = 35e-3, sa = 1874e-5,
                 sb = 1043e-5, sc = 18e-3, sd = 2e-2, ta = 2308e-5, tb = 916e-5, u = 4e-2, ua = 1228e-5, ub = 449e-5,
                 zf = 2e-2, zt = 4e-2, fa = 1421e-5, mom = 33e-3;
constexpr double q0[7] = {-0.0617138900142764496358948458001, 0,
                          0.455279819163070380255912382449,   0.222668390165885884674473185609,
                          0.487364979543842550225598953530,   -0.222668390165885884674473185609,
                          1.23054744454982119249735015568};

struct Terms {  // everything the formulations need
  double M11, M21, M22, M33, M44, M54, M55, M66, M76, M77;
  double f[7], g[6], a1, a2, b1, b2;  // (a1,a2) = d(F)/d(beta), (b1,b2) = d(F)/d(theta); F = tip of K2
  double g13, g23, g34, g35, g44, g45, g56, g57, g66, g67;
  double gam[6];  // G q'' = -gam
};
inline void terms(const double* q, const double* v, Terms& t, bool with_gamma = true) {
  double sb_, cb, st, ct, sg, cg, sp, cp, sde, cde, so, co, sep, cep;
  sincos(q[0], &sb_, &cb);
  sincos(q[1], &st, &ct);
  sincos(q[2], &sg, &cg);
  sincos(q[3], &sp, &cp);
  sincos(q[4], &sde, &cde);
  sincos(q[5], &so, &co);
  sincos(q[6], &sep, &cep);
  double sbt = sb_ * ct + cb * st, cbt = cb * ct - sb_ * st, spd = sp * cde + cp * sde, cpd = cp * cde - sp * sde,
         soe = so * cep + co * sep, coe = co * cep - so * sep;
  double bp = v[0], tp = v[1], gp = v[2], pp = v[3], dp = v[4], op = v[5], ep = v[6];
  t.M11 = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * ct + da * da) + i1 + i2;
  t.M21 = m2 * (da * da - da * rr * ct) + i2;
  t.M22 = m2 * da * da + i2;
  t.M33 = m3 * (sa * sa + sb * sb) + i3;
  constexpr double E = e - ea, Z = zf - fa;
  t.M44 = m4 * E * E + i4;
  t.M54 = m4 * (E * E + zt * E * sp) + i4;
  t.M55 = m4 * (zt * zt + 2 * zt * E * sp + E * E) + m5 * (ta * ta + tb * tb) + i4 + i5;
  t.M66 = m6 * Z * Z + i6;
  t.M76 = m6 * (Z * Z - u * Z * so) + i6;
  t.M77 = m6 * (Z * Z - 2 * u * Z * so + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7;
  double xd = sd * cg + sc * sg + xb, yd = sd * sg - sc * cg + yb, dx = xd - xc, dy = yd - yc,
         L = std::sqrt(dx * dx + dy * dy), F = -c0 * (L - l0) / L, fx = F * dx, fy = F * dy;
  t.f[0] = mom - m2 * da * rr * tp * (tp + 2 * bp) * st;
  t.f[1] = m2 * da * rr * bp * bp * st;
  t.f[2] = fx * (sc * cg - sd * sg) + fy * (sd * cg + sc * sg);
  t.f[3] = m4 * zt * E * dp * dp * cp;
  t.f[4] = -m4 * zt * E * pp * (pp + 2 * dp) * cp;
  t.f[5] = -m6 * u * Z * ep * ep * co;
  t.f[6] = m6 * u * Z * op * (op + 2 * ep) * co;
  double Fx = rr * cb - d * cbt, Fy = rr * sb_ - d * sbt;
  t.g[0] = Fx - ss * sg - xb;
  t.g[1] = Fy + ss * cg - yb;
  t.g[2] = Fx - e * spd - zt * cde - xa;
  t.g[3] = Fy + e * cpd - zt * sde - ya;
  t.g[4] = Fx - zf * coe - u * sep - xa;
  t.g[5] = Fy - zf * soe + u * cep - ya;
  t.a1 = -Fy;
  t.a2 = Fx;
  t.b1 = d * sbt;
  t.b2 = -d * cbt;
  t.g13 = -ss * cg;
  t.g23 = -ss * sg;
  t.g34 = -e * cpd;
  t.g35 = -e * cpd + zt * sde;
  t.g44 = -e * spd;
  t.g45 = -e * spd - zt * cde;
  t.g56 = zf * soe;
  t.g57 = zf * soe - u * cep;
  t.g66 = -zf * coe;
  t.g67 = -zf * coe - u * sep;
  if (with_gamma) {
    double w = bp + tp, w2 = w * w, b2 = bp * bp;
    double Ax = -rr * cb * b2 + d * cbt * w2, Ay = -rr * sb_ * b2 + d * sbt * w2;
    double pd = pp + dp, pd2 = pd * pd, oe = op + ep, oe2 = oe * oe, dp2 = dp * dp, ep2 = ep * ep, gp2 = gp * gp;
    t.gam[0] = Ax + ss * sg * gp2;
    t.gam[1] = Ay - ss * cg * gp2;
    t.gam[2] = Ax + e * spd * pd2 + zt * cde * dp2;
    t.gam[3] = Ay - e * cpd * pd2 + zt * sde * dp2;
    t.gam[4] = Ax + zf * coe * oe2 + u * sep * ep2;
    t.gam[5] = Ay + zf * soe * oe2 - u * cep * ep2;
  }
}
// y = G x, and z = G^T l
inline void mulG(const Terms& t, const double* x, double* y) {
  double Fx = t.a1 * x[0] + t.b1 * x[1], Fy = t.a2 * x[0] + t.b2 * x[1];
  y[0] = Fx + t.g13 * x[2];
  y[1] = Fy + t.g23 * x[2];
  y[2] = Fx + t.g34 * x[3] + t.g35 * x[4];
  y[3] = Fy + t.g44 * x[3] + t.g45 * x[4];
  y[4] = Fx + t.g56 * x[5] + t.g57 * x[6];
  y[5] = Fy + t.g66 * x[5] + t.g67 * x[6];
}
inline void mulGT(const Terms& t, const double* l, double* z) {
  double sx = l[0] + l[2] + l[4], sy = l[1] + l[3] + l[5];
  z[0] = t.a1 * sx + t.a2 * sy;
  z[1] = t.b1 * sx + t.b2 * sy;
  z[2] = t.g13 * l[0] + t.g23 * l[1];
  z[3] = t.g34 * l[2] + t.g44 * l[3];
  z[4] = t.g35 * l[2] + t.g45 * l[3];
  z[5] = t.g56 * l[4] + t.g66 * l[5];
  z[6] = t.g57 * l[4] + t.g67 * l[5];
}
// Index-1 accelerations. dense=false: 2x2 mass blocks and a 6x6 Cholesky; dense=true: 13x13 KKT without structure.
inline void acceleration(const double* q, const double* v, double* a, double* lam = nullptr) {
  Terms t;
  terms(q, v, t);
  // Minv blocks
  double D1 = 1 / (t.M11 * t.M22 - t.M21 * t.M21), D2 = 1 / (t.M44 * t.M55 - t.M54 * t.M54),
         D3 = 1 / (t.M66 * t.M77 - t.M76 * t.M76), n3 = 1 / t.M33;
  double A11 = t.M22 * D1, A12 = -t.M21 * D1, A22 = t.M11 * D1, B11 = t.M55 * D2, B12 = -t.M54 * D2, B22 = t.M44 * D2,
         C11 = t.M77 * D3, C12 = -t.M76 * D3, C22 = t.M66 * D3;
  double a0[7] = {A11 * t.f[0] + A12 * t.f[1], A12 * t.f[0] + A22 * t.f[1], n3 * t.f[2],
                  B11 * t.f[3] + B12 * t.f[4], B12 * t.f[3] + B22 * t.f[4], C11 * t.f[5] + C12 * t.f[6],
                  C12 * t.f[5] + C22 * t.f[6]};
  double r[6];
  mulG(t, a0, r);
  for (int i = 0; i < 6; ++i) r[i] += t.gam[i];
  // S = ones(3x3) (x) P + diag(Q1,Q2,Q3), 2x2 blocks
  auto quad = [](double h11, double h12, double h22, double x1, double y1, double x2, double y2) {
    return x1 * (h11 * x2 + h12 * y2) + y1 * (h12 * x2 + h22 * y2);
  };
  double P11 = quad(A11, A12, A22, t.a1, t.b1, t.a1, t.b1), P12 = quad(A11, A12, A22, t.a1, t.b1, t.a2, t.b2),
         P22 = quad(A11, A12, A22, t.a2, t.b2, t.a2, t.b2);
  double S[6][6];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) {
      S[2 * i][2 * j] = P11;
      S[2 * i + 1][2 * j] = P12;
      S[2 * i][2 * j + 1] = P12;
      S[2 * i + 1][2 * j + 1] = P22;
    }
  S[0][0] += n3 * t.g13 * t.g13;
  S[1][0] += n3 * t.g13 * t.g23;
  S[1][1] += n3 * t.g23 * t.g23;
  S[2][2] += quad(B11, B12, B22, t.g34, t.g35, t.g34, t.g35);
  S[3][2] += quad(B11, B12, B22, t.g34, t.g35, t.g44, t.g45);
  S[3][3] += quad(B11, B12, B22, t.g44, t.g45, t.g44, t.g45);
  S[4][4] += quad(C11, C12, C22, t.g56, t.g57, t.g56, t.g57);
  S[5][4] += quad(C11, C12, C22, t.g56, t.g57, t.g66, t.g67);
  S[5][5] += quad(C11, C12, C22, t.g66, t.g67, t.g66, t.g67);
  // LDL^T 6x6
  double D[6];
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
    double w[6], s = S[j][j];
    for (int k = 0; k < j; ++k) {
      w[k] = S[j][k] * D[k];
      s -= w[k] * S[j][k];
    }
    D[j] = s;
    double inv = 1 / s;
    for (int i = j + 1; i < 6; ++i) {
      double x = S[i][j];
      for (int k = 0; k < j; ++k) x -= S[i][k] * w[k];
      S[i][j] = x * inv;
    }
  }
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < i; ++k) r[i] -= S[i][k] * r[k];
  for (int i = 0; i < 6; ++i) r[i] /= D[i];
  for (int i = 5; i >= 0; --i)
    for (int k = i + 1; k < 6; ++k) r[i] -= S[k][i] * r[k];
  double z[7];
  mulGT(t, r, z);
  a[0] = a0[0] - (A11 * z[0] + A12 * z[1]);
  a[1] = a0[1] - (A12 * z[0] + A22 * z[1]);
  a[2] = a0[2] - n3 * z[2];
  a[3] = a0[3] - (B11 * z[3] + B12 * z[4]);
  a[4] = a0[4] - (B12 * z[3] + B22 * z[4]);
  a[5] = a0[5] - (C11 * z[5] + C12 * z[6]);
  a[6] = a0[6] - (C12 * z[5] + C22 * z[6]);
  if (lam)
    for (int i = 0; i < 6; ++i) lam[i] = r[i];
}
// The same by an unstructured 13x13 LDL^T (no pivoting): what a generic tiny dense engine would do.
inline void acceleration_dense(const double* q, const double* v, double* a) {
  Terms t;
  terms(q, v, t);
  double K[13][13] = {};
  K[0][0] = t.M11;
  K[1][0] = t.M21;
  K[1][1] = t.M22;
  K[2][2] = t.M33;
  K[3][3] = t.M44;
  K[4][3] = t.M54;
  K[4][4] = t.M55;
  K[5][5] = t.M66;
  K[6][5] = t.M76;
  K[6][6] = t.M77;
  for (int i = 0; i < 3; ++i) {
    K[7 + 2 * i][0] = t.a1;
    K[7 + 2 * i][1] = t.b1;
    K[8 + 2 * i][0] = t.a2;
    K[8 + 2 * i][1] = t.b2;
  }
  K[7][2] = t.g13;
  K[8][2] = t.g23;
  K[9][3] = t.g34;
  K[9][4] = t.g35;
  K[10][3] = t.g44;
  K[10][4] = t.g45;
  K[11][5] = t.g56;
  K[11][6] = t.g57;
  K[12][5] = t.g66;
  K[12][6] = t.g67;
  double b[13], D[13];
  for (int i = 0; i < 7; ++i) b[i] = t.f[i];
  for (int i = 0; i < 6; ++i) b[7 + i] = -t.gam[i];
  for (int j = 0; j < 13; ++j) {
    double w[13], s = K[j][j];
    for (int k = 0; k < j; ++k) {
      w[k] = K[j][k] * D[k];
      s -= w[k] * K[j][k];
    }
    D[j] = s;
    double inv = 1 / s;
    for (int i = j + 1; i < 13; ++i) {
      double x = K[i][j];
      for (int k = 0; k < j; ++k) x -= K[i][k] * w[k];
      K[i][j] = x * inv;
    }
  }
  for (int i = 0; i < 13; ++i)
    for (int k = 0; k < i; ++k) b[i] -= K[i][k] * b[k];
  for (int i = 0; i < 13; ++i) b[i] /= D[i];
  for (int i = 12; i >= 0; --i)
    for (int k = i + 1; k < 13; ++k) b[i] -= K[k][i] * b[k];
  for (int i = 0; i < 7; ++i) a[i] = b[i];
}
}  // namespace andrews
