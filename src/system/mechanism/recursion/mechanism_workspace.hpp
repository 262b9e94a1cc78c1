#pragma once
#include <memory>
#include <vector>

#include "maggi/expert/system.hpp"
#include "system/mechanism/functions/system_with_functions.hpp"
#include "system/mechanism/loops/closure.hpp"
#include "system/mechanism/recursion/tree_derivatives.hpp"

namespace maggi::mechanism {

template <class Space>
struct MechanismWorkspace final : Workspace {
  LinkState<Space> links;
  std::vector<ClosureRow<Space>> rows;             ///< of the closures
  std::vector<char> vanishes;                      ///< of their rows: no entry of C is more than rounding
  std::vector<ClosureRow<Space>> frame_functions;  ///< one each
  std::vector<ClosureRow<Space>> relative;         ///< local coordinates
  FunctionValues function_values;
  std::unique_ptr<TreeDerivatives<Space>> derivatives;  ///< none until they are asked for
  FunctionDerivatives slopes;
  Vector held_vdot, held_forces;  ///< v̇ and the forces along the quantities, while they are held
  std::vector<double> placed_at;  ///< the q for which position() or velocity() was the last call; else empty
};

}  // namespace maggi::mechanism
