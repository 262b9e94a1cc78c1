#pragma once
#include <optional>
#include <span>
#include <string>

namespace maggi {

/// A run at one tolerance: what it costs, and how far from the reference it ends.
struct WorkPoint {
  double rtol = 0.0;
  long steps = 0, evaluations = 0;
  double seconds = 0.0;               ///< [s] CPU time; only the last state is stored
  std::optional<double> end_error{};  ///< relative, of the last q and v
  std::string failure{};              ///< why it did not come to the end; empty if it did
};

struct Work {
  double seconds = 0.0;      ///< [s] CPU time
  double evaluations = 0.0;  ///< of v̇
};

/// The work to end with a relative error of `accuracy`: interpolated between the two runs around it, work and error
/// both in logarithms. If the loosest run is better already, what that one takes; nothing if no run comes so close.
std::optional<Work> work_to(double accuracy, std::span<const WorkPoint> points);

}  // namespace maggi
