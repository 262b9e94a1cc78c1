#pragma once
#include <vector>

#include "system/mechanism/rounding/formula_block.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

/// What is meant by numbers that are typed in constraints of position level.
struct RoundedFormulas {
  std::vector<Constraint> constraints;  ///< with the least change of their numbers
  std::vector<MechanismSystem::RoundedLoop> found;
};

/// Decides for constraints by formulas that share coordinates, and the rows of joints with which they do, whether they
/// leave a motion within the tolerance of the numbers typed in them, as repair_rounded_data() does for joints. Rows
/// that time enters, that are switched, one-sided or kept by controls have no part in it.
RoundedFormulas repair_rounded_formulas(const System& system, const std::vector<Constraint>& constraints,
                                        double tolerance, bool change_data, double size,
                                        const FormulaBlock::Make& make);

}  // namespace maggi::mechanism
