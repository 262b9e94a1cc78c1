#include "base/sincos.hpp"

#include <algorithm>

#include "base/clones.hpp"

namespace maggi {

namespace {
constexpr int lanes = 8;
MAGGI_CLONES void sincos_lanes(const double* x, double* sines, double* cosines) { sincos<lanes>(x, sines, cosines); }
}  // namespace

void sincos(int count, const double* x, double* sines, double* cosines) {
  constexpr int worthwhile = 4;  // below, a batch takes longer than one by one
  int i = 0;
  for (; count - i >= lanes; i += lanes) sincos_lanes(x + i, sines + i, cosines + i);
  if (count - i >= worthwhile) {
    alignas(64) double some[lanes] = {}, s[lanes], c[lanes];
    std::copy(x + i, x + count, some);
    sincos_lanes(some, s, c);
    std::copy_n(s, count - i, sines + i);
    std::copy_n(c, count - i, cosines + i);
    return;
  }
  for (; i < count; ++i) sincos<1>(x + i, sines + i, cosines + i);
}

}  // namespace maggi
