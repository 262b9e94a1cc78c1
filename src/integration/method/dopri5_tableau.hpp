#pragma once

/// The coefficients of the pair of Dormand and Prince. [DormandPrince1980; HairerNorsettWanner1993, II.5, II.6]
namespace maggi::integration::dopri5 {

// clang-format off
constexpr double c2 = 1.0/5, c3 = 3.0/10, c4 = 4.0/5, c5 = 8.0/9;
constexpr double a21 = 1.0/5;
constexpr double a31 = 3.0/40,        a32 = 9.0/40;
constexpr double a41 = 44.0/45,       a42 = -56.0/15,      a43 = 32.0/9;
constexpr double a51 = 19372.0/6561,  a52 = -25360.0/2187, a53 = 64448.0/6561, a54 = -212.0/729;
constexpr double a61 = 9017.0/3168,   a62 = -355.0/33,     a63 = 46732.0/5247, a64 = 49.0/176, a65 = -5103.0/18656;
constexpr double b1  = 35.0/384,      b3  = 500.0/1113,    b4  = 125.0/192,    b5  = -2187.0/6784, b6 = 11.0/84;
// order 5 minus order 4
constexpr double e1 = 71.0/57600, e3 = -71.0/16695, e4 = 71.0/1920, e5 = -17253.0/339200, e6 = 22.0/525, e7 = -1.0/40;
// continuous extension
constexpr double d1 = -12715105075.0/11282082432, d3 = 87487479700.0/32700410799,    d4 = -10690763975.0/1880347072,
                 d5 = 701980252875.0/199316789632, d6 = -1453857185.0/822651844,     d7 = 69997945.0/29380423;
// clang-format on

}  // namespace maggi::integration::dopri5
