#pragma once
#include "dynamics/dynamics.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

/// Events change the mode; whoever runs again begins as before.
class ModeKept {
 public:
  ModeKept(Dynamics& dynamics, const State& start) : dynamics_(dynamics), start_(start), mode_(dynamics.mode()) {}
  ~ModeKept() {
    if (dynamics_.mode() == mode_) return;
    dynamics_.set_mode(mode_);
    try {
      dynamics_.decide_rows(start_);
    } catch (const Error&) {  // it was possible at the start, or the run has said why not
    }
  }
  ModeKept(const ModeKept&) = delete;
  ModeKept& operator=(const ModeKept&) = delete;

 private:
  Dynamics& dynamics_;
  const State& start_;
  Mode mode_;
};

}  // namespace maggi::integration
