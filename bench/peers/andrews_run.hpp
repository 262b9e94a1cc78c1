#pragma once
// What the programs that run Andrews' squeezer share: how far it is run, and the error there.
#include <algorithm>
#include <cmath>

namespace andrews {

constexpr double end = 0.03;                                         // [s]
constexpr double demanded = 1e-6;                                    // largest relative error of the seven angles
constexpr double start_beta_ddot = 14222.4439199541138705911625887;  // at rest [MazziaMagherini2008]
/// The angles at the end [MazziaMagherini2008].
constexpr double q_end[7] = {15.81077119629904, -15.75637105984298, .04082224013073101, -.5347301163226948,
                             .5244099658805304, .5347301163226948,  1.048080741042263};

inline double error(const double* q) {
  double largest = 0;
  for (int i = 0; i < 7; ++i) largest = std::max(largest, std::abs((q[i] - q_end[i]) / q_end[i]));
  return std::isfinite(largest) ? largest : HUGE_VAL;
}

}  // namespace andrews
