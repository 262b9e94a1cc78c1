#pragma once
// What the programs that run Andrews' squeezer share: how far it is run, and the error there.
#include <algorithm>
#include <cmath>

namespace andrews {

constexpr double end = 0.03;                                         // [s]
constexpr double demanded = 1e-6;                                    // largest relative error of the seven angles
constexpr double start_beta_ddot = 14222.4439199541138705911625887;  // at rest [MazziaMagherini2008]
/// The angles at the end: tests/reference/andrews_squeezer.json; those of [MazziaMagherini2008] are 1e-12 s out of
/// phase.
constexpr double q_end[7] = {15.810771195153707, -15.756371058411839, .040822240119645805, -.53473011634207959,
                             .52440996587995407, .53473011634207959,  1.0480807410419379};

inline double error(const double* q) {
  double largest = 0;
  for (int i = 0; i < 7; ++i) largest = std::max(largest, std::abs((q[i] - q_end[i]) / q_end[i]));
  return std::isfinite(largest) ? largest : HUGE_VAL;
}

}  // namespace andrews
