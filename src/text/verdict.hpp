#pragma once
#include <string>

#include "maggi/check.hpp"
#include "maggi/motion.hpp"

namespace maggi::text {

/// A model in one sentence: its mobility, what drives it, what idles, what is redundant, what locks.
///
///     1 degree of freedom (bearing.angle); no constraint is redundant
std::string verdict(const Check& check);

/// The same of a run, which does not know which coordinates move independently.
std::string verdict(const Motion& motion);

}  // namespace maggi::text
