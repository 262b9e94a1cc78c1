#pragma once

#include "dynamics/dynamics.hpp"
#include "integration/sink/result.hpp"
#include "maggi/summary.hpp"
#include "results/trajectory.hpp"

namespace maggi {

/// `seconds`: what the caller measured. Names in v are those of the coordinates if q̇ = v.
Summary summarise(const Dynamics& dynamics, const IntegrationResult& run, const Trajectory& trajectory, double seconds);

}  // namespace maggi
