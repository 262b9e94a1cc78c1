#pragma once
#include "expression/tape.hpp"

namespace maggi::expression {

/// What an instruction of a tape does.
enum class Tape::Code : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  negate,
  multiply_add,       // a b + c
  multiply_subtract,  // a b − c
  subtract_multiply,  // c − a b
  power,
  sin,
  cos,
  sincos,  // two results
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  sign,
  min,
  max,
  less,
  less_equal,
  equal,
  not_equal,
  select,
  leaf,  // input, parameter or constant: no instruction
};

}  // namespace maggi::expression
