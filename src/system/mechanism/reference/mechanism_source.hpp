#pragma once
#include "maggi/model.hpp"
#include "model/numbers.hpp"
#include "system/mechanism/reference/drawing.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

/// What a mechanism is made of: its model, the numbers, and the reference configuration. The mechanism keeps it, since
/// others are made of it: the same one in absolute coordinates, and those with another parameter.
struct MechanismSource {
  /// The model has passed validate(). Error as Drawing.
  MechanismSource(const Model& of, const Numbers& known) : model(of), numbers(known), drawing(model, numbers) {}
  /// The bodies, joints and springs of another one, in the same configuration, with what `of` says about them.
  MechanismSource(const MechanismSource& drawn, const Model& of);
  MechanismSource& operator=(const MechanismSource&) = delete;

  Model model;
  Numbers numbers;
  Drawing drawing;                 ///< of the parts of this model
  bool keeps_zeros = false;        ///< see ZerosKept
  bool repaired = false;           ///< rounded data have been looked for, and the drawing and the couplings changed
  bool formulas_repaired = false;  ///< the same of numbers in the constraints of the model
  std::vector<MechanismSystem::RoundedLoop> rounded_loops{};  ///< what was found then
};

}  // namespace maggi::mechanism
