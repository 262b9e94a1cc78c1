#pragma once
#include <filesystem>

#include "results/trajectory.hpp"

namespace maggi {

/// For NumPy: np.load(path) gives the arrays
///
///     t                                        N
///     coordinates                              N × n_q
///     coordinates_names, coordinates_units     n_q, text
///
/// and in the same way velocities, accelerations, multipliers, reactions, energies, outputs, drawing, residuals; a
/// group that the model does not have is N × 0. Error (io) beyond 4 GiB, which the format cannot hold.
void write_npz(const std::filesystem::path& path, const Trajectory& trajectory);

}  // namespace maggi
