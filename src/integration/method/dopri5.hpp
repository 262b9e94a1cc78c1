#pragma once
#include <array>

#include "integration/method/dopri5_tableau.hpp"
#include "integration/method/step_control.hpp"

namespace maggi::integration {

/// The pair of Dormand and Prince, orders 5 and 4, seven stages of which the last is the first of the next step, with a
/// continuous extension of order 4. [DormandPrince1980; HairerNorsettWanner1993, II.5, II.6]
struct Dopri5 {
  using Row = std::array<double, 7>;
  static constexpr int stages = 7;
  static constexpr StepRule rule{.order = 5, .beta = 0.04, .smallest = 0.2, .largest = 10.0};
  static constexpr double stable = 3.25;  // on the negative real axis

  // clang-format off
  static constexpr std::array c{0.0, dopri5::c2, dopri5::c3, dopri5::c4, dopri5::c5, 1.0, 1.0};
  static constexpr std::array<Row, 7> a = [] {
    using namespace dopri5;
    return std::array{Row{},
                      Row{a21},
                      Row{a31, a32},
                      Row{a41, a42, a43},
                      Row{a51, a52, a53, a54},
                      Row{a61, a62, a63, a64, a65},
                      Row{b1,  0,   b3,  b4,  b5, b6}};
  }();
  static constexpr Row b = a[6];
  static constexpr std::array<Row, 1> e{
      Row{dopri5::e1, 0, dopri5::e3, dopri5::e4, dopri5::e5, dopri5::e6, dopri5::e7}};
  static constexpr std::array<Row, 1> d{
      Row{dopri5::d1, 0, dopri5::d3, dopri5::d4, dopri5::d5, dopri5::d6, dopri5::d7}};
  // clang-format on
};

}  // namespace maggi::integration
