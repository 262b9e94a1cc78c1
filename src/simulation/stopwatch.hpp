#pragma once
#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace maggi {

/// CPU time of this process so far [s].
inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

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
