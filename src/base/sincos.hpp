#pragma once
#include <cmath>

namespace maggi {

// Compiled formulas contain the same text, so that they give the same bits: C and C++ alike.
#define MAGGI_IN_C_TOO(name, ...) \
  __VA_ARGS__                     \
  inline constexpr char name[] = #__VA_ARGS__;

/// sin and cos of one number, |x| ≤ 2^20. Every step is one IEEE operation (compile with -ffp-contract=off) and none
/// branches, so that loops over it become vector instructions and the results do not depend on the instruction set.
/// Error below 1 ulp.
///
/// x = k π/2 + (r + e), |r| ≤ π/4, with π/2 in three parts of which two have 33 bits: k times these is exact (Cody and
/// Waite). On the remainder, minimax polynomials: sin r = r + r³ S(r²), cos r = 1 − r²/2 + r⁴ C(r²), the errors
/// relative to the result below 4e-18. Adding 1.5 2^52 rounds to an integer, which then stands in the low bits.
// clang-format off
MAGGI_IN_C_TOO(sincos_in_c,
static inline __attribute__((always_inline)) void sincos_small(double x, double* sine, double* cosine) {
  const double shift = 0x1.8p52;
  const double shifted = x * 0x1.45f306dc9c883p-1 + shift;
  const double k = shifted - shift;
  long long quadrant;
  __builtin_memcpy(&quadrant, &shifted, 8);

  const double t = x - k * 0x1.921fb544p+0;
  const double w = k * 0x1.0b4611a6p-34;
  const double u = t - w;
  const double v = k * 0x1.3198a2e037073p-69 - ((t - u) - w);
  const double r = u - v;
  const double e = (u - r) - v; /* what r lacks of the remainder */

  const double z = r * r;
  const double S0 = 0x1.111111110f861p-7 + z * (-0x1.a01a019c0e4c3p-13 + z * (0x1.71de3574ba706p-19 + z *
                    (-0x1.ae5e63cd9260cp-26 + z * 0x1.5d9246cf7e382p-33)));
  const double C0 = z * (0x1.555555555554cp-5 + z * (-0x1.6c16c16c15162p-10 + z * (0x1.a01a019caef35p-16 + z *
                    (-0x1.27e4f807d5fdep-22 + z * (0x1.1ee9ea6ca42d2p-29 + z * -0x1.8fadd05ee6e2fp-37)))));
  const double r3 = z * r;
  const double s = r - ((z * (0.5 * e - r3 * S0) - e) - r3 * -0x1.5555555555549p-3);
  const double half = 0.5 * z;
  const double near = 1.0 - half;
  const double c = near + (((1.0 - near) - half) + (z * C0 - r * e));

  const double first = (quadrant & 1) != 0 ? c : s;
  const double second = (quadrant & 1) != 0 ? s : c;
  *sine = (quadrant & 2) != 0 ? -first : first;
  *cosine = ((quadrant + 1) & 2) != 0 ? -second : second;
})
// clang-format on

/// sin and cos of N numbers at once; large arguments go to libm.
template <int N>
[[gnu::always_inline]] inline void sincos(const double* x, double* sines, double* cosines) {
  constexpr double limit = 1048576.0;
  double s[N], c[N];
  for (int i = 0; i < N; ++i) sincos_small(x[i], &s[i], &c[i]);
  for (int i = 0; i < N; ++i) {
    sines[i] = s[i];
    cosines[i] = c[i];
  }
  bool all_small = true;
  for (int i = 0; i < N; ++i) all_small &= std::abs(x[i]) <= limit;
  if (all_small) [[likely]]
    return;
  for (int i = 0; i < N; ++i) {
    if (std::abs(x[i]) <= limit) continue;
    sines[i] = std::sin(x[i]);
    cosines[i] = std::cos(x[i]);
  }
}

/// sin and cos of `count` numbers; the bits depend neither on their number nor on the machine.
void sincos(int count, const double* x, double* sines, double* cosines);

}  // namespace maggi
