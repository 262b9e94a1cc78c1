#pragma once
#include <filesystem>
#include <string>

#include "analysis/redundancy.hpp"
#include "maggi/equations.hpp"
#include "results/summary.hpp"
#include "simulation/start_results.hpp"
#include "start/assemblies.hpp"
#include "start/initial_conditions.hpp"

namespace maggi {

/// What programs read, as one JSON object each. Numbers read back the same; a number that is not finite is an Error
/// (numerics) that names it. `format_version` grows when the meaning of a key changes.

/// dof, rank, formulation, reason, outcome, t, steps, evaluations, seconds, residual_position, residual_velocity,
/// energy_drift (null where energy need not be conserved), notes: [{file, line, column, what, help}], events, final:
/// {q, v, lambda} by name. A run that did not reach its end has also explanation, one without energy_drift also
/// energy_note.
std::string summary_json(const Summary& summary);
void write_summary(const std::filesystem::path& path, const Summary& summary);

/// t, q, v, vdot, lambda, reaction, controls, forces by name; free: {q, v}, found: {q, v}, lists of names; residuals:
/// {position, velocity, acceleration}; conditions: {position, velocity}; method. `undetermined`: see
/// undetermined_multipliers(); multipliers that are not unique are absent. With `assemblies` also branches: {starts,
/// hits, dependent, assemblies:
/// [{q, residual, hits}]}. With `results` also the forces in it, and where they were asked for parts: {constraint:
/// {coordinate: r_j}}, lambda_w by name (why_no_lambda_w: the reason), tangent: {basis, u, udot, M, h, energies, D,
/// d_v, d_0, constrained, gauss}.
std::string initial_conditions_json(const Shape& shape, const InitialConditions& start, const Matrix& undetermined = {},
                                    const Assemblies* assemblies = nullptr, const StartResults* results = nullptr);

/// rank, rank_nearby, distance_to_singularity, rank_tolerance; redundant: [{row, combination, permanent, compatible,
/// hides_condition}]; reactions: [{name, level, unique}], one for each constraint that has one: not those that
/// controls keep.
std::string redundancy_json(const Shape& shape, const Redundancy& redundancy);

/// t, q, v by name; coordinates, constraints, laws, controls: names in the order of the matrices; M, h, C, gamma, T, B,
/// D, Ddot as numbers, rows being lists, and the solution vdot, lambda, tau, p; in_force: whether each row and law is;
/// not_in_force, no_lambda: reasons by name; basis. Without Ddot why_no_Ddot is the reason. With formulas also
/// symbolic: {M, h, C, gamma, f, phi, psi, T, law, B, D, Ddot} as text, and the same in latex; without D and Ddot
/// why_no_D is the reason.
std::string equations_json(const EquationsOfMotion& equations);

}  // namespace maggi
