#pragma once
#include <memory>
#include <mutex>

#include "system/mechanism/functions/make_mechanism.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

/// A mechanism that leaves no terms out whose factors, formulas over parameters, happen to be zero: by parameters these
/// terms have derivatives all the same.
class ZerosKept {
 public:
  ZerosKept(std::shared_ptr<const MechanismSource> source, bool some_are_left_out, MakeMechanism make)
      : source_(std::move(source)), make_(make), needed_(some_are_left_out) {}

  /// Null if nothing is left out: then the mechanism is this one itself. Error (model) if it has other coordinates or
  /// constraints than `shape`.
  const System* get(const Shape& shape) const;

 private:
  std::shared_ptr<const MechanismSource> source_;
  MakeMechanism make_;
  bool needed_;
  mutable std::mutex busy_;
  mutable std::unique_ptr<System> made_;
};

}  // namespace maggi::mechanism
