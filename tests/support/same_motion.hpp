#pragma once
#include <algorithm>
#include <cmath>

#include "base/largest.hpp"
#include "support/mechanism_run.hpp"

namespace maggi::test {

// integrated with rtol 1e-12: errors of 1e-12 a step add up over a few hundred steps of a lively motion
inline constexpr double same = 1e-9;
inline constexpr double fine_rtol = 1e-12, fine_atol = 1e-13;

/// Channels of two runs, `other` under the names that it gives them, are equal relative to their size; one that stays
/// below a thousandth is compared with that.
inline void expect_same(const MechanismRun& a, const MechanismRun& b, const std::vector<std::string>& channels,
                        std::vector<std::string> other = {}) {
  if (other.empty()) other = channels;
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const std::vector<double> x = a[channels[i]], y = b[other[i]];
    Largest size(1e-3), error;
    for (std::size_t k = 0; k < x.size(); ++k) {
      size.note(x[k]);
      error.note(x[k] - y[k]);
    }
    EXPECT_TRUE(within(error.value(), same * size.value()))
        << channels[i] << ": " << error.value() << " of " << size.value();
  }
}

}  // namespace maggi::test
