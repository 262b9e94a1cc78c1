#pragma once
#include <cstdint>
#include <vector>

#include "expression/tape.hpp"
#include "maggi/expert/system.hpp"
#include "system/formulas/derived_equations.hpp"

namespace maggi {

/// A group of outputs of a tape that lands in one vector of the terms.
struct StageTarget {
  Vector Terms::*member;
  std::vector<std::uint32_t> slots;
  int first = 0;  // place in the member
};

/// What one call evaluates: a tape, and where its outputs go.
struct FormulaStage {
  expression::Tape tape;
  std::vector<StageTarget> targets;
};

/// The calls of System that evaluate formulas.
namespace stage {
enum Index {
  position,
  velocity,
  acceleration,
  nonlinear,
  rates,
  directions,
  laws,
  energy,
  outputs,
  events,
  drawing,
  count
};
}

/// The tapes of all of them, in this order. Their inputs are q, v, t, v̇, λ, τ, p and the senses of sliding.
std::vector<FormulaStage> formula_stages(const DerivedEquations& e, const Shape& shape);

}  // namespace maggi
