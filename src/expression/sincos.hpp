#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace maggi::expression {

/// sin and cos of N numbers at once, in plain loops that compilers turn into vector instructions. Every step is one
/// IEEE operation (compile with -ffp-contract=off), so the results do not depend on N nor on the instruction set.
/// Error below 1 ulp for |x| ≤ 2^20; larger arguments go to libm.
///
/// x = k π/2 + (r + e), |r| ≤ π/4, with π/2 in three parts of which two have 33 bits: k times these is exact (Cody and
/// Waite). On the remainder, minimax polynomials: sin r = r + r³ S(r²), cos r = 1 − r²/2 + r⁴ C(r²), the errors
/// relative to the result below 4e-18.
template <int N>
[[gnu::always_inline]] inline void sincos(const double* x, double* sines, double* cosines) {
  constexpr double limit = 1048576.0;
  constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
  constexpr double pi_half_1 = 0x1.921fb544p+0, pi_half_2 = 0x1.0b4611a6p-34, pi_half_3 = 0x1.3198a2e037073p-69;
  constexpr double shift = 0x1.8p52;  // adding it rounds to an integer, which then stands in the low bits
  constexpr double S[] = {-0x1.5555555555549p-3, 0x1.111111110f861p-7,   -0x1.a01a019c0e4c3p-13,
                          0x1.71de3574ba706p-19, -0x1.ae5e63cd9260cp-26, 0x1.5d9246cf7e382p-33};
  constexpr double C[] = {0x1.555555555554cp-5,   -0x1.6c16c16c15162p-10, 0x1.a01a019caef35p-16,
                          -0x1.27e4f807d5fdep-22, 0x1.1ee9ea6ca42d2p-29,  -0x1.8fadd05ee6e2fp-37};
  double s[N], c[N];
  for (int i = 0; i < N; ++i) {
    const double shifted = x[i] * two_over_pi + shift;
    const double k = shifted - shift;
    const auto quadrant = std::bit_cast<std::int64_t>(shifted);

    const double t = x[i] - k * pi_half_1;
    const double w = k * pi_half_2;
    const double u = t - w;
    const double v = k * pi_half_3 - ((t - u) - w);
    const double r = u - v;
    const double e = (u - r) - v;  // what r lacks of the remainder

    const double z = r * r;
    const double S0 = S[1] + z * (S[2] + z * (S[3] + z * (S[4] + z * S[5])));
    const double C0 = z * (C[0] + z * (C[1] + z * (C[2] + z * (C[3] + z * (C[4] + z * C[5])))));
    const double r3 = z * r;
    const double sine = r - ((z * (0.5 * e - r3 * S0) - e) - r3 * S[0]);
    const double half = 0.5 * z;
    const double near = 1.0 - half;
    const double cosine = near + (((1.0 - near) - half) + (z * C0 - r * e));

    const bool swap = (quadrant & 1) != 0;
    const double first = swap ? cosine : sine, second = swap ? sine : cosine;
    s[i] = (quadrant & 2) != 0 ? -first : first;
    c[i] = ((quadrant + 1) & 2) != 0 ? -second : second;
  }
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

}  // namespace maggi::expression
