#pragma once
#include <chrono>

namespace maggi::app {

/// How far a long run is and how long it will still take, in one line on stderr; nothing if stderr is no terminal or
/// the run is short.
class Progress {
 public:
  Progress(double from, double until, bool wanted);
  ~Progress();  ///< wipes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void operator()(double t);

 private:
  using Clock = std::chrono::steady_clock;
  void show(double t, double elapsed) const;

  double from_, until_;
  bool wanted_, shown_ = false;
  Clock::time_point begin_ = Clock::now(), next_;
};

}  // namespace maggi::app
