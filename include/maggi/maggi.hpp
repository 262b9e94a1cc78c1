#pragma once
// The library in the order in which data flows through it; docs/notation.md says what the letters mean.
//
//     file ─▶ Model ─▶ System ─▶ Basis ─▶ Formulation ─▶ integrate() ─▶ Trajectory ─▶ files
//             given     M h f C γ   D        v̇ λ             q v t

// what is given
#include "maggi/io/model_file.hpp"  // file → Model
#include "maggi/model/model.hpp"    // energies, forces, constraints as formulas
#include "maggi/model/numbers.hpp"  // values of the parameters, and of every number over them

// the equations of motion
#include "maggi/system/equation_system.hpp"  // Model → M, h, C, γ, derived exactly
#include "maggi/system/equations.hpp"        // the same at one instant, dense
#include "maggi/system/system.hpp"           // what every system can do at (q, v, t)

// their solution at one instant
#include "maggi/basis/basis.hpp"              // C → D with C D = 0
#include "maggi/basis/metric_factor.hpp"      // rank, and which rows depend on which, free of units
#include "maggi/basis/projective.hpp"         // how far each coordinate is constrained, and which to take as free
#include "maggi/formulation/dynamics.hpp"     // (q, v, t) → v̇, λ
#include "maggi/formulation/formulation.hpp"  // the ways to get there, by name

// the motion
#include "maggi/integration/assemblies.hpp"          // the ways to put a mechanism together
#include "maggi/integration/initial_conditions.hpp"  // a consistent start, or the reason why there is none
#include "maggi/integration/integrate.hpp"           // v̇ → q(t), v(t), on the constraints
#include "maggi/integration/lane_integrator.hpp"     // many motions, eight at a time
#include "maggi/integration/projection.hpp"          // back onto the constraints
#include "maggi/integration/settings.hpp"            // how the model wants to be run

// what it is like, and what came out
#include "maggi/analysis/comparison.hpp"          // every formulation on every basis, on the same model
#include "maggi/analysis/hidden_constraints.hpp"  // what a moving start demands beyond the model
#include "maggi/analysis/mobility.hpp"            // what the constraints leave of each coordinate
#include "maggi/analysis/redundancy.hpp"          // who depends on whom among the constraints
#include "maggi/analysis/servo.hpp"               // how controls keep servo constraints
#include "maggi/results/summary.hpp"              // a run in a few numbers
#include "maggi/results/trajectory.hpp"           // every stored state, by named channels

// many runs
#include "maggi/sweep/sweep.hpp"  // which numbers each has, and what is kept of it
#include "maggi/sweep/table.hpp"  // all that was kept, and how it is distributed

// for others to read
#include "maggi/io/csv.hpp"            // spreadsheets
#include "maggi/io/figure.hpp"         // papers
#include "maggi/io/json.hpp"           // programs
#include "maggi/io/npz.hpp"            // NumPy
#include "maggi/io/report.hpp"         // a page to look at
#include "maggi/io/stored_run.hpp"     // a motion read back
#include "maggi/io/sweep_files.hpp"    // the table of a sweep, its statistics
#include "maggi/io/sweep_journal.hpp"  // a sweep that goes on after it was killed
#include "maggi/io/sweep_report.hpp"   // a page of a sweep
