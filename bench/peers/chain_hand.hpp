#pragma once
// An open chain of n rods in space, pinned end to end, the axes of the pins at right angles two by two; by hand.
#include <vector>

#include "spatial_hand.hpp"

namespace open_chain {

constexpr double speed = 0.2;
inline double angle(int i) { return 0.1 + 0.01 * i; }

/// The joints 1, 3, 5 … are turned by 90° about the rod against the joint before, the others are parallel to it.
inline bool turned(int i) { return i % 2 == 1; }

struct Hand {
  explicit Hand(int n) : links(n), work(n), a(n) {
    for (int i = 0; i < n; ++i)
      links[i] = {turned(i) ? spatial::Mat{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}} : spatial::identity,
                  {0, i > 0 ? 1.0 : 0.0, 0},
                  {0, 0.5, 0},
                  spatial::rod_along_y,
                  1.0};
    for (int i = 0; i < n; ++i) q.push_back(angle(i)), v.push_back(speed);
  }

  void evaluate() {
    using namespace spatial;
    const int n = static_cast<int>(links.size());
    Mat R = identity;
    Vec w{0, 0, 0};
    for (int i = 0; i < n; ++i) {
      outward(links[i], q[i], v[i], R, w, work[i]);
      R = work[i].R, w = work[i].w;
    }
    for (int i = n - 1; i > 0; --i) eliminate(work[i]), inward(work[i], work[i - 1]);
    eliminate(work[0]);
    Vec angular{0, 0, 0}, linear{0, 9.81, 0};  // the ground is lifted instead of pulling at every body
    for (int i = 0; i < n; ++i) a[i] = accelerate(work[i], angular, linear);
  }

  std::vector<spatial::Link> links;
  std::vector<spatial::Work> work;
  std::vector<double> q, v, a;
};

/// |a − a by hand| of the first joint, relative to it.
inline double error(int n, double a) {
  Hand hand(n);
  hand.evaluate();
  return std::abs(a - hand.a[0]) / std::abs(hand.a[0]);
}

}  // namespace open_chain
