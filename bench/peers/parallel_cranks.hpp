#pragma once
// The chain of N four-bars (problem A02 of the IFToMM library): N + 1 parallel cranks on the ground at (k, 0), N
// couplers between their tips, all of them rods of 1 m and 1 kg. Every crank turns by the same θ, clockwise from the
// upward vertical; its motion has one exact equation, through the poses where the cranks lie flat, too.
#include <cmath>

namespace parallel_cranks {

constexpr double gravity = 9.81, pi = 3.14159265358979323846;

struct Motion {
  double angle, speed;
};
constexpr Motion in_motion{0.3, 1.0};                           // where one evaluation is timed
constexpr Motion swing{pi - 1.0, 0.0};                          // released at rest, 1 rad from hanging: never flat
constexpr Motion tumbling{0.0, 1.0};                            // A02: upright with 1 m/s at the tips, round and round
constexpr double swing_error = 1e-6;                            // [rad] demanded after 10 s
constexpr double tumbling_error = 1e-3, tumbling_drift = 1e-3;  // [rad], [J]
constexpr double duration = 10.0;                               // [s]

/// Potential m g l and moment of inertia of the N + 1 cranks (about their pins) and the N couplers.
constexpr double weight(int loops) { return gravity * ((loops + 1) / 2.0 + loops); }
constexpr double inertia(int loops) { return (loops + 1) / 3.0 + loops; }

inline double acceleration(int loops, double angle) { return weight(loops) / inertia(loops) * std::sin(angle); }
inline double energy(int loops, Motion at) {
  return 0.5 * inertia(loops) * at.speed * at.speed + weight(loops) * std::cos(at.angle);
}

/// The exact motion after `t` seconds: fourth order with steps of 50 µs, off by less than 1e-12 in 10 s.
inline Motion after(int loops, Motion at, double t) {
  const int steps = 200'000;
  const double h = t / steps;
  auto [angle, speed] = at;
  for (int i = 0; i < steps; ++i) {
    const double k1 = acceleration(loops, angle), k2 = acceleration(loops, angle + h / 2 * speed),
                 k3 = acceleration(loops, angle + h / 2 * (speed + h / 2 * k1)),
                 k4 = acceleration(loops, angle + h * (speed + h / 2 * k2));
    angle += h * speed + h * h / 6 * (k1 + k2 + k3);
    speed += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return {angle, speed};
}

}  // namespace parallel_cranks
