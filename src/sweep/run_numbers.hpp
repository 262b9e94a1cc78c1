#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "expression/tape.hpp"
#include "maggi/expert/system.hpp"
#include "maggi/sweep/design.hpp"
#include "maggi/sweep/measure.hpp"

namespace maggi::sweep {

/// The parameters and the start of every run as functions of what varies. Their formulas are read once; a run fills in
/// its values.
class RunNumbers {
 public:
  /// `start`: of run 0. Nothing if more varies than parameters, positions and speeds: numbers of [simulation], the
  /// times of measures; or if forces or accelerations are given at the start.
  static std::optional<RunNumbers> read(const Model& model, const Design& design, const std::vector<Measure>& measures,
                                        const Start& start);

  /// Of one run; one object per thread.
  struct Values {
    std::vector<double> parameters;
    Start start;
    std::vector<double> scratch;
  };
  Values values() const;
  /// false if the model with these numbers would be refused.
  bool fill(const Design& design, std::uint64_t run, Values& values) const;

 private:
  /// A number of the start: output k of the tape.
  struct Place {
    std::size_t output;
    bool speed;
    int coordinate;
    double Start::Value::*member;
  };

  RunNumbers() = default;

  expression::Tape tape_;  // what varies, axis by axis ↦ all parameters, then the places
  std::size_t parameters_ = 0;
  std::vector<Place> places_;
  Start start_;
};

}  // namespace maggi::sweep
