#pragma once
#include <chrono>
#include <string_view>

namespace maggi::app {

/// How far long work is and how long it will still take, in one line on stderr; nothing if stderr is no terminal or
/// the work is short.
class Progress {
 public:
  explicit Progress(bool wanted = true);
  ~Progress();  ///< wipes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cheap; what() is words to stand beside the bar, asked for when it is shown.
  template <class What>
  void operator()(double part, const What& what) {
    if (due()) show(part, what());
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool due();
  void show(double part, std::string_view what);

  bool wanted_, shown_ = false;
  Clock::time_point begin_ = Clock::now(), next_;
};

}  // namespace maggi::app
