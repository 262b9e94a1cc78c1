#pragma once
#include <filesystem>

#include "results/trajectory.hpp"

namespace maggi {

/// One line per stored state, one column per channel; the first line names them: "x1' [m/s]", without unit where there
/// is none. Commas, decimal points, as many digits as give the same number back (at most 17). Opens in a spreadsheet.
void write_csv(const std::filesystem::path& path, const Trajectory& trajectory);

}  // namespace maggi
