#pragma once
#include <string>
#include <utility>
#include <vector>

#include "base/cpu_time.hpp"

namespace maggi {

/// Attributes the CPU time since the last call to what it was spent on.
class Stopwatch {
 public:
  void note(const std::string& what) {
    const double now = cpu_seconds();
    seconds_.emplace_back(what, now - last_);
    last_ = now;
  }
  const std::vector<std::pair<std::string, double>>& seconds() const { return seconds_; }

 private:
  double last_ = cpu_seconds();
  std::vector<std::pair<std::string, double>> seconds_;
};

}  // namespace maggi
